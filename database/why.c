// SPDX-License-Identifier: MIT
// Reasons for which a query failed, as text for the request log, with the relevant setting. Texts of the server are not
// shown: they may contain secrets. '#' is replaced by the number: the server's error, or a bound. Images without the
// log have none of this.
#include "place.h"
#include "whit/port.h"

#define TEXT_MAX 88

static const struct {
    uint16_t error;
    char text[TEXT_MAX];
} of_errors[] WHIT_FLASH = {
    {1021, "the server's disk is full (error #)"},
    {1040, "the server has too many connections (error #; its max_connections)"},
    {1044, "the user may not use this database (error #; database.user, GRANT)"},
    {1045, "the login was refused (error #; database.user, database.password)"},
    {1048, "a NULL for a column that takes none (error #)"},
    {1049, "there is no such database (error #; database.database)"},
    {1054, "there is no such column (error #)"},
    {1062, "there is such a key already (error #)"},
    {1064, "the statement is no SQL (error #)"},
    {1114, "the table is full (error #)"},
    {1142, "the user may not do this with the table (error #; database.user, GRANT)"},
    {1143, "the user may not do this with the column (error #; database.user, GRANT)"},
    {1146, "there is no such table (error #)"},
    {1203, "the user has too many connections (error #; max_user_connections)"},
    {1205, "another one held a lock for too long (error #; the server's innodb_lock_wait_timeout)"},
    {1213, "a deadlock, and this statement gave way (error #)"},
    {1264, "a number out of the column's range (error #)"},
    {1265, "a value that the column cannot hold whole (error #)"},
    {1290, "the server may only be read (error #; its read_only)"},
    {1292, "a value that is none of the column's type (error #)"},
    {1305, "there is no such function (error #)"},
    {1317, "the statement was ended (error #)"},
    {1364, "a column without a value and without a default (error #)"},
    {1366, "a value that is none of the column's type (error #)"},
    {1370, "the user may not call this function (error #; database.user, GRANT EXECUTE)"},
    {1406, "a text that is too long for its column (error #)"},
    {1449, "a view or trigger of a user who is not there (error #; its DEFINER)"},
    {1451, "other rows refer to this one (error #, a foreign key)"},
    {1452, "it refers to a row that is not there (error #, a foreign key)"},
    {1690, "a number out of range (error #)"},
    {1969, "it took the server too long (error #; its max_statement_time)"},
    {3024, "it took the server too long (error #; its max_execution_time)"},
    {4025, "a CHECK of the table refuses it (error #)"},
};
static const char other_error[] WHIT_FLASH = "error # of the server";

// Texts in the order of enum database_event; events that are only counted have none.
static const struct {
    uint32_t number;
    char text[TEXT_MAX];
} of_events[DATABASE_EVENT_CNT] WHIT_FLASH = {
    [DATABASE_REFUSED] = {0, "the login was refused (database.user, database.password)"},
    [DATABASE_LOST] = {0, "the connection was refused or lost (database.address, database.port)"},
    [DATABASE_TIMEOUT] = {WHIT_DATABASE_TIMEOUT_MS, "no answer in # ms (database.timeout_ms)"},
    [DATABASE_NO_PLACE] = {WHIT_DATABASE_TIMEOUT_MS,
                           "no connection was free in # ms (database.timeout_ms, database.connections)"},
    [DATABASE_BACKED_OFF] = {0, "not asked, it was gone a moment ago (database.address, database.port)"},
    [DATABASE_ABANDONED] = {WHIT_DATABASE_TIMEOUT_MS,
                            "its client read nothing for # ms, and another query waited (database.timeout_ms)"},
    [DATABASE_SEQUENCE] = {0, "a packet out of sequence"},
    [DATABASE_LONG] = {WHIT_DATABASE_ROW, "a row longer than # octets (database.row)"},
    [DATABASE_MALFORMED] = {0, "a malformed packet"},
    [DATABASE_UNEXPECTED] = {0, "a packet that was not expected"},
    [DATABASE_LOCAL_INFILE] = {0, "the server wants a file of the client's"},
    [DATABASE_VERSION] = {0, "a server that speaks another protocol"},
    [DATABASE_METHOD] = {0, "the server wants another way to log in (database.login)"},
    [DATABASE_SWITCH] = {0, "the server changed the way to log in twice"},
    [DATABASE_NEEDS_TLS] = {0,
                            "the server wants the password itself: log in once by another client (docs/database.md)"},
    [DATABASE_PARAMETERS] = {0, "a statement with another count of arguments"},
    [DATABASE_COLUMNS] = {0, "a column of an unknown type, or too many columns (database.row)"},
    [DATABASE_ROWS] = {WHIT_DATABASE_ROWS, "more than # rows (database.rows, or LIMIT)"},
    [DATABASE_TYPES] = {0, "a column of another type than the page computes with: SQL computes, or CAST"},
};

// error: the server's number, or one of whit/database.h; then `event` is the reason.
void database_why(uint16_t error, enum database_event event)
{
    const char *text = other_error;
    uint32_t number = error;
    for (uint8_t i = 0; i < sizeof of_errors / sizeof of_errors[0]; i++)
        if (whit_flash_u16(&of_errors[i].error) == error)
            text = of_errors[i].text;
    if (error == QUERY_NO_ANSWER || error == QUERY_BROKEN) {
        text = of_events[event].text;
        number = whit_flash_u32(&of_events[event].number);
    }
    if (WHIT_HAS_LOG)
        log_unavailable(text, number);
}
