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
case 182: goto line;
case 190: goto tag_190;
case 192: goto tag_192;
case 194: goto tag_194;
case 196: goto tag_196;
case 198: goto tag_198;
case 200: goto tag_200;
case 202: goto tag_202;
case 204: goto tag_204;
case 206: goto tag_206;
case 209: goto tag_209;
case 212: goto other_tag;
case 224: goto target;
case 228: goto target_228;
case 229: goto target_229;
case 230: goto target_229;
case 231: goto target_229;
case 232: goto target_229;
case 233: goto target_229;
case 236: goto authority;
case 244: goto authority_literal;
case 262: goto authority_closed;
case 268: goto authority_name;
case 278: goto authority_port;
case 282: goto target_begin;
case 290: goto eol;
case 294: goto last_lf;
case 296: goto other_name;
case 304: goto skip;
case 312: goto host;
case 328: goto host_literal;
case 346: goto host_closed;
case 352: goto host_name;
case 362: goto host_port;
case 366: goto blank;
case 374: goto length;
case 382: goto digits;
case 391: goto digits_391;
case 396: goto codings;
case 405: goto codings_405;
case 406: goto codings_406;
case 407: goto codings_406;
case 408: goto codings_406;
case 409: goto codings_406;
case 410: goto codings_406;
case 411: goto codings_411;
case 418: goto chunked;
case 434: goto tokens;
case 448: goto tokens_448;
case 449: goto tokens_449;
case 450: goto tokens_449;
case 451: goto tokens_449;
case 452: goto tokens_452;
case 460: goto tokens_460;
case 461: goto tokens_461;
case 462: goto tokens_461;
case 463: goto tokens_463;
case 471: goto tokens_471;
case 472: goto tokens_472;
case 473: goto tokens_472;
case 474: goto tokens_472;
case 475: goto tokens_472;
case 476: goto tokens_476;
case 484: goto tokens_484;
case 485: goto tokens_485;
case 492: goto tokens_492;
case 493: goto tokens_493;
case 494: goto tokens_493;
case 495: goto tokens_493;
case 496: goto tokens_493;
case 497: goto tokens_493;
case 498: goto tokens_493;
case 499: goto tokens_493;
case 500: goto tokens_493;
case 501: goto tokens_493;
case 502: goto tokens_493;
case 503: goto tokens_503;
case 510: goto other_token;
case 522: goto accepted;
case 538: goto weight;
case 543: goto weight_543;
case 544: goto weight_544;
case 550: goto zero;
case 562: goto not_zero;
case 578: goto tags;
case 596: goto tags_596;
case 604: goto tags_604;
case 608: goto field;
case 618: goto field_618;
case 619: goto field_619;
case 620: goto field_619;
case 621: goto field_619;
case 628: goto field_628;
case 629: goto field_629;
case 630: goto field_630;
case 632: goto field_632;
case 633: goto field_633;
case 634: goto field_633;
case 635: goto field_633;
case 636: goto field_633;
case 637: goto field_633;
case 638: goto field_633;
case 642: goto field_642;
case 643: goto field_643;
case 644: goto field_643;
case 645: goto field_643;
case 646: goto field_646;
case 648: goto field_648;
case 649: goto field_649;
case 650: goto field_649;
case 651: goto field_649;
case 652: goto field_649;
case 653: goto field_649;
case 659: goto field_659;
case 660: goto field_660;
case 661: goto field_660;
case 662: goto field_660;
case 665: goto field_665;
case 669: goto field_669;
case 670: goto field_670;
case 671: goto field_670;
case 672: goto field_670;
case 673: goto field_670;
case 674: goto field_670;
case 675: goto field_670;
case 676: goto field_670;
case 677: goto field_670;
case 678: goto field_670;
case 679: goto field_670;
case 680: goto field_670;
case 681: goto field_670;
case 682: goto field_670;
case 683: goto field_670;
case 684: goto field_670;
case 685: goto field_670;
case 690: goto field_690;
case 691: goto field_691;
case 692: goto field_691;
case 693: goto field_691;
case 694: goto field_691;
case 695: goto field_691;
case 696: goto field_691;
case 697: goto field_691;
case 698: goto field_691;
case 699: goto field_691;
case 700: goto field_691;
case 701: goto field_691;
case 702: goto field_691;
case 703: goto field_691;
case 704: goto field_691;
case 709: goto field_709;
case 710: goto field_710;
case 711: goto field_711;
case 713: goto field_713;
case 714: goto field_714;
case 715: goto field_714;
case 716: goto field_714;
case 717: goto field_714;
case 718: goto field_714;
case 719: goto field_714;
case 720: goto field_714;
case 721: goto field_714;
case 722: goto field_714;
case 728: goto field_728;
case 729: goto field_729;
case 730: goto field_729;
case 731: goto field_729;
case 732: goto field_729;
case 740: goto field_740;
case 741: goto field_741;
case 742: goto field_741;
case 743: goto field_741;
case 744: goto field_741;
case 745: goto field_741;
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
        add_digit(t, c);
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
        add_digit(t, c);
        goto line;
    }
    UNREAD();
    goto refused;

