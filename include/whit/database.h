// SPDX-License-Identifier: MIT
// Queries to a database. Statements are constant: WHIT_STATEMENT_* is an index into whit_statements[], which the
// application compiler writes. Each connection prepares a statement once; its arguments have types. [database] in
// app.toml sets the number of kept connections. A query waits for a free connection.
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
    QUERY_WAITS,     // call the same function again later
    QUERY_ROW,       // query_column() reads the row, until the next query_next()
    QUERY_END,       // no more rows, or an INSERT or UPDATE is done
    QUERY_FAILED,    // No database, or not in time; an error of the server; or a row longer than [database] row.
};

enum query_type {
    QUERY_NULL,
    QUERY_INT,
    QUERY_UINT,
    QUERY_REAL,
    QUERY_TEXT /* UTF-8 or binary; also dates and decimals */
};

#define QUERY_ANY_DIGITS 31    // as many digits after the point as the number has

struct query_value {
    enum query_type type;
    uint16_t len;       // bytes of QUERY_TEXT
    uint8_t width;      // ZEROFILL numbers and YEAR: least number of characters, filled with zeros
    uint8_t digits;     // QUERY_REAL: digits after the point of the column, or QUERY_ANY_DIGITS
    bool is_single;     // QUERY_REAL: a FLOAT, which the server shows with six digits
    bool is_decimal;    // QUERY_TEXT: a DECIMAL
    union {
        int64_t integer;    // QUERY_INT
        uint64_t unsigned_integer;
        double real;
        const char *text;    // QUERY_TEXT: no NUL at the end; valid until the next query_next() of this query
    };
};

// State of a query, at most 8 bytes. It is part of the handler's struct state_t, and zero at the beginning.
struct whit_query {
    uint8_t place;    // connection of the pool, 1..; 0: no connection
    uint8_t step;
    uint16_t ticket;      // detects that the connection was assigned to another query
    uint32_t since_ms;    // begin of the wait
};

// Sends a statement. arguments: values in the order of the statement's ?; keep them valid while it returns QUERY_WAITS.
// Call it with the same arguments until it returns QUERY_ROW, QUERY_END or QUERY_FAILED. QUERY_END and QUERY_FAILED
// release the connection.
WHIT_PUBLIC enum query_status query_begin(struct whit_query *query, uint16_t statement,
                                          const struct query_value *arguments, uint8_t argument_cnt);
// Like query_begin(), but accepts a stored answer to the same statement with the same arguments. seconds: greatest age
// of the answer, 1..86400. [database] kept sets the number of stored answers; with 0 none is stored. Each change by the
// application discards all stored answers.
WHIT_PUBLIC enum query_status query_begin_kept(struct whit_query *query, uint16_t statement,
                                               const struct query_value *arguments, uint8_t argument_cnt,
                                               uint32_t seconds);
WHIT_PUBLIC enum query_status query_next(struct whit_query *query);    // Reads the next row.
// Reads a column of the current row. False: no such column.
WHIT_PUBLIC bool query_column(const struct whit_query *query, uint8_t column, struct query_value *to);
// After QUERY_END of an INSERT: returns its AUTO_INCREMENT; 0 if it is above 2^56.
WHIT_PUBLIC uint64_t query_inserted(const struct whit_query *query);
// After QUERY_FAILED: returns the server's error number, or one of the values below.
WHIT_PUBLIC uint16_t query_error(const struct whit_query *query);
// Ends the query before its last row.
WHIT_PUBLIC void query_end(struct whit_query *query);

enum {
    QUERY_NO_ANSWER = 0 /* no connection, or no answer in time */,
    QUERY_BROKEN = 65535 /* invalid answer: see whit_database_events */
};

// Events since the start. A count stops at 65535.
enum database_event {
    DATABASE_CONNECTED,
    DATABASE_QUERIES,     // queries that ended
    DATABASE_WARNINGS,    // warnings of these queries
    DATABASE_ERRORS,      // errors from the server
    DATABASE_REFUSED,     // refused logins
    DATABASE_LOST,        // lost connections
    DATABASE_TIMEOUT,
    DATABASE_NO_PLACE,      // queries that found no free connection in time
    DATABASE_BACKED_OFF,    // queries that failed at once, because the database was unreachable a moment before
    DATABASE_ABANDONED,     // connections taken from a query that was not continued
    // The events below drop the connection: the server is hostile, broken or unsupported.
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
    DATABASE_TYPES,    // a page computes with a column that is not a number, has a fraction, or more than 64 bits
    DATABASE_EVENT_CNT,
};
extern WHIT_PUBLIC uint16_t whit_database_events[DATABASE_EVENT_CNT];
WHIT_PUBLIC const char *database_event_name(enum database_event event);

#ifdef __cplusplus
}
#endif

#endif
