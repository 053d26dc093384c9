// SPDX-License-Identifier: Apache-2.0
#include "work_dir_files.h"

#include <fstream>

namespace tilewright::database {

void completeLastLine(const std::filesystem::path& file) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    if (!stream.seekg(-1, std::ios::end))
        return; // missing or empty
    if (stream.get() == '\n')
        return;
    stream.seekp(0, std::ios::end);
    stream.put('\n');
}

} // namespace tilewright::database