line:
    if (at == end)
        STOP(182);
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
goto tag_190;
tag_190:
    if (at == end)
        STOP(190);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_192;
    }
    UNREAD();
    goto other_tag;
tag_192:    // "<HEX>"
    if (at == end)
        STOP(192);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_194;
    }
    UNREAD();
    goto other_tag;
tag_194:    // "<HEX><HEX>"
    if (at == end)
        STOP(194);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_196;
    }
    UNREAD();
    goto other_tag;
tag_196:    // "<HEX><HEX><HEX>"
    if (at == end)
        STOP(196);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_198;
    }
    UNREAD();
    goto other_tag;
tag_198:    // "<HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(198);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_200;
    }
    UNREAD();
    goto other_tag;
tag_200:    // "<HEX><HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(200);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_202;
    }
    UNREAD();
    goto other_tag;
tag_202:    // "<HEX><HEX><HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(202);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_204;
    }
    UNREAD();
    goto other_tag;
tag_204:    // "<HEX><HEX><HEX><HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(204);
    c = *at++;
    if (of_class(CLASS_HEX, c)) {
        t->value = t->value << 4 | hex_value(c);
        goto tag_206;
    }
    UNREAD();
    goto other_tag;
tag_206:    // "<HEX><HEX><HEX><HEX><HEX><HEX><HEX><HEX>"
    if (at == end)
        STOP(206);
    c = *at++;
    switch (c) {
    case '"':
        t->request.node = 209;
        field_read(t, FIELD_TAG);
        if (t->request.step != STEP_READ)
            goto leave;
tag_209:
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
    case '\r':
        goto eol;
    }
    if (of_class(CLASS_VALUE, c)) {
        at = passed(at, end, CLASS_TCHAR);
        goto other_tag;
    }
    UNREAD();
    goto refused;

target:
    if (at == end)
        STOP(224);
    c = *at++;
    switch (c) {
    case '/':
        path_begin(t, c);
        goto leave;
    case 'h': case 'H':
        goto target_228;
    }
    UNREAD();
    goto refused;
target_228:    // "h"
    if (end - at >= 6 && same32(at, 0x7474703a, 0x20202000) && same16(at + 4, 0x2f2f, 0x0000)) {    // "ttp://"
        at += 6;
    } else {
        t->request.node = 228;
target_229:
        at = compared(t, at, end, "ttp://" + (t->request.node - 228), true);
        if (t->request.node != 234) {
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
        STOP(236);
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
        STOP(244);
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
        t->value = t->value << 4 | hex_value(c);
        goto authority_literal;
    }
    UNREAD();
    goto refused;

authority_closed:
    if (at == end)
        STOP(262);
    c = *at++;
    switch (c) {
    case ':':
        goto authority_port;
    }
    UNREAD();
    goto target_begin;

authority_name:
    if (at == end)
        STOP(268);
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
        STOP(278);
    c = *at++;
    if (of_class(CLASS_DIGIT, c)) {
        add_digit(t, c);
        goto authority_port;
    }
    UNREAD();
    goto target_begin;

target_begin:
    if (at == end)
        STOP(282);
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
        STOP(290);
    c = *at++;
    switch (c) {
    case '\n':
        goto field;
    }
    UNREAD();
    goto refused;

last_lf:
    if (at == end)
        STOP(294);
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
        STOP(296);
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
        STOP(304);
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
        STOP(312);
    c = *at++;
    switch (c) {
    case '\r':
        goto eol;
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
    goto refused;

host_literal:
    if (at == end)
        STOP(328);
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
        t->value = t->value << 4 | hex_value(c);
        goto host_literal;
    }
    UNREAD();
    goto refused;

host_closed:
    if (at == end)
        STOP(346);
    c = *at++;
    switch (c) {
    case ':':
        goto host_port;
    }
    UNREAD();
    goto blank;

host_name:
    if (at == end)
        STOP(352);
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
        STOP(362);
    c = *at++;
    if (of_class(CLASS_DIGIT, c)) {
        add_digit(t, c);
        goto host_port;
    }
    UNREAD();
    goto blank;

blank:
    if (at == end)
        STOP(366);
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
        STOP(374);
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
        STOP(382);
    c = *at++;
    if (of_class(CLASS_DIGIT, c)) {
        add_digit(t, c);
        goto digits;
    }
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->request.node = 391;
        field_read(t, FIELD_LENGTH);
        if (t->request.step != STEP_READ)
            goto leave;
digits_391:
        goto blank;
    }
    UNREAD();
    goto refused;

