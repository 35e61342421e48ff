// Written by the application compiler; do not edit.
// What the head of a request may be, as a part of a function in engine/http_head_code.c.
switch (t->request.node) {
case 98: goto start;
case 100: goto start;
case 102: goto start_102;
case 111: goto start_111;
case 112: goto start_112;
case 113: goto start_112;
case 118: goto start_118;
case 119: goto start_119;
case 120: goto start_119;
case 121: goto start_119;
case 127: goto start_127;
case 129: goto start_129;
case 130: goto start_130;
case 131: goto start_130;
case 137: goto start_137;
case 138: goto start_138;
case 144: goto other_method;
case 152: goto query;
case 160: goto version;
case 161: goto version_161;
case 162: goto version_161;
case 163: goto version_161;
case 164: goto version_161;
case 165: goto version_165;
case 167: goto version_167;
case 168: goto version_168;
case 180: goto line;
case 188: goto tag_188;
case 190: goto tag_190;
case 192: goto tag_192;
case 194: goto tag_194;
case 196: goto tag_196;
case 198: goto tag_198;
case 200: goto tag_200;
case 202: goto tag_202;
case 204: goto tag_204;
case 207: goto tag_207;
case 212: goto other_tag;
case 220: goto target;
case 224: goto target_224;
case 225: goto target_225;
case 226: goto target_225;
case 227: goto target_225;
case 228: goto target_225;
case 229: goto target_225;
case 232: goto authority;
case 240: goto authority_literal;
case 258: goto authority_closed;
case 264: goto authority_name;
case 274: goto authority_port;
case 278: goto target_begin;
case 286: goto eol;
case 290: goto last_lf;
case 292: goto other_name;
case 300: goto skip;
case 310: goto host;
case 322: goto host_literal;
case 340: goto host_closed;
case 346: goto host_name;
case 356: goto host_port;
case 360: goto blank;
case 368: goto length;
case 376: goto digits;
case 385: goto digits_385;
case 390: goto codings;
case 399: goto codings_399;
case 400: goto codings_400;
case 401: goto codings_400;
case 402: goto codings_400;
case 403: goto codings_400;
case 404: goto codings_400;
case 405: goto codings_405;
case 414: goto chunked;
case 426: goto tokens;
case 432: goto tokens_432;
case 433: goto tokens_433;
case 434: goto tokens_433;
case 435: goto tokens_433;
case 436: goto tokens_436;
case 444: goto tokens_444;
case 445: goto tokens_445;
case 446: goto tokens_445;
case 453: goto tokens_453;
case 454: goto tokens_454;
case 455: goto tokens_454;
case 456: goto tokens_454;
case 457: goto tokens_454;
case 464: goto tokens_464;
case 470: goto tokens_470;
case 471: goto tokens_471;
case 472: goto tokens_471;
case 473: goto tokens_471;
case 474: goto tokens_471;
case 475: goto tokens_471;
case 476: goto tokens_471;
case 477: goto tokens_471;
case 478: goto tokens_471;
case 479: goto tokens_471;
case 480: goto tokens_471;
case 481: goto tokens_481;
case 490: goto other_token;
case 500: goto accepted;
case 516: goto weight;
case 521: goto weight_521;
case 522: goto weight_522;
case 528: goto zero;
case 546: goto tags;
case 560: goto tags_560;
case 568: goto tags_568;
case 572: goto field;
case 582: goto field_582;
case 583: goto field_583;
case 584: goto field_583;
case 585: goto field_583;
case 592: goto field_592;
case 593: goto field_593;
case 594: goto field_594;
case 596: goto field_596;
case 597: goto field_597;
case 598: goto field_597;
case 599: goto field_597;
case 600: goto field_597;
case 601: goto field_597;
case 602: goto field_597;
case 606: goto field_606;
case 607: goto field_607;
case 608: goto field_607;
case 609: goto field_607;
case 610: goto field_610;
case 612: goto field_612;
case 613: goto field_613;
case 614: goto field_613;
case 615: goto field_613;
case 616: goto field_613;
case 617: goto field_613;
case 623: goto field_623;
case 624: goto field_624;
case 625: goto field_624;
case 626: goto field_624;
case 629: goto field_629;
case 633: goto field_633;
case 634: goto field_634;
case 635: goto field_634;
case 636: goto field_634;
case 637: goto field_634;
case 638: goto field_634;
case 639: goto field_634;
case 640: goto field_634;
case 641: goto field_634;
case 642: goto field_634;
case 643: goto field_634;
case 644: goto field_634;
case 645: goto field_634;
case 646: goto field_634;
case 647: goto field_634;
case 648: goto field_634;
case 649: goto field_634;
case 654: goto field_654;
case 655: goto field_655;
case 656: goto field_655;
case 657: goto field_655;
case 658: goto field_655;
case 659: goto field_655;
case 660: goto field_655;
case 661: goto field_655;
case 662: goto field_655;
case 663: goto field_655;
case 664: goto field_655;
case 665: goto field_655;
case 666: goto field_655;
case 667: goto field_655;
case 668: goto field_655;
case 673: goto field_673;
case 674: goto field_674;
case 675: goto field_675;
case 677: goto field_677;
case 678: goto field_678;
case 679: goto field_678;
case 680: goto field_678;
case 681: goto field_678;
case 682: goto field_678;
case 683: goto field_678;
case 684: goto field_678;
case 685: goto field_678;
case 686: goto field_678;
case 692: goto field_692;
case 693: goto field_693;
case 694: goto field_693;
case 695: goto field_693;
case 696: goto field_693;
case 704: goto field_704;
case 705: goto field_705;
case 706: goto field_705;
case 707: goto field_705;
case 708: goto field_705;
case 709: goto field_705;
default: goto refused;
}

