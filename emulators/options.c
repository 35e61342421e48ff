// SPDX-License-Identifier: MIT
#include "options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: %s [options] IMAGE\n"
    "  --port N              TCP port to listen at, 1..65535 (8080)\n"
    "  --host ADDRESS        IPv4 address of this machine to listen at (127.0.0.1)\n"
    "  --tap DEVICE          be a machine of its own on this TAP device instead\n"
    "  --address A.B.C.D/N   the image's address and prefix length, as it was built (10.7.0.2/24)\n"
    "  --image-port N        ... and the TCP port that it listens at (80)\n"
    "  --https-port N        a second TCP port to listen at, 1..65535\n"
    "  --image-https-port N  ... and the one that the image listens at\n"
    "  --mac XX:XX:XX:XX:XX:XX  of the image, for which this program answers (02:57:0a:07:00:02)\n"
    "  --pcap FILE           record every frame\n"
    "  --data FILE           where persistent memory is kept (nowhere)\n"
    "  --hz N                clock of the processor (the machine's usual one)\n"
    "  --fast                as fast as it can, not in real time\n"
    "  --loss PERCENT        of the datagrams of each direction (0)\n"
    "  --seed N              of what is lost (1)\n"
    "  --painted FROM-TO     addresses of the painted stack: print the highest use at the end\n"
    "  --keys                press the keys of a console by lines on standard input: press A, release A\n"
    "  --end-with-parent     end when the program that started this one ends\n";

static bool wrong(const char *option, const char *value, const char *expected)
{
    fprintf(stderr, "--%s %s: expected %s\n", option, value, expected);
    return false;
}

static bool parse_number(const char *text, unsigned long low, unsigned long high, unsigned long *number)
{
    char *end;
    errno = 0;
    *number = strtoul(text, &end, 0);
    return errno == 0 && end != text && *end == '\0' && *text != '-' && *number >= low && *number <= high;
}

static bool parse_ipv4(const char *text, uint8_t address[4])
{
    return inet_pton(AF_INET, text, address) == 1;
}

static bool parse_network(const char *text, struct host_link_options *link)
{
    char address[INET_ADDRSTRLEN];
    const char *slash = strchr(text, '/');
    unsigned long prefix_len;
    if (slash == NULL || (size_t)(slash - text) >= sizeof address)
        return false;
    memcpy(address, text, (size_t)(slash - text));
    address[slash - text] = '\0';
    if (!parse_ipv4(address, link->address) || !parse_number(slash + 1, 1, 30, &prefix_len))
        return false;
    link->prefix_len = (uint8_t)prefix_len;
    return true;
}