codings:
    if (at == end)
        STOP(396);
    c = *at++;
    switch (c) {
    case ',':
        goto codings;
    case 'c': case 'C':
        goto codings_405;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto codings;
    }
    UNREAD();
    goto other_coding;
codings_405:    // "c"
    if (end - at >= 6 && same32(at, 0x68756e6b, 0x20202020) && same16(at + 4, 0x6564, 0x2020)) {    // "hunked"
        at += 6;
    } else {
        t->request.node = 405;
codings_406:
        at = compared(t, at, end, "hunked" + (t->request.node - 405), true);
        if (t->request.node != 411) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_coding;
        }
    }
    goto codings_411;
codings_411:    // "chunked"
    if (at == end)
        STOP(411);
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
        STOP(418);
    c = *at++;
    switch (c) {
    case '\r':
        goto eol;
    case ',':
        goto codings;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto chunked;
    }
    UNREAD();
    goto refused;

other_coding:
refuse(t, HTTP_501);
goto leave;

tokens:
    if (at == end)
        STOP(434);
    c = *at++;
    switch (c) {
    case '\r':
        goto eol;
    case ',':
        goto tokens;
    case 'c': case 'C':
        goto tokens_448;
    case 'g': case 'G':
        goto tokens_460;
    case 'x': case 'X':
        goto tokens_471;
    case 'b': case 'B':
        goto tokens_484;
    case '1':
        goto tokens_492;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto tokens;
    }
    UNREAD();
    goto other_token;
tokens_448:    // "c"
    if (end - at >= 4 && same32(at, 0x6c6f7365, 0x20202020)) {    // "lose"
        at += 4;
    } else {
        t->request.node = 448;
tokens_449:
        at = compared(t, at, end, "lose" + (t->request.node - 448), true);
        if (t->request.node != 452) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    goto tokens_452;
tokens_452:    // "close"
    if (at == end)
        STOP(452);
    c = *at++;
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->request.flags |= 1 << BIT_CLOSE;
        goto tokens;
    }
    UNREAD();
    goto other_token;
tokens_460:    // "g"
    if (end - at >= 3 && same16(at, 0x7a69, 0x2020) && same16(at + 1, 0x6970, 0x2020)) {    // "zip"
        at += 3;
    } else {
        t->request.node = 460;
tokens_461:
        at = compared(t, at, end, "zip" + (t->request.node - 460), true);
        if (t->request.node != 463) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    goto tokens_463;
tokens_463:    // "gzip"
    if (at == end)
        STOP(463);
    c = *at++;
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->value = BIT_GZIP;
        goto accepted;
    }
    UNREAD();
    goto other_token;
tokens_471:    // "x"
    if (end - at >= 5 && same32(at, 0x2d677a69, 0x00202020) && same16(at + 3, 0x6970, 0x2020)) {    // "-gzip"
        at += 5;
    } else {
        t->request.node = 471;
tokens_472:
        at = compared(t, at, end, "-gzip" + (t->request.node - 471), true);
        if (t->request.node != 476) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    goto tokens_476;
tokens_476:    // "x-gzip"
    if (at == end)
        STOP(476);
    c = *at++;
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->value = BIT_GZIP;
        goto accepted;
    }
    UNREAD();
    goto other_token;
tokens_484:    // "b"
    if (at == end)
        STOP(484);
    c = *at++;
    switch (c) {
    case 'r': case 'R':
        goto tokens_485;
    }
    UNREAD();
    goto other_token;
