// SPDX-License-Identifier: Apache-2.0
#include "search_pattern.h"

#include <cctype>

namespace tilewright::database {

/// Recursive descent into fragments of a program (Thompson's construction).
class SearchPattern::Compiler {
public:
    explicit Compiler(std::string_view pattern) : pattern_(pattern) {}

    base::Result<SearchPattern> run() {
        alternatives(0);
        if (error_.empty() && pos_ < pattern_.size())
            error_ = "a ')' without '('";
        if (!error_.empty())
            return base::Unexpected(
                base::Diagnostic("pattern", "the pattern has " + error_,
                                 {base::TextLocation{"", 0, static_cast<int>(pos_) + 1}}));
        emit(Op::Match);
        return std::move(result_);
    }

private:
    using Set = std::bitset<256>;
    static constexpr int kMaxDepth = 100;
    static constexpr std::size_t kMaxLength = 10000;

    int here() const { return static_cast<int>(result_.program_.size()); }
    int emit(Op op, int x = 0, int y = 0) {
        if (result_.program_.size() > kMaxLength)
            error_ = "more than 10000 parts";
        result_.program_.push_back({op, x, y});
        return here() - 1;
    }
    void emitSet(const Set& set) {
        result_.sets_.push_back(set);
        emit(Op::Set, static_cast<int>(result_.sets_.size()) - 1);
    }
    bool more() const { return error_.empty() && pos_ < pattern_.size(); }

    void alternatives(int depth) {
        if (depth > kMaxDepth)
            error_ = "too many parentheses";
        const int begin = here();
        sequence(depth);
        while (more() && pattern_[pos_] == '|') {
            ++pos_;
            insert(begin, {Op::Split, begin + 1, here() + 2});
            const int jump = emit(Op::Jump);
            sequence(depth);
            // Alternatives after this one are compiled behind it and jump on in turn.
            result_.program_[static_cast<std::size_t>(jump)].x = here();
        }
    }

    /// Moves what was compiled from `at` on by one to make room in front of it.
    void insert(int at, Instruction instruction) {
        auto& program = result_.program_;
        for (auto i = static_cast<std::size_t>(at); i < program.size(); ++i) {
            if (program[i].op == Op::Split || program[i].op == Op::Jump)
                program[i].x += program[i].x >= at;
            if (program[i].op == Op::Split)
                program[i].y += program[i].y >= at;
        }
        program.insert(program.begin() + at, instruction);
    }

    void sequence(int depth) {
        while (more() && pattern_[pos_] != '|' && pattern_[pos_] != ')') {
            const int begin = here();
            atom(depth);
            while (more() && std::string_view("*+?").find(pattern_[pos_]) != std::string_view::npos)
                repeat(begin, pattern_[pos_++]);
        }
    }

    void repeat(int begin, char how) {
        if (how == '+') {
            emit(Op::Split, begin, here() + 1);
        } else if (how == '?') {
            insert(begin, {Op::Split, begin + 1, here() + 1});
        } else {
            insert(begin, {Op::Split, begin + 1, here() + 2});
            emit(Op::Jump, begin);
        }
    }

    void atom(int depth) {
        const char c = pattern_[pos_++];
        Set set;
        switch (c) {
        case '(':
            alternatives(depth + 1);
            if (error_.empty() && (pos_ >= pattern_.size() || pattern_[pos_] != ')'))
                error_ = "a '(' without ')'";
            ++pos_;
            return;
        case '[':
            return emitSet(bracket());
        case '.':
            return emitSet(set.set());
        case '^':
            emit(Op::Begin);
            return;
        case '$':
            emit(Op::End);
            return;
        case '*':
        case '+':
        case '?':
            error_ = std::string("a '") + c + "' with nothing before it";
            return;
        case '\\':
            return emitSet(escaped());
        default:
            addChar(set, c);
            emitSet(set);
        }
    }

    static void addChar(Set& set, char c) {
        const auto byte = static_cast<unsigned char>(c);
        set.set(byte);
        if (byte < 0x80) {
            set.set(static_cast<std::size_t>(std::tolower(byte)));
            set.set(static_cast<std::size_t>(std::toupper(byte)));
        }
    }

    Set escaped() {
        Set set;
        if (pos_ >= pattern_.size()) {
            error_ = "a '\\' at its end";
            return set;
        }
        const char c = pattern_[pos_++];
        for (int i = 0; i < 256; ++i) {
            const bool in = c == 'd'   ? i < 0x80 && std::isdigit(i)
                            : c == 'w' ? i < 0x80 && (std::isalnum(i) || i == '_')
                            : c == 's' ? i < 0x80 && std::isspace(i)
                                       : false;
            if (in)
                set.set(static_cast<std::size_t>(i));
        }
        if (c != 'd' && c != 'w' && c != 's')
            addChar(set, c);
        return set;
    }

