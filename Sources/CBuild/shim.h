#pragma once

/// The commit and its date, as in `7a3cb09 2026-11-23`: linked in by `make build` (.ci/commit), absent from other builds.
/// A weak symbol, so that a new commit costs a link and no compilation.
extern const char etl_commit[] __attribute__((weak));

/// The commit and its date; NULL if the build did not say.
static inline const char *etl_build_commit(void) { return etl_commit ? etl_commit : 0; }
