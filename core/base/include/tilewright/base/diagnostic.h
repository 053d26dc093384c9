// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace tilewright::base {

enum class Severity : std::uint8_t { Note, Warning, Error };

/// A place in a text file; line and column count from 1, 0 = unknown. Prints `file:line:column`.
struct TextLocation {
    std::string file;
    int line = 0;
    int column = 0;
    bool operator==(const TextLocation&) const = default;
};

/// A place in a TensorIR module: a path in words (`main/block C`) and a printed excerpt.
struct IrLocation {
    std::string path;
    std::string excerpt;
    bool operator==(const IrLocation&) const = default;
};

/// An instruction of a trace, counted from 0.
struct TraceLocation {
    int instruction = 0;
    bool operator==(const TraceLocation&) const = default;
};

/// A node of an ONNX graph.
struct GraphLocation {
    std::string file;
    std::string node;
    std::string op;
    bool operator==(const GraphLocation&) const = default;
};

/// A row of a database file.
struct DatabaseLocation {
    std::string file;
    std::string table;
    std::int64_t row = 0;
    bool operator==(const DatabaseLocation&) const = default;
};

using Location =
    std::variant<TextLocation, IrLocation, TraceLocation, GraphLocation, DatabaseLocation>;

/// Prints a location the way it stands in front of a message: `file.py:3:7`, `instruction 4`, …
std::string toString(const Location& location);

/// A user's problem as a plain value: it can be queued, stored, compared and shown.
/// `kind` is stable (kebab-case or a TVM error class name, such as `WrongFactorError`);
/// `message` says what was asked, what was found and what is accepted.
struct Diagnostic {
    std::string kind;
    std::string message;
    std::vector<Location> locations;
    Severity severity = Severity::Error;

    Diagnostic() = default;
    Diagnostic(std::string kindName, std::string text, std::vector<Location> places = {},
               Severity level = Severity::Error)
        : kind(std::move(kindName)), message(std::move(text)), locations(std::move(places)),
          severity(level) {}

    /// One line: `file.py:3:7: message [kind]`; the place is left out when there is none.
    [[nodiscard]] std::string toString() const;
    bool operator==(const Diagnostic&) const = default;
};

/// Thrown for a user's problem. Expected outcomes are `Result` values instead.
/// Does not cross threads, C callbacks, processes or Qt slots: each such seam converts once.
class UserError : public std::runtime_error {
public:
    explicit UserError(Diagnostic diagnostic)
        : std::runtime_error(diagnostic.toString()), diagnostic_(std::move(diagnostic)) {}
    UserError(std::string kind, std::string message, std::vector<Location> locations = {})
        : UserError(Diagnostic(std::move(kind), std::move(message), std::move(locations))) {}
    [[nodiscard]] const Diagnostic& diagnostic() const { return diagnostic_; }

private:
    Diagnostic diagnostic_;
};

/// A text, module, record or trace that cannot be read. Carries file and line.
class ParseError : public UserError {
public:
    using UserError::UserError;
};

} // namespace tilewright::base