static bool parse_mac(const char *text, uint8_t mac[6])
{
    char end;
    if (sscanf(text, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx%c", &mac[0], &mac[1], &mac[2], &mac[3], &mac[4], &mac[5], &end) !=
        6)
        return false;
    return strlen(text) == 17 && (mac[0] & 1) == 0;
}

static bool parse_link(struct host_link_options *link, const char *name, const char *value)
{
    unsigned long number;
    if (strcmp(name, "port") == 0 || strcmp(name, "image-port") == 0) {
        if (!parse_number(value, 1, 65535, &number))
            return wrong(name, value, "a TCP port, 1..65535");
        *(name[0] == 'p' ? &link->bind_port : &link->port) = (uint16_t)number;
    } else if (strcmp(name, "https-port") == 0 || strcmp(name, "image-https-port") == 0) {
        if (!parse_number(value, 1, 65535, &number))
            return wrong(name, value, "a TCP port, 1..65535");
        *(name[0] == 'h' ? &link->more_bind_port : &link->more_port) = (uint16_t)number;
    } else if (strcmp(name, "host") == 0) {
        const char *address = strcmp(value, "localhost") == 0 ? "127.0.0.1" : value;
        if (!parse_ipv4(address, link->bind_address))
            return wrong(name, value, "an IPv4 address of this machine, such as 127.0.0.1, or 0.0.0.0 for all");
        link->bind_text = address;
    } else if (strcmp(name, "address") == 0) {
        if (!parse_network(value, link))
            return wrong(name, value, "an IPv4 address and a prefix length of 1..30, such as 10.7.0.2/24");
    } else if (strcmp(name, "tap") == 0) {
        link->tap = value;
    } else {
        link->capture = value;    // --pcap
    }
    return true;
}

static bool parse_painted(const char *text, uint32_t painted[2])
{
    int end = -1;
    if (sscanf(text, "%i-%i%n", (int *)&painted[0], (int *)&painted[1], &end) != 2)
        return false;
    return text[end] == '\0' && painted[0] <= painted[1];
}

static bool parse_one(struct options *options, const char *name, const char *value)
{
    unsigned long number;
    if (strcmp(name, "mac") == 0) {
        if (!parse_mac(value, options->bridge.mac))
            return wrong(name, value, "a unicast MAC address, such as 02:57:0a:07:00:02");
    } else if (strcmp(name, "hz") == 0) {
        if (!parse_number(value, 1000000, 100000000, &number))
            return wrong(name, value, "cycles a second, 1000000..100000000");
        options->hz = (uint32_t)number;
    } else if (strcmp(name, "loss") == 0) {
        char *end;
        options->bridge.loss = strtod(value, &end) / 100;
        if (end == value || *end != '\0' || !(options->bridge.loss >= 0 && options->bridge.loss <= 1))
            return wrong(name, value, "per cent, 0..100");
    } else if (strcmp(name, "seed") == 0) {
        if (!parse_number(value, 0, ~0ul, &number))
            return wrong(name, value, "a number");
        options->bridge.seed = number;
    } else if (strcmp(name, "painted") == 0) {
        if (!parse_painted(value, options->painted))
            return wrong(name, value, "two addresses, such as 0x3d00-0x4100");
    } else if (strcmp(name, "data") == 0) {
        options->data = value;
    } else if (strcmp(name, "fast") == 0) {
        options->fast = true;
    } else if (strcmp(name, "keys") == 0) {
        options->keys = true;
    } else if (strcmp(name, "end-with-parent") == 0) {
        options->end_with_parent = true;
    } else if (strcmp(name, "help") == 0) {
        printf(usage, "whit-MACHINE");
        exit(EXIT_SUCCESS);
    } else {
        return parse_link(&options->bridge.link, name, value);
    }
    return true;
}

bool options_parse(struct options *options, int argc, char **argv)
{
    static const struct option known[] = {
        {"port", required_argument, NULL, 0},
        {"host", required_argument, NULL, 0},
        {"tap", required_argument, NULL, 0},
        {"address", required_argument, NULL, 0},
        {"mac", required_argument, NULL, 0},
        {"pcap", required_argument, NULL, 0},
        {"image-port", required_argument, NULL, 0},
        {"data", required_argument, NULL, 0},
        {"hz", required_argument, NULL, 0},
        {"loss", required_argument, NULL, 0},
        {"seed", required_argument, NULL, 0},
        {"painted", required_argument, NULL, 0},
        {"https-port", required_argument, NULL, 0},
        {"image-https-port", required_argument, NULL, 0},
        {"keys", no_argument, NULL, 0},
        {"fast", no_argument, NULL, 0},
        {"help", no_argument, NULL, 0},
        {"end-with-parent", no_argument, NULL, 0},
        {NULL, 0, NULL, 0},
    };
    *options = (struct options){
        .bridge = {.link = {.bind_text = "127.0.0.1",
                            .bind_address = {127, 0, 0, 1},
                            .bind_port = 8080,
                            .address = {10, 7, 0, 2},
                            .prefix_len = 24,
                            .port = 80},
                   .mac = {0x02, 0x57, 10, 7, 0, 2},
                   .seed = 1},
    };
    int idx, result;
    while ((result = getopt_long(argc, argv, "", known, &idx)) != -1)
        if (result != 0 || !parse_one(options, known[idx].name, optarg))
            return false;
    if (optind + 1 != argc) {
        fprintf(stderr, "%s: expected options and one image; --help lists them\n",
                optind < argc ? argv[argc - 1] : argv[0]);
        return false;
    }
    options->image = argv[optind];
    return true;
}
