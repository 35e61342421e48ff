// SPDX-License-Identifier: MIT
// The field values that change an answer (RFC 9110, 9112); all others are passed over.
#include "http.h"

// aux of these steps: the field in the lower half, the token of a list in the upper one.
#define FIELD(t) ((t)->request.aux & 0x0f)
#define TOKEN(t) ((t)->request.aux >> 4)

// node of STEP_HOST and STEP_LENGTH.
enum { BEFORE, WITHIN, BEHIND };

// node of STEP_PARAMETER: how far "q=0.123" is read.
enum { NO_PARAMETER, AFTER_SEMICOLON, AFTER_Q, AFTER_EQUALS, AFTER_DIGIT, AFTER_POINT, OTHER_PARAMETER = 8 };

// value of an Accept-Encoding line: quality (thousandths) of the coding at hand, best of ours, and of identity + 1.
#define Q_MASK UINT32_C(0x3ff)
#define Q_BEST_SHIFT 10
#define Q_IDENTITY_SHIFT 20

// node of STEP_TAG: hexadecimal digits so far.
#define TAG_DIGITS 8
#define TAG_OTHER 0xff    // not of our form
#define WEAK 0x10         // aux of STEP_TAGS, STEP_TAG

static void mark(struct whit_tcb *t, uint16_t bits)
{
    t->request.marks |= bits;
}

static bool marked(const struct whit_tcb *t, uint16_t bits)
{
    return (t->request.marks & bits) != 0;
}

void field_begin(struct whit_tcb *t, uint8_t field)
{
    static const uint8_t steps[] WHIT_FLASH = {
        [WHIT_HOST] = STEP_HOST, [WHIT_CONNECTION] = STEP_LIST, [WHIT_ACCEPT_ENCODING] = STEP_LIST,
        [WHIT_IF_NONE_MATCH] = STEP_TAGS, [WHIT_IF_MATCH] = STEP_TAGS, [WHIT_CONTENT_LENGTH] = STEP_LENGTH,
        [WHIT_TRANSFER_ENCODING] = STEP_LIST, [WHIT_EXPECT] = STEP_LIST, [WHIT_CONTENT_TYPE] = STEP_VALUE,
        [WHIT_OTHER_FIELD] = STEP_VALUE,
    };
    t->request.step = whit_flash_u8(&steps[field]);
    t->request.aux = field;
    t->request.node = BEFORE;
    t->value = 0;
    if (WHIT_HAS_BODY && field == WHIT_CONTENT_TYPE)
        body_type_begin(t);
    if ((field == WHIT_HOST && marked(t, MARK_HOST)) || (field == WHIT_CONTENT_LENGTH && marked(t, MARK_LENGTH)))
        refuse(t, HTTP_400);
    mark(t, field == WHIT_HOST ? MARK_HOST : field == WHIT_CONTENT_LENGTH ? MARK_LENGTH
            : field == WHIT_IF_NONE_MATCH ? MARK_NONE_MATCH : field == WHIT_IF_MATCH ? MARK_MATCH : 0);
}

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t';
}

// One word between optional white space; true for an octet of the word.
static bool single_word(struct whit_tcb *t, uint8_t c)
{
    if (is_space(c)) {
        if (t->request.node == WITHIN)
            t->request.node = BEHIND;
        return false;
    }
    if (t->request.node == BEHIND) {
        refuse(t, HTTP_400);
        return false;
    }
    t->request.node = WITHIN;
    return true;
}

// Letters, digits, '.', '-' and ':' of a host only go by.
const uint8_t *host_run(const struct whit_tcb *t, const uint8_t *at, const uint8_t *end)
{
    if (t->request.node == WITHIN)
        while (at != end && *at != '/' && ((uint8_t)(*at - '-') < 14 || (uint8_t)((*at | 0x20) - 'a') < 26))
            at++;
    return at;
}

static void host_step(struct whit_tcb *t, uint8_t c)
{
    if (single_word(t, c) && (c == '/' || c == '?' || c == '#' || c == '@' || c == ',' || c == '\\'))
        refuse(t, HTTP_400);
}

static void length_step(struct whit_tcb *t, uint8_t c)
{
    if (!single_word(t, c))
        return;
    if (c < '0' || c > '9')
        refuse(t, HTTP_400);
    else if (t->value < BODY_LENGTH_MAX)    // beyond it stays beyond it: no digit makes it small again
        t->value = t->value * 10 + (uint8_t)(c - '0');
}

