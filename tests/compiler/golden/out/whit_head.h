// Written by the application compiler; do not edit.
// What the head of a request may be, as a part of a function in engine/http/head_code.c.
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
case 227: goto target_227;
case 229: goto target_229;
case 230: goto target_230;
case 234: goto target_234;
case 235: goto target_235;
case 236: goto target_235;
case 240: goto authority;
case 248: goto authority_literal;
case 266: goto authority_closed;
case 272: goto authority_name;
case 282: goto authority_port;
case 286: goto target_begin;
case 294: goto eol;
case 298: goto last_lf;
case 300: goto other_name;
case 308: goto skip;
case 318: goto host;
case 330: goto host_literal;
case 348: goto host_closed;
case 354: goto host_name;
case 364: goto host_port;
case 368: goto blank;
case 376: goto length;
case 384: goto digits;
case 393: goto digits_393;
case 398: goto codings;
case 407: goto codings_407;
case 408: goto codings_408;
case 409: goto codings_408;
case 410: goto codings_408;
case 411: goto codings_408;
case 412: goto codings_408;
case 413: goto codings_413;
case 422: goto chunked;
case 434: goto tokens;
case 440: goto tokens_440;
case 441: goto tokens_441;
case 442: goto tokens_441;
case 443: goto tokens_441;
case 444: goto tokens_444;
case 452: goto tokens_452;
case 453: goto tokens_453;
case 454: goto tokens_453;
case 461: goto tokens_461;
case 462: goto tokens_462;
case 463: goto tokens_462;
case 464: goto tokens_462;
case 465: goto tokens_462;
case 472: goto tokens_472;
case 478: goto tokens_478;
case 479: goto tokens_479;
case 480: goto tokens_479;
case 481: goto tokens_479;
case 482: goto tokens_479;
case 483: goto tokens_479;
case 484: goto tokens_479;
case 485: goto tokens_479;
case 486: goto tokens_479;
case 487: goto tokens_479;
case 488: goto tokens_479;
case 489: goto tokens_489;
case 498: goto other_token;
case 508: goto coded;
case 517: goto coded_517;
case 518: goto coded_518;
case 519: goto coded_518;
case 520: goto coded_518;
case 521: goto coded_518;
case 522: goto coded_518;
case 523: goto coded_518;
case 524: goto coded_524;
case 530: goto other_coded_530;
case 534: goto accepted;
case 550: goto weight;
case 555: goto weight_555;
case 556: goto weight_556;
case 562: goto zero;
case 580: goto tags;
case 594: goto tags_594;
case 602: goto tags_602;
case 606: goto field;
case 616: goto field_616;
case 617: goto field_617;
case 618: goto field_617;
case 619: goto field_617;
case 626: goto field_626;
case 627: goto field_627;
case 628: goto field_628;
case 630: goto field_630;
case 631: goto field_631;
case 632: goto field_631;
case 633: goto field_631;
case 634: goto field_631;
case 635: goto field_631;
case 636: goto field_631;
case 640: goto field_640;
case 641: goto field_641;
case 642: goto field_641;
case 643: goto field_641;
case 644: goto field_644;
case 646: goto field_646;
case 647: goto field_647;
case 648: goto field_647;
case 649: goto field_647;
case 650: goto field_647;
case 651: goto field_647;
case 658: goto field_658;
case 659: goto field_659;
case 660: goto field_659;
case 661: goto field_659;
case 662: goto field_659;
case 663: goto field_659;
case 664: goto field_659;
case 665: goto field_659;
case 669: goto field_669;
case 670: goto field_670;
case 671: goto field_670;
case 672: goto field_670;
case 675: goto field_675;
case 679: goto field_679;
case 680: goto field_680;
case 681: goto field_680;
case 682: goto field_680;
case 683: goto field_680;
case 684: goto field_680;
case 685: goto field_680;
case 686: goto field_680;
case 687: goto field_680;
case 688: goto field_680;
case 689: goto field_680;
case 690: goto field_680;
case 691: goto field_680;
case 692: goto field_680;
case 693: goto field_680;
case 694: goto field_680;
case 695: goto field_680;
case 700: goto field_700;
case 701: goto field_701;
case 702: goto field_701;
case 703: goto field_701;
case 704: goto field_701;
case 705: goto field_701;
case 706: goto field_701;
case 707: goto field_701;
case 708: goto field_701;
case 709: goto field_701;
case 710: goto field_701;
case 711: goto field_701;
case 712: goto field_701;
case 713: goto field_701;
case 714: goto field_701;
case 719: goto field_719;
case 720: goto field_720;
case 721: goto field_721;
case 723: goto field_723;
case 724: goto field_724;
case 725: goto field_724;
case 726: goto field_724;
case 727: goto field_724;
case 728: goto field_724;
case 729: goto field_724;
case 730: goto field_724;
case 731: goto field_724;
case 732: goto field_724;
case 738: goto field_738;
case 739: goto field_739;
case 740: goto field_739;
case 741: goto field_739;
case 742: goto field_739;
case 750: goto field_750;
case 751: goto field_751;
case 752: goto field_751;
case 753: goto field_751;
case 754: goto field_751;
case 755: goto field_751;
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
    if (end - at >= 3 && same16(at, 0x7474, 0x2020) && same16(at + 1, 0x7470, 0x2020)) {    // "ttp"
        at += 3;
    } else {
        t->request.node = 224;
target_225:
        at = compared(t, at, end, "ttp" + (t->request.node - 224), true);
        if (t->request.node != 227) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto refused;
        }
    }
    goto target_227;
