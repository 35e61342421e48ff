// SPDX-License-Identifier: MIT
#include "options.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// libslirp's network is inside this process and always the same; a TAP device is on a network of the operator's.
#define SLIRP_ADDRESS "10.0.2.15/24"
#define SLIRP_GATEWAY "10.0.2.2"
#define TAP_ADDRESS "10.7.0.2/24"

static const char usage[] =
    "usage: %s [options]\n"
    "  --port N              TCP port to listen at, 1..65535 (8080)\n"
    "  --host ADDRESS        IPv4 address of this machine to listen at (127.0.0.1)\n"
    "  --tap DEVICE          be a machine of its own on this TAP device instead\n"
    "  --address A.B.C.D/N   its address and prefix length (" TAP_ADDRESS ")\n"
    "  --gateway A.B.C.D     its way to other networks (none)\n"
    "  --mac XX:XX:XX:XX:XX:XX\n"
    "  --pcap FILE           record every frame\n"
    "  --data FILE           where persistent memory is kept (persistent.bin)\n"
#if WHIT_TLS
    "  --https-port N        TCP port to listen at for HTTPS, 1..65535 (8443)\n"
#endif
#if WHIT_TLS || WHIT_HAS_REPLIES
    "  --key FILE            the private key of the certificate: 32 octets, which nobody else should read\n"
#endif
    "  --log                 write a line for each request to standard error\n"
    "  --counters            print the engine's counters at the end\n"
    "  --charges URLS        of a metered build: print what responses held in memory, at the end\n"
    "  --end-with-parent     end when the program that started this one ends\n"
    "  --unconfined          keep root's rights and all system calls, for functions that need them\n";

static bool wrong(const char *option, const char *value, const char *expected)
{
    fprintf(stderr, "--%s %s: expected %s\n", option, value, expected);
    return false;
}

