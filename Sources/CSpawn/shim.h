#pragma once

// GNU extensions of glibc that Swift's Glibc module hides. With them, no child inherits a descriptor by accident.
// `actions` is a posix_spawn_file_actions_t. Including <spawn.h> here would give its types a second owner.
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int from);
extern int pipe2(int ends[2], int flags);
