// SPDX-License-Identifier: MIT
// What a caller is told (SOAP Message Security 1.1, section 12). Whether a name or a password was wrong is not.
#include <stddef.h>

#include "wss.h"

struct wss_told {
    const char *code, *reason;
};
#define WSS_TEXT_OF(name, text) static const char wss_##name[] WHIT_FLASH = text
WSS_TEXT_OF(invalid, "wsse:InvalidSecurity");
WSS_TEXT_OF(unsupported, "wsse:UnsupportedSecurityToken");
WSS_TEXT_OF(failed, "wsse:FailedAuthentication");
WSS_TEXT_OF(expired, "wsu:MessageExpired");
#if !WHIT_HAS_RSA
#define METHODS "ECDSA with P-256"
#elif !WHIT_HAS_P256
#define METHODS "RSA"
#else
#define METHODS "ECDSA with P-256 or RSA"
#endif
#if WHIT_HAS_SIGNATURE
WSS_TEXT_OF(expected, "expected a digest, Nonce and Created, or a signature and Timestamp");
WSS_TEXT_OF(algorithm, "wsse:UnsupportedAlgorithm");
WSS_TEXT_OF(algorithms, "expected exclusive canonicalization, SHA-256, " METHODS);
WSS_TEXT_OF(check, "wsse:FailedCheck");
WSS_TEXT_OF(not_signed, "the signature does not hold for Body and Timestamp");
#else
WSS_TEXT_OF(expected, "expected a UsernameToken: digest, Nonce, Created");
#define wss_algorithm wss_invalid
#define wss_algorithms wss_expected
#define wss_check wss_invalid
#define wss_not_signed wss_expected
#endif
WSS_TEXT_OF(not_proved, "not proved, or it came before");
WSS_TEXT_OF(too_old, "too old, from the future, or from before the last start");
WSS_TEXT_OF(memory, "persistent memory failed");

#if WHIT_HAS_REPLIES
WSS_TEXT_OF(keyless, "the device has no key");
#else
#define wss_keyless wss_memory
#endif

static const struct wss_told wss_told[] WHIT_FLASH = {
    [WSS_INVALID] = {wss_invalid, wss_expected},   [WSS_UNSUPPORTED] = {wss_unsupported, wss_expected},
    [WSS_FAILED] = {wss_failed, wss_not_proved},   [WSS_EXPIRED] = {wss_expired, wss_too_old},
    [WSS_ALGORITHM] = {wss_algorithm, wss_algorithms}, [WSS_CHECK] = {wss_check, wss_not_signed},
    [WSS_BROKEN] = {NULL, wss_memory},             [WSS_KEYLESS] = {NULL, wss_keyless},
};

const char *wss_code(enum wss_fault fault) { return whit_flash_ptr(&wss_told[fault].code); }

const char *wss_reason(enum wss_fault fault) { return whit_flash_ptr(&wss_told[fault].reason); }
