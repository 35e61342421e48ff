// SPDX-License-Identifier: MIT
// The disk's first sector: loads the image, whose first sector it is itself, to where it was linked for, and starts it as a multiboot
// loader does. The BIOS reads 32 kB at a time to memory that real mode reaches; from there they are copied by addresses of 32 bits,
// which real mode has after a visit of protected mode.
#define HERE(label) (0x7c00 + label - boot_sector)
#define BUFFER 0x10000
#define BUFFER_SECTORS 64
#define TRIES 9                 // less one: reads that may fail
#define INFO 0x600              // struct of the Multiboot Specification, section 3.3
#define COM1 0x3f8

.section .boot, "ax"
.code16
boot_sector:
    jmp begin
    .org boot_sector + 62    // a BIOS may write a table of FAT's there
begin:
    ljmp $0, $HERE(begin_0)
begin_0:
    cli
    xor %ax, %ax
    mov %ax, %ds
    mov %ax, %es
    mov %ax, %ss
    mov $0x7c00, %sp
    sti
    cld
    mov %dl, HERE(drive)
    mov $0x2401, %ax              // address line 20, by the BIOS and by the port of newer machines
    int $0x15
    in $0x92, %al
    or $2, %al
    and $0xfe, %al
    out %al, $0x92
    mov $0x41, %ah                // reads by block numbers
    mov $0x55aa, %bx
    mov HERE(drive), %dl
    int $0x13
    jc say
    cmp $0xaa55, %bx
    jne say

// A read that fails is asked for again: a stick that was just found may be slow to answer.
again:
    decb HERE(tries)
    jz say
read:
    mov $BUFFER_SECTORS, %ax
    cmp %ax, HERE(left)
    jae 1f
    mov HERE(left), %ax
1:  mov %ax, HERE(packet_cnt)
    mov $0x42, %ah
    mov HERE(drive), %dl
    mov $HERE(packet), %si
    int $0x13
    jc again
    cli
    lgdt HERE(gdt_at)
    mov %cr0, %eax
    or $1, %al
    mov %eax, %cr0
    mov $8, %bx
    mov %bx, %es
    mov %bx, %ds
    and $0xfe, %al
    mov %eax, %cr0
    xor %bx, %bx
    mov %bx, %ds
    mov %bx, %es
    mov $BUFFER, %esi
    mov HERE(to), %edi
    mov $BUFFER_SECTORS * 512 / 4, %ecx
    addr32 rep movsl
    mov %edi, HERE(to)
    sti
    mov HERE(packet_cnt), %ax
    add %ax, HERE(packet_block)
    sub %ax, HERE(left)
    jnz read

    movl $1, INFO                 // flags: the sizes of memory are valid
    movl $640, INFO + 4
    mov $0xe801, %ax              // kB from 1 MB to 16 MB, 64 kB above
    int $0x15
    jnc 1f
    mov $0x88, %ah
    int $0x15
    xor %bx, %bx
1:  movzwl %ax, %eax
    movzwl %bx, %ebx
    shl $6, %ebx
    add %ebx, %eax
    mov %eax, INFO + 8
    cli
    lgdt HERE(gdt_at)
    mov %cr0, %eax
    or $1, %al
    mov %eax, %cr0
    ljmpl $16, $HERE(protected)
.code32
protected:
    mov $8, %ax
    mov %ax, %ds
    mov %ax, %es
    mov %ax, %ss
    mov $0x2badb002, %eax
    mov $INFO, %ebx
    mov $start, %ecx              // this code is not where it was linked for
    jmp *%ecx

.code16
// On the screen and on the serial line; then a halt.
say:
    mov $HERE(no_read), %si
3:  lodsb
    test %al, %al
    jz 2f
    mov $0x0e, %ah
    mov $7, %bx
    int $0x10
    mov $COM1, %dx
    out %al, %dx
    mov $0xff, %cx                // longer than an octet takes where nobody set the rate, by reads of a slow port
1:  in $0x80, %al
    loop 1b
    jmp 3b
2:  hlt
    jmp 2b

no_read: .asciz "Whit: the disk cannot be read\r\n"
gdt_at:
    .word 23
    .long HERE(gdt)
gdt: .quad 0
    .quad 0x00cf92000000ffff      // data, 4 GB
    .quad 0x00cf9a000000ffff      // code
to: .long image_start
left: .word image_sectors
packet:
    .byte 16, 0
packet_cnt: .word 0
    .word 0, BUFFER >> 4
packet_block: .quad 0
drive: .byte 0
tries: .byte TRIES

    .org boot_sector + 446
    .byte 0x80, 0, 2, 0, 0x7f, 0xff, 0xff, 0xff    // active, of a type for private use
    .long 1, image_sectors - 1
    .org boot_sector + 510
    .word 0xaa55
.section .note.GNU-stack, "", @progbits
