import Glibc

/// The folder in which SQLite keeps what it has no room for in memory, rows to be sorted above all.
enum TemporaryDirectory {
    /// That of this process.
    static var sqlite: String {
        first(of: [named("SQLITE_TMPDIR"), named("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp"])
    }

    /// The first folder that can be written, which is how SQLite chooses; this one where none can.
    static func first(of folders: [String?]) -> String {
        let found = folders.compactMap(\.self).first { folder in
            var status = stat()
            return stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                && access(folder, W_OK | X_OK) == 0
        }
        return found ?? "."
    }

    private static func named(_ variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
}
