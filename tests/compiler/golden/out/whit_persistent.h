// Written by the application compiler from app.toml; do not edit.
// The application's persistent memory; <whit/app.h> includes this file.
#ifndef WHIT_PERSISTENT_NAMES_H
#define WHIT_PERSISTENT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WHIT_PERSISTENT_RAW 16    // octets of persistent_read() and persistent_write(), from address 0 on: [persistent] size
#define WHIT_PERSISTENT_LAYOUT 0xe3b0c442u    // changes when something lies elsewhere or is of another form

#endif
