// SPDX-License-Identifier: MIT
// From a multiboot loader to pc_main(), and from an interrupt to its function.
#define PAINT 0xc5c5c5c5

.section .multiboot, "a"
    .balign 4
    .long 0x1badb002, 2, -(0x1badb002 + 2)    // wants the sizes of memory
    .globl image_seal
image_seal:
    .ascii "WhitSeal"                         // in whose place seal.py writes: CRC-32 of what follows the boot sector but for these
    .text
    .globl start
    .type start, @function
start:
    cli
    cld
    mov $whit_stack_top, %esp
    lgdt gdt_at
    ljmp $16, $1f
1:  mov $8, %dx
    mov %dx, %ds
    mov %dx, %es
    mov %dx, %ss
    mov %dx, %fs
    mov %dx, %gs
    mov %eax, %esi
    mov 8(%ebx), %edx
    testl $1, (%ebx)
    jnz 2f
    mov $0, %edx
2:  mov $whit_stack_bottom, %edi
    mov $whit_stack_top, %ecx
    sub %edi, %ecx
    shr $2, %ecx
    mov $PAINT, %eax
    rep stosl
    fninit
    push %edx
    push %esi
    call pc_main
3:  hlt
    jmp 3b
    .size start, . - start

    .balign 8
gdt: .quad 0
    .quad 0x00cf93000000ffff    // data, 4 GB; accessed, so that the processor changes nothing of the image
    .quad 0x00cf9b000000ffff    // code
gdt_at:
    .word 23
    .long gdt

// The addresses of these are 16 octets apart: one for each interrupt of the processor, and one for each line.
    .balign 16
    .globl exceptions
exceptions:
    .set number, 0
    .rept 32
    .balign 16
    push $number
    call exception
    .set number, number + 1
    .endr
    .globl lines
    .type lines, @function
    .balign 16
lines:
    .set number, 0
    .rept 16
    .balign 16
    pushal
    push $number
    jmp line
    .set number, number + 1
    .endr
line:
    cld
    call interrupt
    add $4, %esp
    popal
    iret
    .size lines, . - lines
.section .note.GNU-stack, "", @progbits
