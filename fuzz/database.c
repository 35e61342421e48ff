// SPDX-License-Identifier: MIT
// The client of a database, and a server that sends anything. The input is a script: packets of the server with right
// lengths, or bare octets; queries of three handlers; and time. After any input an honest server is queried, and its
// answer read. It is one unit, so that each input begins with the state of a start.
#include "database/answer.c"
#include "database/column.c"
#include "database/event.c"
#include "database/execute.c"
#include "database/handshake.c"
#include "database/kept.c"
#include "database/packet.c"
#include "database/place.c"
#include "database/pool.c"
#include "database/prepare.c"
#include "database/query.c"
#include "database/rows.c"
#include "database/run.c"
#include "database/terse.c"
#include "database/why.c"

#include <stdlib.h>

#define CHECK(condition) ((condition) ? (void)0 : abort())
#define ASKERS 3
#define SAID_MAX 768    // longest packet of the server
#define HONEST_TURNS 400
#define HONEST_STEP_MS 50

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

// tests/database/client.c
void test_time(uint32_t ms);
void test_state(whit_client client, int state);
void test_lends(bool lend);
void test_over(whit_client client);
uint16_t test_room(whit_client client);
void test_receive(whit_client client, const uint8_t *octets, uint16_t len);
uint16_t test_sent(whit_client client, uint8_t *to);

// fuzz/database_corpus.py has the same.
enum operation {
    PACKET,
    OCTETS,
    GREET,
    AGREE,
    PREPARED,
    COLUMN,
    WAIT,
    CLIENT,
    ASK,
    NEXT,
    LEAVE,
    DEAF,
    LEND,
    OPERATION_CNT
};

static struct asker {
    struct whit_query query;
    uint8_t statement;
    uint8_t seconds;    // greatest age of an answer; 0: none
    enum { IDLE, BEGINS, GOES_ON, AT_ROW } does;
} askers[ASKERS];
static uint8_t next_sequence[WHIT_DATABASE_CONNECTIONS];
static uint32_t now_ms;
static bool is_deaf;    // the server reads nothing

// ------------------------------------------------------------------------------------------------ handlers

static const char long_text[700] = "a text that is longer than what a connection takes at once";
static const struct query_value arguments_of[][2] = {
    {{.type = QUERY_NULL}},
    {{.type = QUERY_INT, .integer = -7}, {.type = QUERY_TEXT, .len = 5, .text = "hello"}},
    {{.type = QUERY_TEXT, .len = sizeof long_text, .text = long_text}, {.type = QUERY_REAL, .real = 1.5}},
};

static bool is_within(const char *text, uint16_t len, const void *octets, size_t octets_len)
{
    const char *begin = octets;
    return text >= begin && text <= begin + octets_len && len <= (size_t)(begin + octets_len - text);
}

static bool is_of_a_row(const char *text, uint16_t len)
{
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++)
        if (is_within(text, len, places[i].row, sizeof places[i].row))
            return true;
    for (uint8_t i = 0; i < KEPT_CNT; i++)
        if (is_within(text, len, kept_answers[i].octets, sizeof kept_answers[i].octets))
            return true;
    return false;
}

static void read_row(const struct asker *asker)
{
    struct query_value value;
    uint16_t cnt = 0;
    for (; query_column(&asker->query, (uint8_t)cnt, &value); cnt++) {
        CHECK(cnt < COLUMNS_MAX);
        CHECK(value.type != QUERY_TEXT || value.len == 0 || is_of_a_row(value.text, value.len));
    }
}

static void ask_on(struct asker *asker)
{
    const struct query_value *arguments = arguments_of[asker->statement];
    uint8_t cnt = whit_statements[asker->statement].argument_cnt;
    enum query_status status = QUERY_WAITS;
    if (asker->does == BEGINS && asker->seconds != 0)
        status = query_begin_kept(&asker->query, asker->statement, arguments, cnt, asker->seconds);
    else if (asker->does == BEGINS)
        status = query_begin(&asker->query, asker->statement, arguments, cnt);
    else if (asker->does == GOES_ON)
        status = query_next(&asker->query);
    if (status == QUERY_ROW)
        read_row(asker);
    if (status != QUERY_WAITS)
        asker->does = status == QUERY_ROW ? AT_ROW : IDLE;
}

