// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../command.h"

#include <string>
#include <vector>

namespace tilewright::cli {

/// A setting of `tune` and where its value is from.
struct TuneSetting {
    std::string name;                ///< `max-trials-global`, `input`
    std::vector<std::string> values; ///< empty = not set
    std::string origin;              ///< `flag`, an environment variable, a file, `default`
};

/// What a run of `tune` is told, first found: flag, `--config FILE`, TILEWRIGHT_* in the
/// environment, tilewright.toml or .ini in the work directory, the same in the user's configuration
/// folder, the default. Throws UserError (kind `usage`) for settings that do not exist.
std::vector<TuneSetting> tuneSettings(const Arguments& arguments,
                                      const std::vector<OptionSpec>& options);

/// The arguments with every setting filled in.
Arguments withSettings(const Arguments& arguments, const std::vector<TuneSetting>& settings);

/// The settings as a file that `--config` takes; origins stand in remarks.
std::string settingsText(const std::vector<TuneSetting>& settings);

} // namespace tilewright::cli
