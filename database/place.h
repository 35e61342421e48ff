// SPDX-License-Identifier: MIT
// A place of the pool: one kept connection to the database, and its current step.
#ifndef DATABASE_PLACE_H
#define DATABASE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/client.h"
#include "whit/config.h"
#include "whit/database.h"
#include "whit_database.h"

#define NONCE_MAX 32
#define COLUMNS_MAX UINT8_MAX
#define RESPONSE_MAX 64    // octets of the longest answer to a nonce

enum step {
    STEP_CLOSED,
    STEP_OPENING,     // TCP
    STEP_GREETING,    // the server speaks first
    STEP_LOGIN,       // we answer, or answer a change of the method
    STEP_SWITCHED,
    STEP_LOGIN_ANSWER,
    STEP_READY,      // logged in; not in use
    STEP_PREPARE,    // a statement's text goes out
    STEP_PREPARE_ANSWER,
    STEP_PREPARE_REST,    // definitions of parameters and columns, each list with its end
    STEP_EXECUTE,         // its number and arguments go out
    STEP_EXECUTE_ANSWER,
    STEP_COLUMNS,    // definitions of columns
    STEP_COLUMNS_END,
    STEP_ROWS,    // waits for a row, or the end of them
    STEP_ROW,     // one is at hand
};

// Result of a step.
enum progress {
    WAITS,    // for the peer, or for room to send
    DONE,
    BROKEN,    // the connection was dropped, the event counted
    ERROR,     // the server refused, and its reason: place->error
    ROW,
    END,
};

enum method { METHOD_NATIVE, METHOD_SHA2, METHOD_ED25519, METHOD_CNT };

struct place {
    whit_client client;
    uint8_t step;
    uint8_t sequence;    // number of the next packet, in either direction
    uint8_t method;      // by which we log in
    uint8_t response_len;
    uint8_t statement;          // current statement
    bool is_owned;              // by the query with this ticket
    bool is_lent;               // ... to a request; the engine knows the end of the request
    bool in_packet;             // its header was read
    bool had_switch;            // the server changed the method once
    uint8_t definition_ends;    // lists of definitions to come, in STEP_PREPARE_REST
    uint8_t column_cnt;         // columns of the row; the first octets of `row` are their kinds
    uint16_t definition_cnt;    // definitions to come of this list
    uint16_t rest_cnt;          // ... and of the next one
    uint16_t ticket;
    uint16_t error;    // the server's number
    uint16_t len;      // octets of the current packet
    uint32_t left;     // octets of it that are still to come
    uint32_t sent;     // octets of the packet that goes out which client_send() took
    // begin of its opening, its query, the wait for a row, or for the remaining rows after query_end()
    uint32_t since_ms;
    uint32_t seen_ms;    // last use or check
    uint32_t row_cnt;
    uint64_t inserted;
    uint32_t ids[WHIT_STATEMENT_CNT ? WHIT_STATEMENT_CNT : 1];    // numbers of prepared statements; 0: not prepared
    uint8_t row[WHIT_DATABASE_ROW];    // packets, and then kinds of columns, row, texts of its dates
};

// Data that the application compiler writes.
struct whit_statement {
    const char *sql;
    uint16_t len;
    uint8_t argument_cnt;
    const char *needs;    // a character for each column, up to the last one that a page computes with: enum need
};
enum need { NEED_ANY = '-', NEED_NUMBER = 'n', NEED_INT = 'i' /* a signed integer of 64 bits */, NEED_TEXT = 't' };
struct whit_login {
    const char *user, *database, *password;
    uint16_t password_len;
    uint8_t methods;    // permitted methods: 1 << enum method
};
enum { QUERY_NEW, QUERY_QUEUED, QUERY_ASKED, QUERY_ENDED, QUERY_KEPT };    // struct whit_query, step
extern const struct whit_statement whit_statements[];
extern const struct whit_login whit_login;

extern struct place places[WHIT_DATABASE_CONNECTIONS];

// event.c
void database_count(enum database_event event);

// Sets the reason of PT_UNAVAILABLE, for the request log (why.c).
void database_why(uint16_t error, enum database_event event);
WHIT_PUBLIC void log_unavailable(const char *flash, uint32_t number);    // engine/response/log.c

