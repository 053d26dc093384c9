// SPDX-License-Identifier: Apache-2.0

// Answers cases of `apply --batch` on stdout, a line each; for checking the schedule module alone.

#include <tilewright/json/dump.h>
#include <tilewright/json/parse.h>
#include <tilewright/schedule/apply_case.h>

#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
    if (argc < 2)
        return 2;
    std::ifstream file(argv[argc - 1]);
    for (std::string line; std::getline(file, line);) {
        if (line.empty())
            continue;
        const auto answer = tilewright::schedule::applyCase(tilewright::json::parse(line));
        std::cout << tilewright::json::dump(answer) << '\n' << std::flush;
    }
    return file.eof() ? 0 : 2;
}