static void length_end(struct whit_tcb *t)
{
    if (t->request.node == BEFORE)
        refuse(t, HTTP_400);
    else if (WHIT_HAS_BODY && body_of(t) != NULL)
        body_length(t);
    else if (t->value > BODY_DISCARD_MAX)
        refuse(t, HTTP_413);
    if (t->value != 0)
        mark(t, MARK_BODY);
}

// ------------------------------------------------------------------------------------------------ lists of tokens

static void coding_accepted(struct whit_tcb *t, uint8_t token)
{
    uint32_t q = t->value & Q_MASK, best = t->value >> Q_BEST_SHIFT & Q_MASK;
    if (token == WHIT_TOKEN_IDENTITY)
        t->value = (t->value & ~(Q_MASK << Q_IDENTITY_SHIFT)) | (q + 1) << Q_IDENTITY_SHIFT;
    if ((token != WHIT_TOKEN_GZIP && token != WHIT_TOKEN_BR) || q == 0)
        return;
    mark(t, token == WHIT_TOKEN_GZIP ? MARK_GZIP : MARK_BROTLI);
    if (q > best)
        t->value = (t->value & ~(Q_MASK << Q_BEST_SHIFT)) | q << Q_BEST_SHIFT;
}

static void token_end(struct whit_tcb *t)
{
    uint8_t token = TOKEN(t);
    t->request.step = STEP_LIST;
    t->request.aux = FIELD(t);
    switch (FIELD(t)) {
    case WHIT_ACCEPT_ENCODING:
        coding_accepted(t, token);
        break;
    case WHIT_CONNECTION:
        if (token == WHIT_TOKEN_CLOSE)
            mark(t, MARK_CLOSE);
        break;
    case WHIT_EXPECT:
        if (token != WHIT_TOKEN_CONTINUE)
            refuse(t, HTTP_417);
        if (WHIT_HAS_BODY)
            mark(t, MARK_EXPECT);
        break;
    default:    // Transfer-Encoding: "chunked", once, and nothing behind it
        if (token != WHIT_TOKEN_CHUNKED)
            refuse(t, HTTP_501);
        else if (marked(t, MARK_CODING) || t->request.node != NO_PARAMETER)
            refuse(t, HTTP_400);
        mark(t, MARK_CODING | MARK_BODY);
        break;
    }
}

static void token_known(struct whit_tcb *t)
{
    uint16_t token = automaton_value(whit_words, t->request.node);
    t->request.aux = (uint8_t)(FIELD(t) | (token == NODE_NONE ? WHIT_OTHER_TOKEN : token) << 4);
    t->request.node = NO_PARAMETER;
    t->request.step = STEP_PARAMETER;
    t->value = (t->value & ~Q_MASK) | 1000;
}

static void quality_digit(struct whit_tcb *t, uint8_t c)
{
    static const uint16_t weights[] WHIT_FLASH = {1000, 0, 100, 10, 1};    // by node - AFTER_EQUALS
    uint16_t weight = whit_flash_u16(&weights[t->request.node - AFTER_EQUALS]);
    uint32_t q = t->request.node == AFTER_EQUALS ? 0 : t->value & Q_MASK;
    q += (uint32_t)(c - '0') * weight;
    t->value = (t->value & ~Q_MASK) | (q > 1000 ? 1000 : q);
}

static void parameter_step(struct whit_tcb *t, uint8_t c)
{
    uint16_t node = t->request.node;
    if (c == ',') {
        token_end(t);
    } else if (c == ';') {
        t->request.node = AFTER_SEMICOLON;
    } else if (is_space(c)) {
        return;
    } else if (node == NO_PARAMETER) {
        refuse(t, HTTP_400);    // two tokens without a comma
    } else if (node == AFTER_SEMICOLON && (c | 0x20) == 'q') {
        t->request.node = AFTER_Q;
    } else if ((node == AFTER_Q && c == '=') || (node == AFTER_DIGIT && c == '.')) {
        t->request.node++;
    } else if (node >= AFTER_EQUALS && node != AFTER_DIGIT && node < OTHER_PARAMETER && c >= '0' && c <= '9') {
        quality_digit(t, c);
        t->request.node++;
    } else {
        t->request.node = OTHER_PARAMETER;
    }
}

static void token_step(struct whit_tcb *t, uint8_t c)
{
    if (is_tchar(c)) {
        t->request.node = automaton_step(whit_words, t->request.node, c >= 'A' && c <= 'Z' ? c | 0x20 : c);
    } else {
        token_known(t);
        parameter_step(t, c);
    }
}

static void list_step(struct whit_tcb *t, uint8_t c)
{
    if (c == ',' || is_space(c))
        return;
    t->request.step = STEP_TOKEN;
    t->request.node = WHIT_WORDS_TOKENS;
    token_step(t, c);
}