static void go_on_all(void)
{
    uint8_t sent[512];
    for (uint8_t i = 0; i < ASKERS; i++)
        ask_on(&askers[i]);
    for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS && !is_deaf; i++)
        if (places[i].client != 0)
            test_sent(places[i].client, sent);
}

static void begin(struct asker *asker, uint8_t statement, uint8_t seconds)
{
    query_end(&asker->query);
    *asker = (struct asker){.statement = statement % WHIT_STATEMENT_CNT, .seconds = seconds, .does = BEGINS};
}

// ------------------------------------------------------------------------------------------------ the server

static void say(const struct place *place, const uint8_t *octets, uint16_t len)
{
    for (uint8_t turn = 0; turn < 4 && len != 0 && place->client != 0; turn++, go_on_all()) {
        if (client_state(place->client) == CLIENT_OPENING)
            test_state(place->client, CLIENT_OPEN);
        uint16_t part = test_room(place->client) < len ? test_room(place->client) : len;
        test_receive(place->client, octets, part);
        octets += part;
        len = (uint16_t)(len - part);
    }
}

static void say_packet(const struct place *place, const uint8_t *octets, uint16_t len)
{
    uint8_t packet[PACKET_HEADER + SAID_MAX] = {(uint8_t)len, (uint8_t)(len >> 8)};
    uint8_t *sequence = &next_sequence[place - places];
    if (place->client != 0 && client_available(place->client) == 0)
        *sequence = place->sequence;
    packet[3] = (*sequence)++;
    memcpy(packet + PACKET_HEADER, octets, len);
    say(place, packet, (uint16_t)(PACKET_HEADER + len));
}

static void greet(const struct place *place, uint8_t kind)
{
    uint8_t greeting[] = "\x0a"
                         "5.5.5-test\0\7\0\0\0"
                         "abcdefgh\0"
                         "\xff\xf7\x2d\2\0\x0f\0\x15\0\0\0\0\0\0\0\0\0\0"
                         "ijklmnopqrst\0"
                         "mysql_native_password";
    if (kind & 1) {
        greeting[25] = 0xfe;    // MariaDB's, which agrees to leave out repeated definitions
        greeting[31] = 1;
        greeting[39] = CAN_REMEMBER;
    }
    say_packet(place, greeting, sizeof greeting);
}

static void say_prepared(const struct place *place, uint8_t column_cnt, uint8_t argument_cnt)
{
    say_packet(place, (const uint8_t[]){0, 1, 0, 0, 0, column_cnt, 0, argument_cnt, 0, 0, 0, 0}, 12);
}

static void say_column(const struct place *place, uint8_t type, uint8_t flags)
{
    say_packet(
        place,
        (const uint8_t[]){3, 'd', 'e', 'f', 0, 0, 0, 1, 'c', 0, 12, 45, 0, 100, 0, 0, 0, type, flags, 0, 0, 0, 0}, 23);
}

static void say_end(const struct place *place)
{
    say_packet(place, (const uint8_t[]){0xfe, 0, 0, 2, 0}, 5);
}

static void agree(const struct place *place)
{
    say_packet(place, (const uint8_t[]){0, 0, 0, 2, 0, 0, 0}, 7);
}

// ------------------------------------------------------------------------------------------------ the script

struct script {
    const uint8_t *octets;
    size_t left;
};

static uint8_t octet(struct script *script)
{
    if (script->left == 0)
        return 0;
    script->left--;
    return *script->octets++;
}

static void text(struct script *script, const struct place *place, bool is_packet)
{
    uint16_t len = octet(script);
    if (len == UINT8_MAX)
        len = (uint16_t)(len + 2 * octet(script));
    if (len > script->left)
        len = (uint16_t)script->left;
    (is_packet ? say_packet : say)(place, script->octets, len);
    script->octets += len;
    script->left -= len;
}

static void wait(uint32_t ms)
{
    now_ms += ms;
    test_time(now_ms);
}

