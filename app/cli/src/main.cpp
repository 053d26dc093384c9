// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

int main(int argc, char** argv) {
    return tilewright::cli::runCommandLine(argc, argv);
}
