// SPDX-License-Identifier: Apache-2.0
#include "command_line.h"

#include <fcntl.h>
#include <unistd.h>

namespace {

/// A database opened while standard output is closed would get its number, and what is printed.
void openStandardDescriptors() {
    int descriptor = 0;
    do
        descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= 2);
    if (descriptor > 2)
        close(descriptor);
}

} // namespace

int main(int argc, char** argv) {
    openStandardDescriptors();
    return tilewright::cli::runCommandLine(argc, argv);
}