refused:
refuse(t, HTTP_400);
goto leave;

start:
    if (at == end)
        STOP(100);
    c = *at++;
    switch (c) {
    case '\r':
        goto start_102;
    case ' ':
        refuse(t, HTTP_400);
        goto leave;
    case 'G':
        goto start_111;
    case 'H':
        goto start_118;
    case 'P':
        goto start_127;
    }
    UNREAD();
    goto other_method;
start_102:    // "\r"
    if (at == end)
        STOP(102);
    c = *at++;
    switch (c) {
    case '\n':
        goto start;
    }
    UNREAD();
    goto other_method;
start_111:    // "G"
    if (end - at >= 3 && same16(at, 0x4554, 0x0000) && same16(at + 1, 0x5420, 0x0000)) {    // "ET "
        at += 3;
    } else {
        t->request.node = 111;
start_112:
        at = compared(t, at, end, "ET " + (t->request.node - 111), false);
        if (t->request.node != 114) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_method;
        }
    }
    goto target;
start_118:    // "H"
    if (end - at >= 4 && same32(at, 0x45414420, 0x00000000)) {    // "EAD "
        at += 4;
    } else {
        t->request.node = 118;
start_119:
        at = compared(t, at, end, "EAD " + (t->request.node - 118), false);
        if (t->request.node != 122) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_method;
        }
    }
    t->request.method = WHIT_HEAD;
    goto target;
start_127:    // "P"
    if (at == end)
        STOP(127);
    c = *at++;
    switch (c) {
    case 'O':
        goto start_129;
    case 'U':
        goto start_137;
    }
    UNREAD();
    goto other_method;
start_129:    // "PO"
    if (end - at >= 3 && same16(at, 0x5354, 0x0000) && same16(at + 1, 0x5420, 0x0000)) {    // "ST "
        at += 3;
    } else {
        t->request.node = 129;
start_130:
        at = compared(t, at, end, "ST " + (t->request.node - 129), false);
        if (t->request.node != 132) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_method;
        }
    }
    t->request.method = WHIT_POST;
    goto target;
start_137:    // "PU"
    if (end - at >= 2 && same16(at, 0x5420, 0x0000)) {    // "T "
        at += 2;
    } else {
        t->request.node = 137;
start_138:
        at = compared(t, at, end, "T " + (t->request.node - 137), false);
        if (t->request.node != 139) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_method;
        }
    }
    t->request.method = WHIT_POST;
    goto target;

other_method:
    if (at == end)
        STOP(144);
    c = *at++;
    switch (c) {
    case ' ':
        refuse(t, HTTP_501);
        goto leave;
    }
    if (of_class(CLASS_TCHAR, c)) {
        at = passed(at, end, CLASS_TCHAR);
        goto other_method;
    }
    UNREAD();
    goto refused;

