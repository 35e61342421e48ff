// SPDX-License-Identifier: MIT
// The PCI bus (PCI Local Bus Specification 3.0), by its ports.
#ifndef PCI_H
#define PCI_H

#include <stdbool.h>
#include <stdint.h>

struct pci {
    uint32_t at;    // bus, device and function, as in an address of their registers
    uint16_t vendor, device;
    uint8_t line;    // its interrupt line; 0xff: none
};

// The next function after `*found`, whose `at` is PCI_BEGIN at first. False: there are no more.
#define PCI_BEGIN 0xffffffffu
bool pci_next(struct pci *found);
uint32_t pci_read(const struct pci *of, uint8_t offset);
#define PCI_BASE 0x10    // register of the first address
// Returns the register of the next capability; after 0: of the first; 0: no capability.
uint8_t pci_capability(const struct pci *of, uint8_t after);
uint8_t pci_class(const struct pci *of);    // 2: network
// lets the device read memory, and gives the address of its registers; 0: it has none
uint32_t pci_open(const struct pci *of, uint8_t number);

#endif
