// SPDX-License-Identifier: MIT
// Pins of an ATmega1284P: 0..7 are PB0..PB7, 8..15 PD, 16..23 PC, 24..31 PA. As much as the core and this bench use.
#ifndef Pins_Arduino_h
#define Pins_Arduino_h

#include <avr/pgmspace.h>

#define NUM_DIGITAL_PINS 32
#define NUM_ANALOG_INPUTS 8
#define LED_BUILTIN 0
#define digitalPinHasPWM(p) ((p) == 3 || (p) == 4 || ((p) >= 12 && (p) <= 15))
#define analogInputToDigitalPin(p) ((p) < 8 ? (p) + 24 : -1)
#define digitalPinToPCICR(p) (&PCICR)
#define digitalPinToPCICRbit(p) ((p) < 8 ? 1 : (p) < 16 ? 3 : (p) < 24 ? 2 : 0)
#define digitalPinToPCMSK(p) ((p) < 8 ? &PCMSK1 : (p) < 16 ? &PCMSK3 : (p) < 24 ? &PCMSK2 : &PCMSK0)
#define digitalPinToPCMSKbit(p) ((p) % 8)

#ifdef ARDUINO_MAIN
#define EIGHT(port) port, port, port, port, port, port, port, port
#define BITS 1, 2, 4, 8, 16, 32, 64, 128
#define REGISTERS(a) 0, (uint16_t)&a##A, (uint16_t)&a##B, (uint16_t)&a##C, (uint16_t)&a##D
const uint16_t PROGMEM port_to_mode_PGM[] = {REGISTERS(DDR)};
const uint16_t PROGMEM port_to_output_PGM[] = {REGISTERS(PORT)};
const uint16_t PROGMEM port_to_input_PGM[] = {REGISTERS(PIN)};
const uint8_t PROGMEM digital_pin_to_port_PGM[] = {EIGHT(2), EIGHT(4), EIGHT(3), EIGHT(1)};
const uint8_t PROGMEM digital_pin_to_bit_mask_PGM[] = {BITS, BITS, BITS, BITS};
const uint8_t PROGMEM digital_pin_to_timer_PGM[] = {EIGHT(0), EIGHT(0), EIGHT(0), EIGHT(0)};
#endif

#define SERIAL_PORT_MONITOR Serial
#define SERIAL_PORT_HARDWARE Serial

#endif