target_227:    // "http"
    if (at == end)
        STOP(227);
    c = *at++;
    switch (c) {
    case ':':
        goto target_229;
    case 's': case 'S':
        goto target_234;
    }
    UNREAD();
    goto refused;
target_229:    // "http:"
    if (end - at >= 2 && same16(at, 0x2f2f, 0x0000)) {    // "//"
        at += 2;
    } else {
        t->request.node = 229;
target_230:
        at = compared(t, at, end, "//" + (t->request.node - 229), true);
        if (t->request.node != 231) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto refused;
        }
    }
    goto authority;
target_234:    // "https"
    if (end - at >= 3 && same16(at, 0x3a2f, 0x0000) && same16(at + 1, 0x2f2f, 0x0000)) {    // "://"
        at += 3;
    } else {
        t->request.node = 234;
target_235:
        at = compared(t, at, end, "://" + (t->request.node - 234), true);
        if (t->request.node != 237) {
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
        STOP(240);
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
        STOP(248);
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
        STOP(266);
    c = *at++;
    switch (c) {
    case ':':
        goto authority_port;
    }
    UNREAD();
    goto target_begin;

authority_name:
    if (at == end)
        STOP(272);
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
        STOP(282);
    c = *at++;
    if (of_class(CLASS_DIGIT, c)) {
        add_digit(t, c);
        goto authority_port;
    }
    UNREAD();
    goto target_begin;

target_begin:
    if (at == end)
        STOP(286);
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
        STOP(294);
    c = *at++;
    switch (c) {
    case '\n':
        goto field;
    }
    UNREAD();
    goto refused;

last_lf:
    if (at == end)
        STOP(298);
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
        STOP(300);
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
        STOP(308);
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
        STOP(318);
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
        STOP(330);
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
        STOP(348);
    c = *at++;
    switch (c) {
    case ':':
        goto host_port;
    }
    UNREAD();
    goto blank;

host_name:
    if (at == end)
        STOP(354);
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
        STOP(364);
    c = *at++;
    if (of_class(CLASS_DIGIT, c)) {
        at = passed(at, end, CLASS_DIGIT);
        goto host_port;
    }
    UNREAD();
    goto blank;

blank:
    if (at == end)
        STOP(368);
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
        STOP(376);
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
        STOP(384);
    c = *at++;
    if (of_class(CLASS_DIGIT, c)) {
        add_digit(t, c);
        goto digits;
    }
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->request.node = 393;
        field_read(t, FIELD_LENGTH);
        if (t->request.step != STEP_READ)
            goto leave;
digits_393:
        goto blank;
    }
    UNREAD();
    goto refused;

codings:
    if (at == end)
        STOP(398);
    c = *at++;
    switch (c) {
    case ',':
        goto codings;
    case 'c': case 'C':
        goto codings_407;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto codings;
    }
    UNREAD();
    goto other_coding;
codings_407:    // "c"
    if (end - at >= 6 && same32(at, 0x68756e6b, 0x20202020) && same16(at + 4, 0x6564, 0x2020)) {    // "hunked"
        at += 6;
    } else {
        t->request.node = 407;
codings_408:
        at = compared(t, at, end, "hunked" + (t->request.node - 407), true);
        if (t->request.node != 413) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_coding;
        }
    }
    goto codings_413;
