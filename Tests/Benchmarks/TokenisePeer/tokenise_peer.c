// `tokenise-peer FILE`: the work of `stage-rate tokenise FILE`, done by zsv's fast engine. It is not part of the
// package: build it where zsv's library and headers are installed (README.md).
#include <stdio.h>
#include <string.h>
#include <zsv.h>

static struct {
    zsv_parser parser;
    size_t records, cells, bytes;
} seen;

static void take(void *ignored) {
    (void)ignored;
    size_t count = zsv_cell_count(seen.parser);
    seen.records++;
    seen.cells += count;
    for (size_t i = 0; i < count; i++) seen.bytes += zsv_get_cell(seen.parser, i).len;
}

int main(int argc, char **argv) {
    struct zsv_opts options;
    memset(&options, 0, sizeof options);
    options.row_handler = take;
    options.scan_engine = 3;
    options.stream = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!options.stream || !(seen.parser = zsv_new(&options))) {
        fprintf(stderr, "usage: tokenise-peer FILE\n");
        return 64;
    }
    while (zsv_parse_more(seen.parser) == zsv_status_ok) {}
    zsv_finish(seen.parser);
    zsv_delete(seen.parser);
    printf("records %zu cells %zu bytes %zu\n", seen.records, seen.cells, seen.bytes);
    return 0;
}
