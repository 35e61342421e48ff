// SPDX-License-Identifier: MIT
// What responses held of the shared buffer, for how long: counted by the engine of a metered build.
#ifndef WHIT_LINUX_CHARGES_H
#define WHIT_LINUX_CHARGES_H

// Prints the mean memory charge of a response of each resource, one a line. urls: of all resources in their order,
// one a line. Prints nothing in other builds.
void charges_print(const char *urls);

#endif