codings_413:    // "chunked"
    if (at == end)
        STOP(413);
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
        STOP(422);
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
        STOP(434);
    c = *at++;
    switch (c) {
    case 'c': case 'C':
        goto tokens_440;
    case 'g': case 'G':
        goto tokens_452;
    case 'x': case 'X':
        goto tokens_461;
    case 'b': case 'B':
        goto tokens_472;
    case '1':
        goto tokens_478;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto tokens;
    }
    UNREAD();
    goto other_token;
tokens_440:    // "c"
    if (end - at >= 4 && same32(at, 0x6c6f7365, 0x20202020)) {    // "lose"
        at += 4;
    } else {
        t->request.node = 440;
tokens_441:
        at = compared(t, at, end, "lose" + (t->request.node - 440), true);
        if (t->request.node != 444) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    goto tokens_444;
tokens_444:    // "close"
    if (at == end)
        STOP(444);
    c = *at++;
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        t->request.flags |= 1 << BIT_CLOSE;
        goto tokens;
    }
    UNREAD();
    goto other_token;
tokens_452:    // "g"
    if (end - at >= 3 && same16(at, 0x7a69, 0x2020) && same16(at + 1, 0x6970, 0x2020)) {    // "zip"
        at += 3;
    } else {
        t->request.node = 452;
tokens_453:
        at = compared(t, at, end, "zip" + (t->request.node - 452), true);
        if (t->request.node != 455) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    t->value = BIT_GZIP;
    goto accepted;
tokens_461:    // "x"
    if (end - at >= 5 && same32(at, 0x2d677a69, 0x00202020) && same16(at + 3, 0x6970, 0x2020)) {    // "-gzip"
        at += 5;
    } else {
        t->request.node = 461;
tokens_462:
        at = compared(t, at, end, "-gzip" + (t->request.node - 461), true);
        if (t->request.node != 466) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    t->value = BIT_GZIP;
    goto accepted;
tokens_472:    // "b"
    if (at == end)
        STOP(472);
    c = *at++;
    switch (c) {
    case 'r': case 'R':
        t->value = BIT_BROTLI;
        goto accepted;
    }
    UNREAD();
    goto other_token;
tokens_478:    // "1"
    if (end - at >= 11 && same64(at, 0x30302d636f6e7469ull, 0x0000002020202020ull) && same32(at + 7, 0x696e7565, 0x20202020)) {    // "00-continue"
        at += 11;
    } else {
        t->request.node = 478;
tokens_479:
        at = compared(t, at, end, "00-continue" + (t->request.node - 478), true);
        if (t->request.node != 489) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_token;
        }
    }
    goto tokens_489;
tokens_489:    // "100-continue"
    if (at == end)
        STOP(489);
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
        STOP(498);
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

coded:
    if (at == end)
        STOP(508);
    c = *at++;
    switch (c) {
    case '\r':
        goto eol;
    case 'i': case 'I':
        goto coded_517;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto coded;
    }
    UNREAD();
    goto other_coded;
coded_517:    // "i"
    if (end - at >= 7 && same32(at, 0x64656e74, 0x20202020) && same32(at + 3, 0x74697479, 0x20202020)) {    // "dentity"
        at += 7;
    } else {
        t->request.node = 517;
coded_518:
        at = compared(t, at, end, "dentity" + (t->request.node - 517), true);
        if (t->request.node != 524) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_coded;
        }
    }
    goto coded_524;