query:
    if (at == end)
        STOP(152);
    c = *at++;
    switch (c) {
    case ' ':
        goto version;
    }
    if (of_class(CLASS_TARGET, c)) {
        at = passed(at, end, CLASS_TARGET);
        goto query;
    }
    UNREAD();
    goto refused;

version:
    if (end - at >= 5 && same32(at, 0x48545450, 0x00000000) && same16(at + 3, 0x502f, 0x0000)) {    // "HTTP/"
        at += 5;
    } else {
        t->request.node = 160;
version_161:
        at = compared(t, at, end, "HTTP/" + (t->request.node - 160), false);
        if (t->request.node != 165) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto refused;
        }
    }
    goto version_165;
version_165:    // "HTTP/"
    if (at == end)
        STOP(165);
    c = *at++;
    switch (c) {
    case '1':
        goto version_167;
    }
    if (of_class(CLASS_DIGIT, c)) {
        refuse(t, HTTP_505);
        goto leave;
    }
    UNREAD();
    goto refused;
version_167:    // "HTTP/1"
    if (at == end)
        STOP(167);
    c = *at++;
    switch (c) {
    case '.':
        goto version_168;
    }
    UNREAD();
    goto refused;
version_168:    // "HTTP/1."
    if (at == end)
        STOP(168);
    c = *at++;
    switch (c) {
    case '0':
        t->request.flags |= 1 << BIT_1_0;
        goto line;
    }
    if (of_class(CLASS_DIGIT, c)) {
        goto line;
    }
    UNREAD();
    goto refused;

line:
    if (at == end)
        STOP(180);
    c = *at++;
    switch (c) {
    case '\r':
        line_end(t);
        LIMIT();
        if (t->request.step != STEP_READ)
            goto leave;
        goto eol;
    }
    UNREAD();
    goto refused;

tag:
t->value = 0;
goto tag_188;
tag_188:
    if (at == end)
        STOP(188);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_190;
    }
    UNREAD();
    goto other_tag;
tag_190:    // "<HEX>"
    if (at == end)
        STOP(190);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_192;
    }
    UNREAD();
    goto other_tag;
tag_192:    // "<HEX><HEX>"
    if (at == end)
        STOP(192);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_194;
    }
    UNREAD();
    goto other_tag;
tag_194:    // "<HEX><HEX><HEX>"
    if (at == end)
        STOP(194);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_196;
    }
    UNREAD();
    goto other_tag;
tag_196:    // "<HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(196);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_198;
    }
    UNREAD();
    goto other_tag;
tag_198:    // "<HEX><HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(198);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_200;
    }
    UNREAD();
    goto other_tag;
tag_200:    // "<HEX><HEX><HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(200);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_202;
    }
    UNREAD();
    goto other_tag;
tag_202:    // "<HEX><HEX><HEX><HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(202);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_204;
    }
    UNREAD();
    goto other_tag;
tag_204:    // "<HEX><HEX><HEX><HEX><HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(204);
    c = *at++;
    switch (c) {
    case '"':
        t->request.node = 207;
        field_read(t, FIELD_TAG);
        if (t->request.step != STEP_READ)
            goto leave;
tag_207:
        goto tags;
    }
    UNREAD();
    goto other_tag;

other_tag:
    if (at == end)
        STOP(212);
    c = *at++;
    switch (c) {
    case '"':
        goto tags;
    }
    if (of_class(CLASS_VALUE, c)) {
        at = passed(at, end, CLASS_TCHAR);
        goto other_tag;
    }
    UNREAD();
    goto skip;

target:
    if (at == end)
        STOP(220);
    c = *at++;
    switch (c) {
    case '/':
        path_begin(t, c);
        goto leave;
    case 'h': case 'H':
        goto target_224;
    }
    UNREAD();
    goto refused;
target_224:    // "h"
    if (end - at >= 6 && same32(at, 0x7474703a, 0x20202000) && same16(at + 4, 0x2f2f, 0x0000)) {    // "ttp://"
        at += 6;
    } else {
        t->request.node = 224;
target_225:
        at = compared(t, at, end, "ttp://" + (t->request.node - 224), true);
        if (t->request.node != 230) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto refused;
        }
    }
    goto authority;

authority:
    if (at == end)
        STOP(232);
    c = *at++;
    switch (c) {
    case '[':
        goto authority_literal;
    }
    if (of_class(CLASS_HOST, c)) {
        goto authority_name;
    }
    UNREAD();
    goto refused;