tokens_485:    // "br"
    if (at == end)
        STOP(485);
    c = *at++;
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->value = BIT_BROTLI;
        goto accepted;
    }
    UNREAD();
    goto other_token;
tokens_492:    // "1"
    if (end - at >= 11 && same64(at, 0x30302d636f6e7469ull, 0x0000002020202020ull) && same32(at + 7, 0x696e7565, 0x20202020)) {    // "00-continue"
        at += 11;
    } else {
        t->request.node = 492;
tokens_493:
        at = compared(t, at, end, "00-continue" + (t->request.node - 492), true);
        if (t->request.node != 503) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    goto tokens_503;
tokens_503:    // "100-continue"
    if (at == end)
        STOP(503);
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
        STOP(510);
    c = *at++;
    switch (c) {
    case '\r':
        goto eol;
    case ',':
        goto tokens;
    }
    if (of_class(CLASS_VALUE, c)) {
        at = passed(at, end, CLASS_TCHAR);
        goto other_token;
    }
    UNREAD();
    goto refused;

accepted:
    if (at == end)
        STOP(522);
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
    goto refused;

weight:
    if (at == end)
        STOP(538);
    c = *at++;
    switch (c) {
    case 'q': case 'Q':
        goto weight_543;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto weight;
    }
    UNREAD();
    goto not_zero;
weight_543:    // "q"
    if (end - at >= 2 && same16(at, 0x3d30, 0x0000)) {    // "=0"
        at += 2;
    } else {
        t->request.node = 543;
weight_544:
        at = compared(t, at, end, "=0" + (t->request.node - 543), true);
        if (t->request.node != 545) {
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
        STOP(550);
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
    if (at == end)
        STOP(562);
    c = *at++;
    switch (c) {
    case ',':
        t->request.flags |= (uint16_t)(1 << t->value);
        goto tokens;
    case '\r':
        t->request.flags |= (uint16_t)(1 << t->value);
        goto eol;
    }
    if (of_class(CLASS_VALUE, c)) {
        at = passed(at, end, CLASS_TCHAR);
        goto not_zero;
    }
    UNREAD();
    goto refused;

tags:
    if (at == end)
        STOP(578);
    c = *at++;
    switch (c) {
    case '\r':
        goto eol;
    case ',':
        goto tags;
    case '"':
        goto tag;
    case 'w': case 'W':
        goto tags_596;
    case '*':
        t->request.node = 604;
        field_read(t, FIELD_ANY_TAG);
        if (t->request.step != STEP_READ)
            goto leave;
tags_604:
        goto tags;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto tags;
    }
    UNREAD();
    goto skip;
tags_596:    // "w"
    if (at == end)
        STOP(596);
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
        STOP(608);
    c = *at++;
    switch (c) {
    case '\r':
        goto last_lf;
    case ':':
        refuse(t, HTTP_400);
        goto leave;
    case 'h': case 'H':
        goto field_618;
    case 'c': case 'C':
        goto field_628;
    case 't': case 'T':
        goto field_669;
    case 'a': case 'A':
        goto field_690;
    case 'i': case 'I':
        goto field_709;
    case 'e': case 'E':
        goto field_740;
    }
    UNREAD();
    goto other_name;
field_618:    // "h"
    if (end - at >= 4 && same32(at, 0x6f73743a, 0x20202000)) {    // "ost:"
        at += 4;
    } else {
        t->request.node = 618;
field_619:
        at = compared(t, at, end, "ost:" + (t->request.node - 618), true);
        if (t->request.node != 622) {
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
field_628:    // "c"
    if (end - at >= 2 && same16(at, 0x6f6e, 0x2020)) {    // "on"
        at += 2;
    } else {
        t->request.node = 628;
field_629:
        at = compared(t, at, end, "on" + (t->request.node - 628), true);
        if (t->request.node != 630) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto field_630;
field_630:    // "con"
    if (at == end)
        STOP(630);
    c = *at++;
    switch (c) {
    case 'n': case 'N':
        goto field_632;
    case 't': case 'T':
        goto field_642;
    }
    UNREAD();
    goto other_name;
field_632:    // "conn"
    if (end - at >= 7 && same32(at, 0x65637469, 0x20202020) && same32(at + 3, 0x696f6e3a, 0x20202000)) {    // "ection:"
        at += 7;
    } else {
        t->request.node = 632;
field_633:
        at = compared(t, at, end, "ection:" + (t->request.node - 632), true);
        if (t->request.node != 639) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto tokens;
field_642:    // "cont"
    if (end - at >= 4 && same32(at, 0x656e742d, 0x20202000)) {    // "ent-"
        at += 4;
    } else {
        t->request.node = 642;
field_643:
        at = compared(t, at, end, "ent-" + (t->request.node - 642), true);
        if (t->request.node != 646) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto field_646;
field_646:    // "content-"
    if (at == end)
        STOP(646);
    c = *at++;
    switch (c) {
    case 'l': case 'L':
        goto field_648;
    case 't': case 'T':
        goto field_659;
    }
    UNREAD();
    goto other_name;
field_648:    // "content-l"
    if (end - at >= 6 && same32(at, 0x656e6774, 0x20202020) && same16(at + 4, 0x683a, 0x2000)) {    // "ength:"
        at += 6;
    } else {
        t->request.node = 648;
field_649:
        at = compared(t, at, end, "ength:" + (t->request.node - 648), true);
        if (t->request.node != 654) {
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
field_659:    // "content-t"
    if (end - at >= 4 && same32(at, 0x7970653a, 0x20202000)) {    // "ype:"
        at += 4;
    } else {
        t->request.node = 659;
field_660:
        at = compared(t, at, end, "ype:" + (t->request.node - 659), true);
        if (t->request.node != 663) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    t->request.node = 665;
    field_read(t, FIELD_TYPE);
    if (t->request.step != STEP_READ)
        goto leave;
field_665:
    goto skip;
field_669:    // "t"
    if (end - at >= 17 && same64(at, 0x72616e736665722dull, 0x2020202020202000ull) && same64(at + 8, 0x656e636f64696e67ull, 0x2020202020202020ull) && same16(at + 15, 0x673a, 0x2000)) {    // "ransfer-encoding:"
        at += 17;
    } else {
        t->request.node = 669;
field_670:
        at = compared(t, at, end, "ransfer-encoding:" + (t->request.node - 669), true);
        if (t->request.node != 686) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto codings;
field_690:    // "a"
    if (end - at >= 15 && same64(at, 0x63636570742d656eull, 0x2020202020002020ull) && same64(at + 7, 0x6e636f64696e673aull, 0x2020202020202000ull)) {    // "ccept-encoding:"
        at += 15;
    } else {
        t->request.node = 690;
field_691:
        at = compared(t, at, end, "ccept-encoding:" + (t->request.node - 690), true);
        if (t->request.node != 705) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto tokens;
field_709:    // "i"
    if (end - at >= 2 && same16(at, 0x662d, 0x2000)) {    // "f-"
        at += 2;
    } else {
        t->request.node = 709;
field_710:
        at = compared(t, at, end, "f-" + (t->request.node - 709), true);
        if (t->request.node != 711) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto field_711;
field_711:    // "if-"
    if (at == end)
        STOP(711);
    c = *at++;
    switch (c) {
    case 'n': case 'N':
        goto field_713;
    case 'm': case 'M':
        goto field_728;
    }
    UNREAD();
    goto other_name;
field_713:    // "if-n"
    if (end - at >= 10 && same64(at, 0x6f6e652d6d617463ull, 0x2020200020202020ull) && same16(at + 8, 0x683a, 0x2000)) {    // "one-match:"
        at += 10;
    } else {
        t->request.node = 713;
field_714:
        at = compared(t, at, end, "one-match:" + (t->request.node - 713), true);
        if (t->request.node != 723) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    t->request.flags &= (uint16_t)~(1 << BIT_STRONG);
    goto tags;
field_728:    // "if-m"
    if (end - at >= 5 && same32(at, 0x61746368, 0x20202020) && same16(at + 3, 0x683a, 0x2000)) {    // "atch:"
        at += 5;
    } else {
        t->request.node = 728;
field_729:
        at = compared(t, at, end, "atch:" + (t->request.node - 728), true);
        if (t->request.node != 733) {
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
field_740:    // "e"
    if (end - at >= 6 && same32(at, 0x78706563, 0x20202020) && same16(at + 4, 0x743a, 0x2000)) {    // "xpect:"
        at += 6;
    } else {
        t->request.node = 740;
field_741:
        at = compared(t, at, end, "xpect:" + (t->request.node - 740), true);
        if (t->request.node != 746) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto tokens;
