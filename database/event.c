// SPDX-License-Identifier: MIT
// Counts and names of events.
#include "place.h"

uint16_t whit_database_events[DATABASE_EVENT_CNT];

static const char *const event_names[] = {
    [DATABASE_CONNECTED] = "logged in",
    [DATABASE_QUERIES] = "queries that ended",
    [DATABASE_WARNINGS] = "... with warnings",
    [DATABASE_ERRORS] = "errors of the server",
    [DATABASE_REFUSED] = "login refused",
    [DATABASE_LOST] = "connection lost",
    [DATABASE_TIMEOUT] = "no answer in time",
    [DATABASE_NO_PLACE] = "no connection was free in time",
    [DATABASE_BACKED_OFF] = "not asked: the database was gone a moment ago",
    [DATABASE_ABANDONED] = "connection taken from a query that nobody asked on",
    [DATABASE_SEQUENCE] = "wrong sequence number",
    [DATABASE_LONG] = "packet longer than may come, or than [database] row",
    [DATABASE_MALFORMED] = "lengths that do not fit their packet",
    [DATABASE_UNEXPECTED] = "packet that nobody asked for",
    [DATABASE_LOCAL_INFILE] = "the server wants a local file",
    [DATABASE_VERSION] = "no protocol of version 10 with what we need",
    [DATABASE_METHOD] = "way to log in that is unknown or not allowed",
    [DATABASE_SWITCH] = "way to log in changed twice, or with a wrong nonce",
    [DATABASE_NEEDS_TLS] = "caching_sha2_password wants the password itself",
    [DATABASE_PARAMETERS] = "statement with another count of arguments",
    [DATABASE_COLUMNS] = "column of an unknown type, or too many columns",
    [DATABASE_ROWS] = "more rows than [database] rows",
    [DATABASE_TYPES] = "a column of another type than the page computes with",
};
_Static_assert(sizeof event_names / sizeof event_names[0] == DATABASE_EVENT_CNT, "every event has its name here");

const char *database_event_name(enum database_event event)
{
    return event < DATABASE_EVENT_CNT ? event_names[event] : "";
}

void database_count(enum database_event event)
{
    if (whit_database_events[event] != UINT16_MAX)
        whit_database_events[event]++;
}
