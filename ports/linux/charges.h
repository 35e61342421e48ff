// SPDX-License-Identifier: MIT
// Octets of the shared buffer that responses held, and for how long: the engine of a metered build counts them.
#ifndef WHIT_LINUX_CHARGES_H
#define WHIT_LINUX_CHARGES_H

// Prints the mean memory charge of a response of each resource, one a line. urls: of all resources in their order,
// one a line. Prints nothing in other builds.
void charges_print(const char *urls);

#endif
