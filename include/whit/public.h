// SPDX-License-Identifier: MIT
// WHIT_PUBLIC marks functions and objects that other files use. An image's engine is compiled as one unit, and all
// other functions are static there (-fwhole-program).
#ifndef WHIT_PUBLIC_H
#define WHIT_PUBLIC_H

#if defined(__has_attribute) && __has_attribute(externally_visible)
#define WHIT_PUBLIC __attribute__((externally_visible))
#else
#define WHIT_PUBLIC
#endif

#endif