coded_524:    // "identity"
    if (at == end)
        STOP(524);
    c = *at++;
    if (of_class(CLASS_BEHIND, c)) {
        UNREAD();
        goto coded;
    }
    UNREAD();
    goto other_coded;

other_coded:
t->request.node = 530;
field_read(t, FIELD_CODED);
if (t->request.step != STEP_READ)
    goto leave;
other_coded_530:
goto skip;

accepted:
    if (at == end)
        STOP(534);
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
        STOP(550);
    c = *at++;
    switch (c) {
    case 'q': case 'Q':
        goto weight_555;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto weight;
    }
    UNREAD();
    goto not_zero;
weight_555:    // "q"
    if (end - at >= 2 && same16(at, 0x3d30, 0x0000)) {    // "=0"
        at += 2;
    } else {
        t->request.node = 555;
weight_556:
        at = compared(t, at, end, "=0" + (t->request.node - 555), true);
        if (t->request.node != 557) {
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
        STOP(562);
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
        STOP(580);
    c = *at++;
    switch (c) {
    case ',':
        goto tags;
    case '"':
        goto tag;
    case 'w': case 'W':
        goto tags_594;
    case '*':
        t->request.node = 602;
        field_read(t, FIELD_ANY_TAG);
        if (t->request.step != STEP_READ)
            goto leave;
tags_602:
        goto tags;
    }
    if (of_class(CLASS_OWS, c)) {
        at = passed(at, end, CLASS_OWS);
        goto tags;
    }
    UNREAD();
    goto skip;
tags_594:    // "w"
    if (at == end)
        STOP(594);
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
        STOP(606);
    c = *at++;
    switch (c) {
    case '\r':
        goto last_lf;
    case ':':
        refuse(t, HTTP_400);
        goto leave;
    case 'h': case 'H':
        goto field_616;
    case 'c': case 'C':
        goto field_626;
    case 't': case 'T':
        goto field_679;
    case 'a': case 'A':
        goto field_700;
    case 'i': case 'I':
        goto field_719;
    case 'e': case 'E':
        goto field_750;
    }
    UNREAD();
    goto other_name;
field_616:    // "h"
    if (end - at >= 4 && same32(at, 0x6f73743a, 0x20202000)) {    // "ost:"
        at += 4;
    } else {
        t->request.node = 616;
field_617:
        at = compared(t, at, end, "ost:" + (t->request.node - 616), true);
        if (t->request.node != 620) {
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
field_626:    // "c"
    if (end - at >= 2 && same16(at, 0x6f6e, 0x2020)) {    // "on"
        at += 2;
    } else {
        t->request.node = 626;
field_627:
        at = compared(t, at, end, "on" + (t->request.node - 626), true);
        if (t->request.node != 628) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto field_628;
field_628:    // "con"
    if (at == end)
        STOP(628);
    c = *at++;
    switch (c) {
    case 'n': case 'N':
        goto field_630;
    case 't': case 'T':
        goto field_640;
    }
    UNREAD();
    goto other_name;
field_630:    // "conn"
    if (end - at >= 7 && same32(at, 0x65637469, 0x20202020) && same32(at + 3, 0x696f6e3a, 0x20202000)) {    // "ection:"
        at += 7;
    } else {
        t->request.node = 630;
field_631:
        at = compared(t, at, end, "ection:" + (t->request.node - 630), true);
        if (t->request.node != 637) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto tokens;
field_640:    // "cont"
    if (end - at >= 4 && same32(at, 0x656e742d, 0x20202000)) {    // "ent-"
        at += 4;
    } else {
        t->request.node = 640;
field_641:
        at = compared(t, at, end, "ent-" + (t->request.node - 640), true);
        if (t->request.node != 644) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto field_644;
field_644:    // "content-"
    if (at == end)
        STOP(644);
    c = *at++;
    switch (c) {
    case 'l': case 'L':
        goto field_646;
    case 'e': case 'E':
        goto field_658;
    case 't': case 'T':
        goto field_669;
    }
    UNREAD();
    goto other_name;
field_646:    // "content-l"
    if (end - at >= 6 && same32(at, 0x656e6774, 0x20202020) && same16(at + 4, 0x683a, 0x2000)) {    // "ength:"
        at += 6;
    } else {
        t->request.node = 646;
field_647:
        at = compared(t, at, end, "ength:" + (t->request.node - 646), true);
        if (t->request.node != 652) {
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
field_658:    // "content-e"
    if (end - at >= 8 && same64(at, 0x6e636f64696e673aull, 0x2020202020202000ull)) {    // "ncoding:"
        at += 8;
    } else {
        t->request.node = 658;
field_659:
        at = compared(t, at, end, "ncoding:" + (t->request.node - 658), true);
        if (t->request.node != 666) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto coded;
field_669:    // "content-t"
    if (end - at >= 4 && same32(at, 0x7970653a, 0x20202000)) {    // "ype:"
        at += 4;
    } else {
        t->request.node = 669;
field_670:
        at = compared(t, at, end, "ype:" + (t->request.node - 669), true);
        if (t->request.node != 673) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    t->request.node = 675;
    field_read(t, FIELD_TYPE);
    if (t->request.step != STEP_READ)
        goto leave;
field_675:
    goto skip;
field_679:    // "t"
    if (end - at >= 17 && same64(at, 0x72616e736665722dull, 0x2020202020202000ull) && same64(at + 8, 0x656e636f64696e67ull, 0x2020202020202020ull) && same16(at + 15, 0x673a, 0x2000)) {    // "ransfer-encoding:"
        at += 17;
    } else {
        t->request.node = 679;
field_680:
        at = compared(t, at, end, "ransfer-encoding:" + (t->request.node - 679), true);
        if (t->request.node != 696) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto codings;
field_700:    // "a"
    if (end - at >= 15 && same64(at, 0x63636570742d656eull, 0x2020202020002020ull) && same64(at + 7, 0x6e636f64696e673aull, 0x2020202020202000ull)) {    // "ccept-encoding:"
        at += 15;
    } else {
        t->request.node = 700;
field_701:
        at = compared(t, at, end, "ccept-encoding:" + (t->request.node - 700), true);
        if (t->request.node != 715) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto tokens;
field_719:    // "i"
    if (end - at >= 2 && same16(at, 0x662d, 0x2000)) {    // "f-"
        at += 2;
    } else {
        t->request.node = 719;
field_720:
        at = compared(t, at, end, "f-" + (t->request.node - 719), true);
        if (t->request.node != 721) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto field_721;
field_721:    // "if-"
    if (at == end)
        STOP(721);
    c = *at++;
    switch (c) {
    case 'n': case 'N':
        goto field_723;
    case 'm': case 'M':
        goto field_738;
    }
    UNREAD();
    goto other_name;
field_723:    // "if-n"
    if (end - at >= 10 && same64(at, 0x6f6e652d6d617463ull, 0x2020200020202020ull) && same16(at + 8, 0x683a, 0x2000)) {    // "one-match:"
        at += 10;
    } else {
        t->request.node = 723;
field_724:
        at = compared(t, at, end, "one-match:" + (t->request.node - 723), true);
        if (t->request.node != 733) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    t->request.flags &= (uint16_t)~(1 << BIT_STRONG);
    goto tags;
field_738:    // "if-m"
    if (end - at >= 5 && same32(at, 0x61746368, 0x20202020) && same16(at + 3, 0x683a, 0x2000)) {    // "atch:"
        at += 5;
    } else {
        t->request.node = 738;
field_739:
        at = compared(t, at, end, "atch:" + (t->request.node - 738), true);
        if (t->request.node != 743) {
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
field_750:    // "e"
    if (end - at >= 6 && same32(at, 0x78706563, 0x20202020) && same16(at + 4, 0x743a, 0x2000)) {    // "xpect:"
        at += 6;
    } else {
        t->request.node = 750;
field_751:
        at = compared(t, at, end, "xpect:" + (t->request.node - 750), true);
        if (t->request.node != 756) {
            if (at == end)
                goto leave;
            at++;
            UNREAD();
            goto other_name;
        }
    }
    goto tokens;