    Set bracket() {
        Set set;
        bool negate = false;
        if (pos_ < pattern_.size() && pattern_[pos_] == '^') {
            negate = true;
            ++pos_;
        }
        bool first = true;
        while (pos_ < pattern_.size() && (pattern_[pos_] != ']' || first)) {
            first = false;
            const char low = pattern_[pos_++];
            if (low == '\\') {
                set |= escaped();
                continue;
            }
            if (pos_ + 1 < pattern_.size() && pattern_[pos_] == '-' && pattern_[pos_ + 1] != ']') {
                const char high = pattern_[pos_ + 1];
                pos_ += 2;
                for (int c = static_cast<unsigned char>(low); c <= static_cast<unsigned char>(high);
                     ++c)
                    addChar(set, static_cast<char>(c));
            } else {
                addChar(set, low);
            }
        }
        if (pos_ >= pattern_.size())
            error_ = "a '[' without ']'";
        ++pos_;
        return negate ? ~set : set;
    }

    std::string_view pattern_;
    std::size_t pos_ = 0;
    SearchPattern result_;
    std::string error_;
};

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

base::Result<SearchPattern> SearchPattern::compile(std::string_view pattern) {
    if (!pattern.empty() && pattern.find_first_of(".*+?|()[]^$\\") == std::string_view::npos) {
        SearchPattern result;
        for (const char c : pattern)
            result.literal_.push_back(lower(c));
        return result;
    }
    auto result = Compiler(pattern).run();
    if (result)
        result->findStarts();
    return result;
}

struct SearchPattern::Threads {
    std::vector<int> list;
    std::vector<int> stack;
    std::vector<std::uint32_t> seen;
    std::uint32_t mark = 0;
};

void SearchPattern::addThread(Threads& threads, int start, bool atBegin, bool atEnd) const {
    threads.stack.push_back(start);
    while (!threads.stack.empty()) {
        const int at = threads.stack.back();
        threads.stack.pop_back();
        if (threads.seen[static_cast<std::size_t>(at)] == threads.mark)
            continue;
        threads.seen[static_cast<std::size_t>(at)] = threads.mark;
        const Instruction& instruction = program_[static_cast<std::size_t>(at)];
        switch (instruction.op) {
        case Op::Jump:
            threads.stack.push_back(instruction.x);
            break;
        case Op::Split:
            threads.stack.push_back(instruction.x);
            threads.stack.push_back(instruction.y);
            break;
        case Op::Begin:
            if (atBegin)
                threads.stack.push_back(at + 1);
            break;
        case Op::End:
            if (atEnd)
                threads.stack.push_back(at + 1);
            break;
        case Op::Set:
        case Op::Match:
            threads.list.push_back(at);
        }
    }
}

void SearchPattern::findStarts() {
    Threads threads;
    threads.seen.assign(program_.size(), 0);
    threads.mark = 1;
    addThread(threads, 0, true, true);
    startsWithByte_ = true;
    for (const int at : threads.list) {
        const Instruction& instruction = program_[static_cast<std::size_t>(at)];
        if (instruction.op == Op::Match)
            startsWithByte_ = false;
        else
            starts_ |= sets_[static_cast<std::size_t>(instruction.x)];
    }
}

bool SearchPattern::findLiteral(std::string_view text) const {
    if (text.size() < literal_.size())
        return false;
    const std::size_t last = text.size() - literal_.size();
    for (std::size_t i = 0; i <= last; ++i) {
        std::size_t k = 0;
        while (k < literal_.size() && lower(text[i + k]) == literal_[k])
            ++k;
        if (k == literal_.size())
            return true;
    }
    return false;
}

bool SearchPattern::matches(std::string_view text) const {
    if (!literal_.empty())
        return findLiteral(text);
    std::vector<int> current;
    Threads threads;
    threads.seen.assign(program_.size(), 0);
    for (std::size_t i = 0;; ++i) {
        if (current.empty() && startsWithByte_)
            while (i < text.size() && !starts_.test(static_cast<unsigned char>(text[i])))
                ++i;
        ++threads.mark;
        threads.list.clear();
        const bool end = i == text.size();
        // `current` holds the instructions that wait for the byte before this place.
        for (const int at : current) {
            const Instruction& instruction = program_[static_cast<std::size_t>(at)];
            if (sets_[static_cast<std::size_t>(instruction.x)].test(
                    static_cast<unsigned char>(text[i - 1])))
                addThread(threads, at + 1, i == 0, end);
        }
        addThread(threads, 0, i == 0, end);
        current.clear();
        for (const int at : threads.list) {
            if (program_[static_cast<std::size_t>(at)].op == Op::Match)
                return true;
            current.push_back(at);
        }
        if (end)
            return false;
    }
}

} // namespace tilewright::database
