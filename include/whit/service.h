// SPDX-License-Identifier: MIT
// A function that services may call beside those of whit/app.h (docs/services.md). The application compiler includes
// this file.
#ifndef WHIT_SERVICE_H
#define WHIT_SERVICE_H

#include "whit/app.h"

#ifdef __cplusplus
extern "C" {
#endif

// Refuses a call and sends the reason to the caller. reason: a constant text.
//     if (args->celsius > 300)
//         return fault("nothing is as hot as that");
// The status is 400, or the one that answer_status() set before.
#define fault(reason)                                        \
    __extension__({                                          \
        static const char whit_reason[] WHIT_FLASH = reason; \
        whit_fault(whit_reason);                             \
    })
WHIT_PUBLIC char whit_fault(const char *reason);    // reason: in flash. Returns 0.

#ifdef __cplusplus
}
#endif

#endif
