// Written by the application compiler from app.toml and the application's files; do not edit.
// Every limit of this build is on this page.
#ifndef WHIT_LIMITS_H
#define WHIT_LIMITS_H

#define WHIT_CONNECTIONS 4    // slots: requests being received or responses in flight, 1..10000
#define WHIT_IDLE 16    // tags: idle kept-alive connections, 0..100000; 0: each response closes its connection
#define WHIT_BUFFER 2048    // octets of the shared buffer, 0..32768
#define WHIT_CHUNK 64    // octets of a checksum chunk: 4, 8, 16, 32, 64, 128
#define WHIT_COUNTER_BITS 16    // of each counter of whit/engine.h, 8 or 16: it stops at its largest number; 0: there are none
#define WHIT_TARGET_MAX 1024    // octets of a request target, 16..16384
#define WHIT_FIELDS_MAX 8192    // octets of all field lines of a request, 256..65535
#define WHIT_RCV_WND 1024    // octets of the receive window, 536..65535
#define WHIT_REQUEST_TIMEOUT_S 15    // from a request's first octet to its last, 1..60
#define WHIT_IDLE_TIMEOUT_S 120    // an idle connection is kept for this long, 5..200
#define WHIT_KEEP_ALIVE 120    // ... of which a response tells so many seconds; 0: it tells nothing
#define WHIT_KEEP_ALIVE_LINES "Connection: keep-alive\r\nKeep-Alive: timeout=120\r\n"
#define WHIT_KEEP_ALIVE_SUM 0x4f10
#define WHIT_TCP_PORT 80
#define WHIT_LINK_LOCAL 0    // 1: point to point, start with the peer's whole window
#define WHIT_PERSISTENT_SIZE 16    // octets of persistent memory, 0..32768
#define WHIT_BODY_MAX 65536    // octets of a request's body, 1..16777216
#define WHIT_CONTENT_MAX 63488    // octets of a content that is generated from its beginning for each segment
#define WHIT_POSITION_BITS 16    // of a position in a response, 16 or 24
#define WHIT_TIMERS 0    // calls of set_timer() that find a place, 0..32
#define WHIT_PIPELINING 1    // 1: octets after a request wait in a shared buffer of 256 octets or more
#define WHIT_CLIENTS 0    // connections that the server opens itself, 0..64
#define WHIT_CLIENT_SEND 512    // octets of each that are kept until they are acknowledged, 64..32768
#define WHIT_CLIENT_RECEIVE 1460    // ... and until they are read, 128..32768
#define WHIT_SACK 1    // 1: selective acknowledgments are read
#define WHIT_PING 1    // 1: ICMP echo is answered

#define WHIT_TLS 0    // 1: HTTPS beside HTTP

// What the port of a device takes from app.toml; others ask their operator.
#define WHIT_BOARD_ADDRESS 10, 7, 0, 2    // octets, in wire order
#define WHIT_BOARD_GATEWAY 10, 7, 0, 1    // 0.0.0.0: none
#define WHIT_BOARD_PREFIX 24    // bits
#define WHIT_BOARD_MAC 2, 87, 10, 7, 0, 2
#define WHIT_BOARD_BAUD 115200    // bits each second of a serial line
#define WHIT_BOARD_SERIAL 0    // 1: that line is the link
#define WHIT_AVR_CLOCK_HZ 16000000

