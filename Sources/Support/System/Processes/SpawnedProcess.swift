package import Glibc

/// Another program that this process starts.
package enum SpawnedProcess {
    /// It could not be started.
    package struct CannotStart: Error {
        /// The system's error number.
        package let code: Int32

        package init(code: Int32) { self.code = code }
    }

    /// Starts a program. It blocks and ignores no signal, even if this thread or process does.
    ///
    /// - Parameters:
    ///   - words: The program, which is looked up in `PATH` unless it is a path, and its arguments.
    ///   - actions: What becomes of its descriptors.
    ///   - hasOwnGroup: Whether it is in a process group of its own, so that Ctrl-C does not reach it.
    /// - Returns: Its id.
    package static func start(
        _ words: [String], _ actions: inout posix_spawn_file_actions_t, hasOwnGroup: Bool = false
    ) throws(CannotStart) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
        var texts = words.map { $0.withFileName { strdup($0) } } + [nil]
        defer { for text in texts { free(text) } }
        var identifier: pid_t = 0
        let code = (words.first ?? "").withFileName { program in
            posix_spawnp(&identifier, program, &actions, &attributes, &texts, environ)
        }
        guard code == 0 else { throw CannotStart(code: code) }
        return identifier
    }
}