authority_literal:
    if (at == end)
        STOP(240);
    c = *at++;
    switch (c) {
    case ']':
        goto authority_closed;
    case ':':
        goto authority_literal;
    case '.':
        goto authority_literal;
    }
    if (of_class(CLASS_HEX, small_letter(c))) {
        at = passed(at, end, CLASS_HEX);
        goto authority_literal;
    }
    UNREAD();
    goto refused;

authority_closed:
    if (at == end)
        STOP(258);
    c = *at++;
    switch (c) {
    case ':':
        goto authority_port;
    }
    UNREAD();
    goto target_begin;

authority_name:
    if (at == end)
        STOP(264);
    c = *at++;
    switch (c) {
    case ':':
        goto authority_port;
    }
    if (of_class(CLASS_HOST, c)) {
        at = passed(at, end, CLASS_HOST);
        goto authority_name;
    }
    UNREAD();
    goto target_begin;

authority_port:
    if (at == end)
        STOP(274);
    c = *at++;
    if (of_class(CLASS_DIGIT, c)) {
        at = passed(at, end, CLASS_DIGIT);
        goto authority_port;
    }
    UNREAD();
    goto target_begin;

target_begin:
    if (at == end)
        STOP(278);
    c = *at++;
    switch (c) {
    case '/':
        path_begin(t, c);
        goto leave;
    case '?':
        path_begin(t, c);
        goto leave;
    case ' ':
        path_begin(t, c);
        goto leave;
    }
    UNREAD();
    goto refused;

eol:
    if (at == end)
        STOP(286);
    c = *at++;
    switch (c) {
    case '\n':
        goto field;
    }
    UNREAD();
    goto refused;

last_lf:
    if (at == end)
        STOP(290);
    c = *at++;
    switch (c) {
    case '\n':
        fields_end(t);
        goto leave;
    }
    UNREAD();
    goto refused;

other_name:
    if (at == end)
        STOP(292);
    c = *at++;
    switch (c) {
    case ':':
        goto skip;
    }
    if (of_class(CLASS_TCHAR, c)) {
        at = passed(at, end, CLASS_TCHAR);
        goto other_name;
    }
    UNREAD();
    goto refused;

skip:
    if (at == end)
        STOP(300);
    c = *at++;
    switch (c) {
    case '\r':
        goto eol;
    }
    if (of_class(CLASS_VALUE, c)) {
        at = passed(at, end, CLASS_VALUE);
        goto skip;
    }
    UNREAD();
    goto refused;

host:
    if (at == end)
        STOP(310);
    c = *at++;
    switch (c) {
    case '[':
        goto host_literal;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto host;
    }
    if (of_class(CLASS_HOST, c)) {
        goto host_name;
    }
    UNREAD();
    goto blank;

host_literal:
    if (at == end)
        STOP(322);
    c = *at++;
    switch (c) {
    case ']':
        goto host_closed;
    case ':':
        goto host_literal;
    case '.':
        goto host_literal;
    }
    if (of_class(CLASS_HEX, small_letter(c))) {
        at = passed(at, end, CLASS_HEX);
        goto host_literal;
    }
    UNREAD();
    goto refused;

host_closed:
    if (at == end)
        STOP(340);
    c = *at++;
    switch (c) {
    case ':':
        goto host_port;
    }
    UNREAD();
    goto blank;

host_name:
    if (at == end)
        STOP(346);
    c = *at++;
    switch (c) {
    case ':':
        goto host_port;
    }
    if (of_class(CLASS_HOST, c)) {
        at = passed(at, end, CLASS_HOST);
        goto host_name;
    }
    UNREAD();
    goto blank;

host_port:
    if (at == end)
        STOP(356);
    c = *at++;
    if (of_class(CLASS_DIGIT, c)) {
        at = passed(at, end, CLASS_DIGIT);
        goto host_port;
    }
    UNREAD();
    goto blank;

blank:
    if (at == end)
        STOP(360);
    c = *at++;
    switch (c) {
    case '\r':
        goto eol;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto blank;
    }
    UNREAD();
    goto refused;

length:
    if (at == end)
        STOP(368);
    c = *at++;
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto length;
    }
    if (of_class(CLASS_DIGIT, c)) {
        add_digit(t, c);
        goto digits;
    }
    UNREAD();
    goto refused;

