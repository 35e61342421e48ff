// SPDX-License-Identifier: MIT
// What a caller is told (SOAP Message Security 1.1, section 12). Whether a name or a password was wrong is not.
#include "wss.h"

#if !WHIT_HAS_RSA
#define METHODS "ECDSA with P-256"
#elif !WHIT_HAS_P256
#define METHODS "RSA"
#else
#define METHODS "ECDSA with P-256 or RSA"
#endif
#if WHIT_HAS_SIGNATURE
#define EXPECTED "expected a digest, Nonce and Created, or a signature and Timestamp\0"
#else
#define EXPECTED "expected a UsernameToken: digest, Nonce, Created\0"
#endif

// In the order of enum wss_fault: a code, or nothing where it is ours, and a reason; none: that of the one before.
const char wss_told[] WHIT_FLASH =
    "wsse:InvalidSecurity\0" EXPECTED
    "wsse:UnsupportedSecurityToken\0" "\0"
    "wsse:FailedAuthentication\0" "not proved, or it came before\0"
    "wsu:MessageExpired\0" "too old, from the future, or from before the last start\0"
    "\0" "persistent memory failed\0"
#if WHIT_HAS_SIGNATURE
    "wsse:UnsupportedAlgorithm\0" "expected exclusive canonicalization, SHA-256, " METHODS "\0"
    "wsse:FailedCheck\0" "the signature does not hold for Body and Timestamp\0"
#endif
#if WHIT_HAS_REPLIES
    "\0" "the device has no key"
#endif
    ;
