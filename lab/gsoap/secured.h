// SPDX-License-Identifier: MIT
// The same services with the header of WS-Security.
#import "wsse.h"
#import "device.h"