digits:
    if (at == end)
        STOP(376);
    c = *at++;
    if (of_class(CLASS_DIGIT, c)) {
        add_digit(t, c);
        goto digits;
    }
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->request.node = 385;
        field_read(t, FIELD_LENGTH);
        if (t->request.step != STEP_READ)
            goto leave;
digits_385:
        goto blank;
    }
    UNREAD();
    goto refused;

codings:
    if (at == end)
        STOP(390);
    c = *at++;
    switch (c) {
    case ',':
        goto codings;
    case 'c': case 'C':
        goto codings_399;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto codings;
    }
    UNREAD();
    goto other_coding;
codings_399:    // "c"
    if (end - at >= 6 && same32(at, 0x68756e6b, 0x20202020) && same16(at + 4, 0x6564, 0x2020)) {    // "hunked"
        at += 6;
    } else {
        t->request.node = 399;
codings_400:
        at = compared(t, at, end, "hunked" + (t->request.node - 399), true);
        if (t->request.node != 405) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_coding;
        }
    }
    goto codings_405;
codings_405:    // "chunked"
    if (at == end)
        STOP(405);
    c = *at++;
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        flag_once(t, 1 << BIT_CODING);
        if (t->request.step != STEP_READ)
            goto leave;
        goto chunked;
    }
    UNREAD();
    goto other_coding;

chunked:
    if (at == end)
        STOP(414);
    c = *at++;
    switch (c) {
    case ',':
        goto codings;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto chunked;
    }
    UNREAD();
    goto blank;

other_coding:
refuse(t, HTTP_501);
goto leave;

tokens:
    if (at == end)
        STOP(426);
    c = *at++;
    switch (c) {
    case 'c': case 'C':
        goto tokens_432;
    case 'g': case 'G':
        goto tokens_444;
    case 'x': case 'X':
        goto tokens_453;
    case 'b': case 'B':
        goto tokens_464;
    case '1':
        goto tokens_470;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto tokens;
    }
    UNREAD();
    goto other_token;
tokens_432:    // "c"
    if (end - at >= 4 && same32(at, 0x6c6f7365, 0x20202020)) {    // "lose"
        at += 4;
    } else {
        t->request.node = 432;
tokens_433:
        at = compared(t, at, end, "lose" + (t->request.node - 432), true);
        if (t->request.node != 436) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    goto tokens_436;
tokens_436:    // "close"
    if (at == end)
        STOP(436);
    c = *at++;
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->request.flags |= 1 << BIT_CLOSE;
        goto tokens;
    }
    UNREAD();
    goto other_token;
tokens_444:    // "g"
    if (end - at >= 3 && same16(at, 0x7a69, 0x2020) && same16(at + 1, 0x6970, 0x2020)) {    // "zip"
        at += 3;
    } else {
        t->request.node = 444;
tokens_445:
        at = compared(t, at, end, "zip" + (t->request.node - 444), true);
        if (t->request.node != 447) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    t->value = BIT_GZIP;
    goto accepted;
tokens_453:    // "x"
    if (end - at >= 5 && same32(at, 0x2d677a69, 0x00202020) && same16(at + 3, 0x6970, 0x2020)) {    // "-gzip"
        at += 5;
    } else {
        t->request.node = 453;
tokens_454:
        at = compared(t, at, end, "-gzip" + (t->request.node - 453), true);
        if (t->request.node != 458) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    t->value = BIT_GZIP;
    goto accepted;
tokens_464:    // "b"
    if (at == end)
        STOP(464);
    c = *at++;
    switch (c) {
    case 'r': case 'R':
        t->value = BIT_BROTLI;
        goto accepted;
    }
    UNREAD();
    goto other_token;
tokens_470:    // "1"
    if (end - at >= 11 && same64(at, 0x30302d636f6e7469ull, 0x0000002020202020ull) && same32(at + 7, 0x696e7565, 0x20202020)) {    // "00-continue"
        at += 11;
    } else {
        t->request.node = 470;
tokens_471:
        at = compared(t, at, end, "00-continue" + (t->request.node - 470), true);
        if (t->request.node != 481) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    goto tokens_481;
tokens_481:    // "100-continue"
    if (at == end)
        STOP(481);
    c = *at++;
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->request.flags |= 1 << BIT_EXPECT;
        goto tokens;
    }
    UNREAD();
    goto other_token;

other_token:
    if (at == end)
        STOP(490);
    c = *at++;
    switch (c) {
    case ',':
        goto tokens;
    }
    if (of_class(CLASS_VALUE, c)) {
        at = passed(at, end, CLASS_TCHAR);
        goto other_token;
    }
    UNREAD();
    goto skip;

accepted:
    if (at == end)
        STOP(500);
    c = *at++;
    switch (c) {
    case ';':
        goto weight;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto accepted;
    }
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->request.flags |= (uint16_t)(1 << t->value);
        goto tokens;
    }
    UNREAD();
    goto other_token;

weight:
    if (at == end)
        STOP(516);
    c = *at++;
    switch (c) {
    case 'q': case 'Q':
        goto weight_521;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto weight;
    }
    UNREAD();
    goto not_zero;
weight_521:    // "q"
    if (end - at >= 2 && same16(at, 0x3d30, 0x0000)) {    // "=0"
        at += 2;
    } else {
        t->request.node = 521;
weight_522:
        at = compared(t, at, end, "=0" + (t->request.node - 521), true);
        if (t->request.node != 523) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto not_zero;
        }
    }
    goto zero;