// place.c
static inline uint8_t place_number(const struct place *place)
{
    return (uint8_t)(place - places + 1);
}
bool place_is_connecting(const struct place *place);
bool place_is_late(const struct place *place);    // it waits for longer than a query may take
void place_close(struct place *place, bool in_order);
enum progress place_break(struct place *place, enum database_event why);
enum database_event place_broken(void);    // reason for which the last one broke
bool places_pause(uint32_t now_ms);        // a login failed: none again before a pause
void places_trusted(void);                 // one logged in
// nothing is open, and it is too early to try again; *error: why
bool places_hopeless(uint32_t now_ms, uint16_t *error);

// packet.c
#define PACKET_HEADER 4
enum progress packet_in(struct place *place, uint16_t from);
enum progress packet_tail_in(struct place *place, uint8_t *to, uint8_t len);
struct writer {
    struct place *place;    // NULL: octets are counted only
    uint32_t at;
    uint8_t *to;    // with WHIT_DATABASE_FAST: where octets [0, room) go
    uint16_t room;
};
void put(struct writer *writer, const void *octets, uint32_t len);
void put_uint(struct writer *writer, uint64_t number, uint8_t len);

// handshake.c
enum progress greeting_in(struct place *place);
enum progress login_answer_in(struct place *place);
void write_login(struct writer *writer, const struct place *place);
void write_switched(struct writer *writer, const struct place *place);

// login_*.c: an answer to a nonce; its octets
uint8_t login_native(uint8_t *to, const uint8_t *nonce);
uint8_t login_sha2(uint8_t *to, const uint8_t *nonce);
uint8_t login_ed25519(uint8_t *to, const uint8_t *nonce);

// terse.c: for fast machines. A server that supports it (MariaDB since 10.6) sends the columns once for a statement,
// and lists of definitions without an end packet.
bool terse_agreed(const struct place *place);
static inline bool place_is_terse(const struct place *place)
{
    return WHIT_DATABASE_FAST && terse_agreed(place);
}
void terse_agree(const struct place *place, bool is_terse);
// Returns memory for the kinds of `cnt` columns of the place's statement.
uint8_t *terse_kinds(const struct place *place, uint8_t cnt);
// Copies the stored kinds to the row, if they are right for place->column_cnt columns. False: they are not.
bool terse_same(struct place *place);

// prepare.c
enum progress prepare_answer_in(struct place *place);
enum progress prepare_rest_in(struct place *place);
void write_prepare(struct writer *writer, const struct place *place);

// execute.c
enum progress execute_answer_in(struct place *place);
void write_execute(struct writer *writer, const struct place *place, const struct query_value *arguments);

// rows.c
#define DEFINITION_END 13    // octets: 12, character set, length, type, flags, decimals, 0
enum progress column_in(struct place *place);
enum progress columns_end_in(struct place *place);
enum progress row_in(struct place *place);

// A row, and the kinds of its columns. Behind its octets there is room for the texts of its dates.
struct row {
    const uint8_t *kinds;
    const uint8_t *octets;
    uint16_t len;
    uint8_t column_cnt;
};

#define KIND_LEN 2    // octets of `kinds` for each column
static inline uint16_t row_offset(const struct place *place)
{
    return (uint16_t)(KIND_LEN * place->column_cnt);
}

static inline struct row row_of(const struct place *place)
{
    return (struct row){place->row, place->row + row_offset(place), place->len, place->column_cnt};
}

// column.c
bool definition_kind(const uint8_t *end, uint8_t *to);
bool row_holds(struct place *place);
// checks a row that row_holds() has checked. False: it was dropped
bool row_serves(struct place *place, const char *needs);
uint16_t row_dates_len(const struct row *row);    // octets for the dates of a row that row_holds() has checked
bool column_of(const struct row *row, uint8_t column, struct query_value *to);

// answer.c
#define MORE_RESULTS 0x0008    // bit of the status
bool is_error(const struct place *place, uint16_t from);
enum progress error_in(struct place *place, uint16_t from);
bool is_end(const struct place *place, uint16_t from);
bool end_in(struct place *place, uint16_t from);

// pool.c
struct place *pool_take(uint32_t now_ms);
void place_release(struct place *place);

// run.c
enum progress place_run(struct place *place, const struct query_value *arguments);

#endif
