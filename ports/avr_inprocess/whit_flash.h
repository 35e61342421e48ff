// SPDX-License-Identifier: MIT
#include "../avr/whit_flash.h"