static void accepted_end(struct whit_tcb *t)
{
    uint32_t identity = t->value >> Q_IDENTITY_SHIFT;
    if (identity > (t->value >> Q_BEST_SHIFT & Q_MASK) + 1)
        t->request.marks &= (uint16_t)~(MARK_GZIP | MARK_BROTLI);    // the client would rather have it plain
}

// ------------------------------------------------------------------------------------------------ entity tags

static uint32_t etag_of(const struct whit_resource *r)
{
    if (WHIT_HAS_STORED && whit_flash_u8(&r->persistence) == WHIT_STORED)
        return content_stored_etag(r);
    return whit_flash_u32(&r->etag);
}

// `value` is the tag of one of the resource's representations?
static void tag_compare(struct whit_tcb *t)
{
    if (t->request.resource >= RESOURCE_SERVER)
        return;
    const struct whit_resource *r = &whit_resources[t->request.resource];
    uint8_t variant_cnt = WHIT_HAS_VARIANTS ? whit_flash_u8(&r->variant_cnt) : 0;
    for (uint8_t i = 0; i <= variant_cnt; i++) {
        if (etag_of(&r[i]) != t->value || t->value == 0)
            continue;
        if (FIELD(t) == WHIT_IF_NONE_MATCH)
            mark(t, (uint16_t)(MARK_KNOWN << i));
        else if ((t->request.aux & WEAK) == 0)
            mark(t, MARK_MATCHED);    // strong comparison (RFC 9110 section 13.1.1)
    }
}

static void tags_step(struct whit_tcb *t, uint8_t c)
{
    if (c == '"') {
        t->request.step = STEP_TAG;
        t->request.node = 0;
        t->value = 0;
    } else if (c == '*') {
        mark(t, FIELD(t) == WHIT_IF_MATCH ? MARK_MATCHED : MARK_KNOWN * ((1 << MARK_KNOWN_BITS) - 1));
    } else if (c == 'W') {
        t->request.aux |= WEAK;
    } else if (c == ',') {
        t->request.aux = FIELD(t);
    } else if (c != '/' && !is_space(c)) {
        t->request.step = STEP_VALUE;    // not a list of tags: nothing in it matches
    }
}

static void tag_step(struct whit_tcb *t, uint8_t c)
{
    if (c == '"') {
        if (t->request.node == TAG_DIGITS)
            tag_compare(t);
        t->request.step = STEP_TAGS;
    } else if (t->request.node >= TAG_DIGITS || hex_value(c) == 16 || (c >= 'A' && c <= 'F')) {
        t->request.node = TAG_OTHER;
    } else {
        t->value = t->value << 4 | hex_value(c);
        t->request.node++;
    }
}

// ------------------------------------------------------------------------------------------------ all of them

void field_step(struct whit_tcb *t, uint8_t c)
{
    switch (t->request.step) {
    case STEP_HOST: host_step(t, c); break;
    case STEP_LIST: list_step(t, c); break;
    case STEP_TOKEN: token_step(t, c); break;
    case STEP_PARAMETER: parameter_step(t, c); break;
    case STEP_TAGS: tags_step(t, c); break;
    case STEP_TAG: tag_step(t, c); break;
    case STEP_LENGTH: length_step(t, c); break;
    case STEP_MEDIA:
        if (WHIT_HAS_BODY)
            body_type_step(t, c);
        break;
    default: break;
    }
}

void field_end(struct whit_tcb *t)
{
    uint8_t step = t->request.step, field = FIELD(t);
    if (step == STEP_TOKEN)
        token_known(t);
    if (t->request.step == STEP_PARAMETER)
        token_end(t);
    if (field == WHIT_ACCEPT_ENCODING)
        accepted_end(t);
    else if (field == WHIT_TRANSFER_ENCODING && !marked(t, MARK_CODING))
        refuse(t, HTTP_400);    // an empty list: others may think that there is one
    else if (step == STEP_LENGTH)
        length_end(t);
    else if (WHIT_HAS_BODY && step == STEP_MEDIA)
        body_type_end(t);
    if (t->request.step != STEP_REFUSED)
        t->request.step = STEP_LINE_LF;
}

void fields_end(struct whit_tcb *t)
{
    bool coding = marked(t, MARK_CODING);
    if ((!marked(t, MARK_HOST) && !t->request.version_1_0) || (coding && (marked(t, MARK_LENGTH) || t->request.version_1_0)))
        refuse(t, HTTP_400);    // RFC 9112 sections 3.2, 6.1
    else if (WHIT_HAS_BODY && body_of(t) != NULL)
        body_fields_end(t);
    else
        t->request.step = STEP_DONE;
}
