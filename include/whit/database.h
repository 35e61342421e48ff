// SPDX-License-Identifier: MIT
// Queries to a database. Statements are known when the application is compiled (WHIT_STATEMENT_*, an index into
// whit_statements[], which the application compiler writes); each is prepared once on a connection, its arguments are
// typed. A bounded pool of kept connections ([database] in app.toml) serves them; a query waits for a free one.
#ifndef WHIT_DATABASE_H
#define WHIT_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "whit/public.h"
#include "whit_statements.h"

#ifdef __cplusplus
extern "C" {
#endif

enum query_status {
    QUERY_WAITS,     // call again later
    QUERY_ROW,       // a row is at hand: query_column() tells of it, until query_next() is called again
    QUERY_END,       // no more rows; an INSERT's or UPDATE's end
    QUERY_FAILED,    // no database, in time; the server's error; more octets in a row than [database] row says
};

enum query_type {
    QUERY_NULL,
    QUERY_INT,
    QUERY_UINT,
    QUERY_REAL,
    QUERY_TEXT /* UTF-8 or octets; dates and decimals as text, too */
};

#define QUERY_ANY_DIGITS 31    // behind the point: as many as the number has

struct query_value {
    enum query_type type;
    uint16_t len;       // QUERY_TEXT
    uint8_t width;      // of a number with ZEROFILL, and of a YEAR: zeros before it up to so many characters
    uint8_t digits;     // QUERY_REAL: of its column behind the point, or QUERY_ANY_DIGITS
    bool is_single;     // QUERY_REAL: a FLOAT, of which the server shows six digits
    bool is_decimal;    // QUERY_TEXT: a DECIMAL
    union {
        int64_t integer;    // QUERY_INT
        uint64_t unsigned_integer;
        double real;
        const char *text;    // QUERY_TEXT; not ended by NUL; valid until the next query_next() of this query
    };
};

// Lives in struct state_t of the handler that asks; all zero at first. 8 octets at most.
struct whit_query {
    uint8_t place;    // of the pool, 1..; 0: none yet, or none any more
    uint8_t step;
    uint16_t ticket;      // so that a query whose place was given to another is told so
    uint32_t since_ms;    // when it began to wait
};

// Asks. arguments: values in order of the statement's ?; valid until it no longer says QUERY_WAITS. Call it with the
// same arguments until it says QUERY_ROW, QUERY_END or QUERY_FAILED. It gives the connection back at QUERY_END and
// QUERY_FAILED.
WHIT_PUBLIC enum query_status query_begin(struct whit_query *query, uint16_t statement,
                                          const struct query_value *arguments, uint8_t argument_cnt);
// As query_begin(); but an answer that another query got at most so many seconds ago (1..86400), to this statement with
// the same arguments, serves too. [database] kept says how many answers are kept; which is none where it is 0. A change
// that the application makes itself ends all of them.
WHIT_PUBLIC enum query_status query_begin_kept(struct whit_query *query, uint16_t statement,
                                               const struct query_value *arguments, uint8_t argument_cnt,
                                               uint32_t seconds);
WHIT_PUBLIC enum query_status query_next(struct whit_query *query);    // the next row
// of the row at hand; false: there is no such column
WHIT_PUBLIC bool query_column(const struct whit_query *query, uint8_t column, struct query_value *to);
// after QUERY_END of an INSERT: its AUTO_INCREMENT, 0 above 2^56
WHIT_PUBLIC uint64_t query_inserted(const struct whit_query *query);
// after QUERY_FAILED: the server's error number, or one of these
WHIT_PUBLIC uint16_t query_error(const struct whit_query *query);
// the asker goes away before the last row
WHIT_PUBLIC void query_end(struct whit_query *query);

enum {
    QUERY_NO_ANSWER = 0 /* no connection, or no answer in time */,
    QUERY_BROKEN = 65535 /* what came was no answer: the events tell */
};

// What happened since the start. The count stops at 65535.
enum database_event {
    DATABASE_CONNECTED,
    DATABASE_QUERIES,     // that ended
    DATABASE_WARNINGS,    // of these
    DATABASE_ERRORS,      // that the server told
    DATABASE_REFUSED,     // logins
    DATABASE_LOST,        // connections
    DATABASE_TIMEOUT,
    DATABASE_NO_PLACE,      // queries that waited in vain
    DATABASE_BACKED_OFF,    // queries that failed at once, because the database was gone a moment ago
    DATABASE_ABANDONED,     // connections taken from a query on which nobody asked any more
    // from here on: what no honest server does, or what does not fit. The connection was dropped
    DATABASE_SEQUENCE,
    DATABASE_LONG,
    DATABASE_MALFORMED,
    DATABASE_UNEXPECTED,
    DATABASE_LOCAL_INFILE,
    DATABASE_VERSION,
    DATABASE_METHOD,
    DATABASE_SWITCH,
    DATABASE_NEEDS_TLS,
    DATABASE_PARAMETERS,
    DATABASE_COLUMNS,
    DATABASE_ROWS,
    DATABASE_TYPES,    // a page computes with a column that is no number, has a fraction, or more than 64 bits
    DATABASE_EVENT_CNT,
};
extern WHIT_PUBLIC uint16_t whit_database_events[DATABASE_EVENT_CNT];
WHIT_PUBLIC const char *database_event_name(enum database_event event);

#ifdef __cplusplus
}
#endif

#endif