static bool parse_number(const char *text, long low, long high, long *number)
{
    char *end;
    errno = 0;
    *number = strtol(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *number >= low && *number <= high;
}

static bool parse_ipv4(const char *text, uint8_t address[4])
{
    return inet_pton(AF_INET, text, address) == 1;
}

static bool parse_network(const char *text, struct whit_network *network)
{
    char address[INET_ADDRSTRLEN];
    const char *slash = strchr(text, '/');
    long prefix_len;
    if (slash == NULL || (size_t)(slash - text) >= sizeof address)
        return false;
    memcpy(address, text, (size_t)(slash - text));
    address[slash - text] = '\0';
    if (!parse_ipv4(address, network->address) || !parse_number(slash + 1, 1, 30, &prefix_len))
        return false;
    network->prefix_len = (uint8_t)prefix_len;
    uint32_t host_mask = UINT32_MAX >> prefix_len, value;
    memcpy(&value, network->address, sizeof value);
    uint32_t host = ntohl(value) & host_mask;
    return host != 0 && host != host_mask && network->address[0] != 0 && network->address[0] != 127 &&
           network->address[0] < 224;
}

static bool parse_mac(const char *text, uint8_t mac[6])
{
    char end;
    if (sscanf(text, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx%c", &mac[0], &mac[1], &mac[2], &mac[3], &mac[4], &mac[5], &end) !=
        6)
        return false;
    return strlen(text) == 17 && (mac[0] & 1) == 0;
}

// Derives a locally administered address, which differs for each address on a link.
static void derive_mac(struct whit_network *network)
{
    network->mac[0] = 0x02;
    network->mac[1] = 0x57;
    memcpy(network->mac + 2, network->address, 4);
}

static bool parse_one(struct options *options, const char *name, const char *value, bool *has_mac)
{
    long number;
    if (strcmp(name, "port") == 0) {
        if (!parse_number(value, 1, 65535, &number))
            return wrong(name, value, "a TCP port, 1..65535");
        options->link.bind_port = (uint16_t)number;
    } else if (strcmp(name, "host") == 0) {
        const char *address = strcmp(value, "localhost") == 0 ? "127.0.0.1" : value;
        if (!parse_ipv4(address, options->link.bind_address))
            return wrong(name, value, "an IPv4 address of this machine, such as 127.0.0.1, or 0.0.0.0 for all");
        options->link.bind_text = address;
    } else if (strcmp(name, "address") == 0) {
        if (!parse_network(value, &options->network))
            return wrong(name, value, "a host's IPv4 address and a prefix length of 1..30, such as " TAP_ADDRESS);
    } else if (strcmp(name, "gateway") == 0) {
        if (!parse_ipv4(value, options->network.gateway))
            return wrong(name, value, "an IPv4 address, such as 10.7.0.1");
    } else if (strcmp(name, "mac") == 0) {
        if (!parse_mac(value, options->network.mac))
            return wrong(name, value, "a unicast MAC address, such as 02:57:0a:07:00:02");
        *has_mac = true;
    } else if (strcmp(name, "tap") == 0) {
        options->link.tap = value;
    } else if (strcmp(name, "pcap") == 0) {
        options->link.capture = value;
    } else if (strcmp(name, "data") == 0) {
        options->data = value;
#if WHIT_TLS || WHIT_HAS_REPLIES
    } else if (strcmp(name, "key") == 0) {
        options->key = value;
#endif
#if WHIT_TLS
    } else if (strcmp(name, "https-port") == 0) {
        if (!parse_number(value, 1, 65535, &number))
            return wrong(name, value, "a TCP port, 1..65535");
        options->link.more_bind_port = (uint16_t)number;
#endif
    } else if (strcmp(name, "log") == 0) {
        options->log = true;
    } else if (strcmp(name, "counters") == 0) {
        options->counters = true;
    } else if (strcmp(name, "charges") == 0) {
        options->charges = value;
    } else if (strcmp(name, "end-with-parent") == 0) {
        options->end_with_parent = true;
    } else if (strcmp(name, "unconfined") == 0) {
        options->unconfined = true;
    } else {
        printf(usage, "whit-APP");
        exit(EXIT_SUCCESS);
    }
    return true;
}

static bool check_together(struct options *options, bool has_address, bool has_gateway, bool has_mac)
{
    if (options->link.tap == NULL && (has_address || has_gateway)) {
        fprintf(stderr, "--address and --gateway: expected beside --tap; without it the server listens at --host\n");
        return false;
    }
    if (!has_address)
        parse_network(options->link.tap != NULL ? TAP_ADDRESS : SLIRP_ADDRESS, &options->network);
    if (options->link.tap == NULL)
        parse_ipv4(SLIRP_GATEWAY, options->network.gateway);
    if (!has_mac)
        derive_mac(&options->network);
    memcpy(options->link.address, options->network.address, 4);
    options->link.port = WHIT_TCP_PORT;
#if WHIT_TLS
    options->link.more_port = WHIT_HTTPS_PORT;
#endif
    options->link.prefix_len = options->network.prefix_len;
    return true;
}

bool options_parse(struct options *options, int argc, char **argv)
{
    static const struct option known[] = {
        {"port", required_argument, NULL, 0},
        {"host", required_argument, NULL, 0},
        {"address", required_argument, NULL, 0},
        {"gateway", required_argument, NULL, 0},
#if WHIT_TLS || WHIT_HAS_REPLIES
        {"key", required_argument, NULL, 0},
#endif
#if WHIT_TLS
        {"https-port", required_argument, NULL, 0},
#endif
        {"mac", required_argument, NULL, 0},
        {"tap", required_argument, NULL, 0},
        {"pcap", required_argument, NULL, 0},
        {"data", required_argument, NULL, 0},
        {"charges", required_argument, NULL, 0},
        {"counters", no_argument, NULL, 0},
        {"log", no_argument, NULL, 0},
        {"end-with-parent", no_argument, NULL, 0},
        {"unconfined", no_argument, NULL, 0},
        {"help", no_argument, NULL, 0},
        {NULL, 0, NULL, 0},
    };
    *options = (struct options){
        .link = {.bind_text = "127.0.0.1", .bind_address = {127, 0, 0, 1}, .bind_port = 8080},
        .data = "persistent.bin",
    };
#if WHIT_TLS
    options->link.more_bind_port = 8443;
#endif
    bool has_address = false, has_gateway = false, has_mac = false;
    int idx, result;
    while ((result = getopt_long(argc, argv, "", known, &idx)) != -1) {
        if (result != 0 || !parse_one(options, known[idx].name, optarg, &has_mac))
            return false;
        has_address |= strcmp(known[idx].name, "address") == 0;
        has_gateway |= strcmp(known[idx].name, "gateway") == 0;
    }
    if (optind < argc) {
        fprintf(stderr, "%s: expected an option; --help lists them\n", argv[optind]);
        return false;
    }
    return check_together(options, has_address, has_gateway, has_mac);
}