zero:
    if (at == end)
        STOP(528);
    c = *at++;
    switch (c) {
    case '.':
        goto zero;
    case '0':
        goto zero;
    }
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        goto tokens;
    }
    UNREAD();
    goto not_zero;

not_zero:
t->request.flags |= (uint16_t)(1 << t->value);
goto other_token;

tags:
    if (at == end)
        STOP(546);
    c = *at++;
    switch (c) {
    case ',':
        goto tags;
    case '"':
        goto tag;
    case 'w': case 'W':
        goto tags_560;
    case '*':
        t->request.node = 568;
        field_read(t, FIELD_ANY_TAG);
        if (t->request.step != STEP_READ)
            goto leave;
tags_568:
        goto tags;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto tags;
    }
    UNREAD();
    goto skip;
tags_560:    // "w"
    if (at == end)
        STOP(560);
    c = *at++;
    switch (c) {
    case '/':
        t->request.flags &= (uint16_t)~(1 << BIT_STRONG);
        goto tags;
    }
    UNREAD();
    goto skip;

field:
    if (at == end)
        STOP(572);
    c = *at++;
    switch (c) {
    case '\r':
        goto last_lf;
    case ':':
        refuse(t, HTTP_400);
        goto leave;
    case 'h': case 'H':
        goto field_582;
    case 'c': case 'C':
        goto field_592;
    case 't': case 'T':
        goto field_633;
    case 'a': case 'A':
        goto field_654;
    case 'i': case 'I':
        goto field_673;
    case 'e': case 'E':
        goto field_704;
    }
    UNREAD();
    goto other_name;
