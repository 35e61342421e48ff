// SPDX-License-Identifier: MIT
// Prints an application's tables as JSON.
#include <stdio.h>

#include "whit_tables.c"

static void print_octets(const char *name, const uint8_t *octets, size_t len)
{
    printf("\"%s\": \"", name);
    for (size_t i = 0; i < len; i++)
        printf("%02x", octets[i]);
    printf("\",\n");
}

static void print_post(const struct whit_post *post)
{
    printf("\"post\": { \"form\": %d, \"in\": %d, \"in_thread\": %d, \"out\": %d, \"body_max\": %lu, \"types\": %u, "
           "\"state_len\": %u },\n",
           post->form.plain != NULL, post->in != NULL, post->in_thread != NULL, post->out != NULL,
           (unsigned long)post->body_max, post->types, post->state_len);
}

static void print_generator(const struct whit_generator *generator)
{
    printf("\"names\": %u, \"args_len\": %u, \"has_get\": %d, \"has_init_get\": %d, \"writer\": %u, \"state_len\": %u, "
           "\"methods\": %u,\n",
           generator->names, generator->args_len, generator->get.plain != NULL, generator->init_get != NULL,
           generator->writer, generator->state_len, generator->methods);
    printf("\"arguments\": [");
    for (uint8_t i = 0; i < generator->argument_cnt; i++) {
        const struct whit_argument *argument = &generator->arguments[i];
        printf("%s[%u, %u, %u, %u]", i > 0 ? ", " : "", argument->type, argument->offset, argument->size,
               argument->optional);
    }
    printf("], \"words\": [");
    for (uint8_t i = 0; i < generator->argument_cnt; i++)
        printf("%s%u", i > 0 ? ", " : "", generator->arguments[i].words);
    printf("], \"fallbacks\": [");
    for (uint8_t i = 0; i < generator->argument_cnt; i++) {
        uint8_t fallback = generator->arguments[i].fallback;
        printf("%s%lu", i > 0 ? ", " : "", fallback > 0 ? (unsigned long)generator->fallbacks[fallback - 1] : 0);
    }
    printf("],\n");
    if (generator->post != NULL)
        print_post(generator->post);
}

static void print_resource(const struct whit_resource *resource)
{
    size_t head_len = resource->head_len;

    printf("{ \"head_sum\": %u, \"validators_sum\": %u, \"sums\": [", resource->head_sum, resource->validators_sum);
    for (size_t i = 0; i * WHIT_CHUNK < resource->len; i++)
        printf("%s%u", i > 0 ? ", " : "", resource->sums[i]);
    printf("],\n");
    print_octets("head", resource->octets, head_len);
    print_octets("validators", resource->octets, resource->validators_len);
    print_octets("body", resource->octets + head_len, resource->len - head_len);
    if (resource->generator != NULL)
        print_generator(resource->generator);
    printf("\"etag\": %lu, \"persistence\": %u, \"coding\": %u, \"variant_cnt\": %u }", (unsigned long)resource->etag,
           resource->persistence, resource->coding, resource->variant_cnt);
}

int main(void)
{
    whit_application_init();
    printf("{ \"media\": %d,\n", WHIT_WORDS_MEDIA);
    print_octets("words", whit_words, sizeof whit_words);
    print_octets("targets", whit_targets, sizeof whit_targets);
    printf("\"resources\": [\n");
    for (uint16_t i = 0; i < whit_resource_cnt; i++) {
        printf("%s", i > 0 ? ",\n" : "");
        print_resource(&whit_resources[i]);
    }
    printf("] }\n");
    return 0;
}