// The first octet is the operation, and by its upper half which connection or handler it is about.
static void step(struct script *script)
{
    uint8_t first = octet(script), which = first >> 4;
    const struct place *place = &places[which % WHIT_DATABASE_CONNECTIONS];
    struct asker *asker = &askers[which % ASKERS];
    uint8_t operand;
    switch ((first & 15) % OPERATION_CNT) {
    case PACKET:
        text(script, place, true);
        break;
    case OCTETS:
        text(script, place, false);
        break;
    case GREET:
        greet(place, octet(script));
        break;
    case AGREE:
        agree(place);
        break;
    case PREPARED:
        operand = octet(script);
        say_prepared(place, operand & 15, operand >> 4);
        break;
    case COLUMN:
        operand = octet(script);
        say_column(place, operand, octet(script));
        break;
    case WAIT:
        wait(16u * octet(script));
        break;
    case CLIENT:
        if (place->client != 0)
            test_state(place->client, CLIENT_OPENING + octet(script) % (CLIENT_FAILED - CLIENT_OPENING + 1));
        break;
    case ASK:
        operand = octet(script);
        begin(asker, operand & 15, operand >> 4);
        break;
    case NEXT:
        if (asker->does == AT_ROW)
            asker->does = GOES_ON;
        break;
    case LEAVE:
        query_end(&asker->query);
        asker->does = IDLE;
        break;
    case DEAF:
        is_deaf = !is_deaf;
        break;
    case LEND:
        test_lends(which & 1);
        for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS; i++)
            test_over(places[i].client);
        break;
    }
    go_on_all();
}

// ------------------------------------------------------------------------------------------------ afterwards

static void answer_honestly(const struct place *place)
{
    if (place->client != 0 && client_state(place->client) == CLIENT_OPENING)
        test_state(place->client, CLIENT_OPEN);
    if (place->client == 0 || client_state(place->client) != CLIENT_OPEN || client_available(place->client) != 0 ||
        place->in_packet)
        return;
    switch (place->step) {
    case STEP_GREETING:
        greet(place, 0);
        break;
    case STEP_LOGIN_ANSWER:
        agree(place);
        break;
    case STEP_PREPARE_ANSWER:
        say_prepared(place, 1, 0);
        say_column(place, 3, 0);
        say_end(place);
        break;
    case STEP_EXECUTE_ANSWER:
        say_packet(place, (const uint8_t[]){1, 1}, place_is_terse(place) ? 2 : 1);
        say_column(place, 3, 0);
        if (place_is_terse(place)) {
            say_packet(place, (const uint8_t[]){0, 0, 42, 0, 0, 0}, 6);
            say_packet(place, (const uint8_t[]){0xfe, 0, 0, 2, 0, 0, 0}, 7);
        } else {
            say_end(place);
            say_packet(place, (const uint8_t[]){0, 0, 42, 0, 0, 0}, 6);
            say_end(place);
        }
        break;
    default:
        break;
    }
}

// A handler that asks again whenever it failed gets its row.
static void serve_honestly(void)
{
    struct query_value value;
    struct asker *asker = &askers[0];
    for (uint8_t i = 0; i < ASKERS; i++) {
        query_end(&askers[i].query);
        askers[i].does = IDLE;
    }
    is_deaf = false;
    wait(3000);
    for (uint16_t turn = 0; asker->does != AT_ROW; turn++) {
        CHECK(turn < HONEST_TURNS);
        if (asker->does == IDLE)
            begin(asker, WHIT_STATEMENT_FEW, 0);
        go_on_all();
        for (uint8_t i = 0; i < WHIT_DATABASE_CONNECTIONS && asker->does != AT_ROW; i++)
            answer_honestly(&places[i]);
        wait(HONEST_STEP_MS);
    }
    CHECK(query_column(&asker->query, 0, &value) && value.type == QUERY_INT && value.integer == 42);
}

static void start(void)
{
    memset(places, 0, sizeof places);
    memset(kept_answers, 0, sizeof kept_answers);
    memset(terse, 0, sizeof terse);
    memset(askers, 0, sizeof askers);
    memset(whit_database_events, 0, sizeof whit_database_events);
    pause_ms = refusal = 0;
    pause_from_ms = 0;
    is_deaf = false;
    test_lends(false);
    for (whit_client client = 1; client <= 16; client++)
        client_close(client);
    now_ms = 0xffffff00u;    // the clock begins anew soon
    test_time(now_ms);
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
    struct script script = {octets, len};
    start();
    while (script.left != 0)
        step(&script);
    serve_honestly();
    return 0;
}