field_582:    // "h"
    if (end - at >= 4 && same32(at, 0x6f73743a, 0x20202000)) {    // "ost:"
        at += 4;
    } else {
        t->request.node = 582;
field_583:
        at = compared(t, at, end, "ost:" + (t->request.node - 582), true);
        if (t->request.node != 586) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    flag_once(t, 1 << BIT_HOST);
    if (t->request.step != STEP_READ)
        goto leave;
    goto host;
field_592:    // "c"
    if (end - at >= 2 && same16(at, 0x6f6e, 0x2020)) {    // "on"
        at += 2;
    } else {
        t->request.node = 592;
field_593:
        at = compared(t, at, end, "on" + (t->request.node - 592), true);
        if (t->request.node != 594) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto field_594;
field_594:    // "con"
    if (at == end)
        STOP(594);
    c = *at++;
    switch (c) {
    case 'n': case 'N':
        goto field_596;
    case 't': case 'T':
        goto field_606;
    }
    UNREAD();
    goto other_name;
field_596:    // "conn"
    if (end - at >= 7 && same32(at, 0x65637469, 0x20202020) && same32(at + 3, 0x696f6e3a, 0x20202000)) {    // "ection:"
        at += 7;
    } else {
        t->request.node = 596;
field_597:
        at = compared(t, at, end, "ection:" + (t->request.node - 596), true);
        if (t->request.node != 603) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto tokens;
field_606:    // "cont"
    if (end - at >= 4 && same32(at, 0x656e742d, 0x20202000)) {    // "ent-"
        at += 4;
    } else {
        t->request.node = 606;
field_607:
        at = compared(t, at, end, "ent-" + (t->request.node - 606), true);
        if (t->request.node != 610) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto field_610;
field_610:    // "content-"
    if (at == end)
        STOP(610);
    c = *at++;
    switch (c) {
    case 'l': case 'L':
        goto field_612;
    case 't': case 'T':
        goto field_623;
    }
    UNREAD();
    goto other_name;
field_612:    // "content-l"
    if (end - at >= 6 && same32(at, 0x656e6774, 0x20202020) && same16(at + 4, 0x683a, 0x2000)) {    // "ength:"
        at += 6;
    } else {
        t->request.node = 612;
field_613:
        at = compared(t, at, end, "ength:" + (t->request.node - 612), true);
        if (t->request.node != 618) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    flag_once(t, 1 << BIT_LENGTH);
    if (t->request.step != STEP_READ)
        goto leave;
    goto length;
field_623:    // "content-t"
    if (end - at >= 4 && same32(at, 0x7970653a, 0x20202000)) {    // "ype:"
        at += 4;
    } else {
        t->request.node = 623;
field_624:
        at = compared(t, at, end, "ype:" + (t->request.node - 623), true);
        if (t->request.node != 627) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    t->request.node = 629;
    field_read(t, FIELD_TYPE);
    if (t->request.step != STEP_READ)
        goto leave;
field_629:
    goto skip;
field_633:    // "t"
    if (end - at >= 17 && same64(at, 0x72616e736665722dull, 0x2020202020202000ull) && same64(at + 8, 0x656e636f64696e67ull, 0x2020202020202020ull) && same16(at + 15, 0x673a, 0x2000)) {    // "ransfer-encoding:"
        at += 17;
    } else {
        t->request.node = 633;
field_634:
        at = compared(t, at, end, "ransfer-encoding:" + (t->request.node - 633), true);
        if (t->request.node != 650) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto codings;
field_654:    // "a"
    if (end - at >= 15 && same64(at, 0x63636570742d656eull, 0x2020202020002020ull) && same64(at + 7, 0x6e636f64696e673aull, 0x2020202020202000ull)) {    // "ccept-encoding:"
        at += 15;
    } else {
        t->request.node = 654;
field_655:
        at = compared(t, at, end, "ccept-encoding:" + (t->request.node - 654), true);
        if (t->request.node != 669) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto tokens;
field_673:    // "i"
    if (end - at >= 2 && same16(at, 0x662d, 0x2000)) {    // "f-"
        at += 2;
    } else {
        t->request.node = 673;
field_674:
        at = compared(t, at, end, "f-" + (t->request.node - 673), true);
        if (t->request.node != 675) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto field_675;
field_675:    // "if-"
    if (at == end)
        STOP(675);
    c = *at++;
    switch (c) {
    case 'n': case 'N':
        goto field_677;
    case 'm': case 'M':
        goto field_692;
    }
    UNREAD();
    goto other_name;
field_677:    // "if-n"
    if (end - at >= 10 && same64(at, 0x6f6e652d6d617463ull, 0x2020200020202020ull) && same16(at + 8, 0x683a, 0x2000)) {    // "one-match:"
        at += 10;
    } else {
        t->request.node = 677;
field_678:
        at = compared(t, at, end, "one-match:" + (t->request.node - 677), true);
        if (t->request.node != 687) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    t->request.flags &= (uint16_t)~(1 << BIT_STRONG);
    goto tags;
field_692:    // "if-m"
    if (end - at >= 5 && same32(at, 0x61746368, 0x20202020) && same16(at + 3, 0x683a, 0x2000)) {    // "atch:"
        at += 5;
    } else {
        t->request.node = 692;
field_693:
        at = compared(t, at, end, "atch:" + (t->request.node - 692), true);
        if (t->request.node != 697) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    t->request.flags |= 1 << BIT_STRONG;
    t->request.flags |= 1 << BIT_MATCH;
    goto tags;
field_704:    // "e"
    if (end - at >= 6 && same32(at, 0x78706563, 0x20202020) && same16(at + 4, 0x743a, 0x2000)) {    // "xpect:"
        at += 6;
    } else {
        t->request.node = 704;
field_705:
        at = compared(t, at, end, "xpect:" + (t->request.node - 704), true);
        if (t->request.node != 710) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto tokens;
