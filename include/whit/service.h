// SPDX-License-Identifier: MIT
// What the function of a service may call beside whit/app.h (docs/services.md); the application compiler includes it.
#ifndef WHIT_SERVICE_H
#define WHIT_SERVICE_H

#include "whit/app.h"

#ifdef __cplusplus
extern "C" {
#endif

// The caller asked for what cannot be, and is told why. The reason is a constant text.
//     if (args->celsius > 300)
//         return fault("nothing is as hot as that");
// The status is 400, or what answer_status() says before.
#define fault(reason)                                        \
    __extension__({                                          \
        static const char whit_reason[] WHIT_FLASH = reason; \
        whit_fault(whit_reason);                             \
    })
WHIT_PUBLIC char whit_fault(const char *reason);    // in flash; 0

#ifdef __cplusplus
}
#endif

#endif