// What the application uses.
#define WHIT_HAS_GENERATORS 1    // something is generated
#define WHIT_HAS_ARGUMENTS 1    // a generator has arguments, in a target or a form
#define WHIT_HAS_TAIL 0    // ... at the end of its path
#define WHIT_HAS_ENUM 1    // ... of the type enum
#define WHIT_HAS_BOOL 1    // ... of the type bool
#define WHIT_HAS_SIGNED 1    // ... of a type with negative numbers
#define WHIT_HAS_WIDE 1    // ... that is a number above 255
#define WHIT_HAS_UTF8 0    // ... that is a text, which is UTF-8
#define WHIT_HAS_OCTETS 0    // ... or any octets
#define WHIT_HAS_FALLBACKS 1    // ... with a default that is not 0
#define WHIT_HAS_STORED 0    // a content is written at run time
#define WHIT_HAS_ETAGS 1    // a content has an entity tag
#define WHIT_HAS_ERROR_FILES 0    // an error has a file of the application as its body
#define WHIT_HAS_VARIANTS 1    // a file has coded variants
#define WHIT_HAS_PERSISTENT 1    // what runs once a request: a doGet, or a body's handlers
#define WHIT_HAS_VOLATILE 0    // a doGet is volatile
#define WHIT_HAS_IDEMPOTENT 1    // a doGet is idempotent
#define WHIT_HAS_PLAIN 1    // a doGet writes all and returns
#define WHIT_HAS_INDEX 0    // a doGet writes the octets that it is asked for
#define WHIT_HAS_THREADS 1    // a doGet or doPost is a protothread
#define WHIT_HAS_PERSISTENT_THREADS 1    // ... that runs once, or is too dear to run again
#define WHIT_HAS_DEAR_THREADS 1    // ... and idempotent
#define WHIT_HAS_RERUN 1    // a doGet is a volatile or idempotent thread, or writes by index
#define WHIT_HAS_INIT_GET 1    // there is an initGet
#define WHIT_HAS_ANSWER 0    // a handler chooses a status or a field
#define WHIT_HAS_BODY 1    // requests with a body are answered
#define WHIT_HAS_FORM 0    // there is a doPost
#define WHIT_HAS_FORM_THREADS 0    // ... that is a protothread
#define WHIT_HAS_LATER 0    // a response may wait for its content's end
#define WHIT_HAS_JSON 0    // ... that takes JSON as well
#define WHIT_HAS_FORM_PARTS 0    // ... or multipart/form-data
#define WHIT_HAS_JSON_ERRORS 0    // JSON tells which argument is wrong
#define WHIT_HAS_PARTS 1    // there is a doPostIn
#define WHIT_HAS_PART_THREADS 1    // ... that is a protothread
#define WHIT_HAS_DATABASE 0    // a database is asked
#define WHIT_HAS_SERVICES 0    // a function is called, and its result written by the engine
#define WHIT_HAS_FORM_CALLS 0    // ... by forms
#define WHIT_HAS_SOAP 0    // ... by SOAP
#define WHIT_HAS_CHARSETS 0    // ... in ISO-8859-1 and US-ASCII too
#define WHIT_HAS_SOAP_ALONE 0    // ... and nothing else is generated
#define WHIT_HAS_ASKED 0    // a file answers at a path with a query: ?wsdl
#define WHIT_HAS_WORDS 0    // ... that gives words
#define WHIT_HAS_TEXTS 0    // ... with texts
#define WHIT_HAS_SCALE 0    // ... with decimals
#define WHIT_HAS_TIMES 0    // ... with times
#define WHIT_HAS_BASE64 0    // ... with octets in base64
#define WHIT_HAS_TAKES 0    // ... that come by pieces
#define WHIT_HAS_GIVES 0    // ... that leave by pieces
#define WHIT_HAS_DIGEST 0    // ... for callers who prove that they know a password
#define WHIT_HAS_SIGNATURE 0    // ... for callers who sign their messages
#define WHIT_HAS_REPLIES 0    // ... and get replies that are signed
#define WHIT_HAS_NESTED 0    // ... with arrays or records
#define WHIT_HAS_RECORDS 0    // ... that takes arrays or records
#define WHIT_HAS_P256 0    // a caller signs by ECDSA
#define WHIT_HAS_RSA 0    // ... by RSA

// What handlers choose of a response's head.
#define WHIT_ANSWER_STATUSES 0    // different ones
#define WHIT_ANSWER_LEN 0    // octets of the longest status line and field lines

// Where states and words are in whit_words.
#define WHIT_WORDS_START 98
#define WHIT_WORDS_QUERY 152
#define WHIT_WORDS_VERSION 160
#define WHIT_WORDS_LINES 294
#define WHIT_WORDS_FOLDED 220
#define WHIT_WORDS_MEDIA 758
#define WHIT_SOAP_WORDS 0    // ... in whit_targets, where SOAP calls

#endif
