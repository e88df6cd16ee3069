import Contract
import Glibc
import Queries
import Store
import System

/// `etl backup`: copies a store into a file.
enum BackupCommand: Command {
    static let file = Argument.one("FILE", "File to write")
    static let force = Option.flag("force", "Replace the file if it exists")

    static let spec = CommandSpec(
        "backup", summary: "Copy a store into one file, also while it is in use",
        details: [
            "The copy is one state of the store: libraries, history, rejected rows, cached answers. Imports and the "
                + "server go on meanwhile.",
            "It is written to a temporary file next to FILE, synced, and read back: SQLite checks it, and its schema "
                + "version and its numbers of works, editions, entries and jobs must be those of the store. Then it "
                + "gets its name, so FILE is always a whole backup.",
            "To restore it, stop the server, put a copy of FILE in the store's place, and delete the files "
                + "next to it that end in `-wal`, `-shm`, `-journal`, `.answers` and `.search`.",
        ],
        arguments: [file.spec], options: [force.spec, StoreOptions.db.spec, StoreOptions.json.spec],
        examples: [
            .init("etl backup library-monday.sqlite", "Back up library.sqlite"),
            .init("etl backup --force /mnt/disk/library.sqlite", "Replace the last backup"),
            .init("etl export --what all --db library-monday.sqlite | sha256sum", "Compute its checksum"),
        ])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let (store, path) = (DefaultPaths.store(arguments), arguments[file])
        try check(path, store: store, isReplaced: arguments[force])
        let clock = SystemClock()
        let started = clock.nanoseconds()
        let backup = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            try StoreBackup.write(connection, to: path)
        }
        let seconds = Double(clock.nanoseconds() - started) / 1e9
        if arguments[StoreOptions.json] {
            try console.writeJSON { BackupReport(backup, path: path, seconds: seconds).write(into: &$0) }
            return .completed
        }
        let counts = backup.counts
        try console.writeText(
            "Wrote `\(path)` (\(HumanText.bytes(backup.bytes))) in \(HumanText.duration(seconds: seconds)), and read it back."
        )
        try console.writeText(
            "It has \(HumanText.count(counts.works, "work")), \(HumanText.count(counts.editions, "edition")), "
                + "\(HumanText.count(counts.entries, "entry", plural: "entries")) and \(HumanText.count(counts.jobs, "job"))."
        )
        return .completed
    }

    /// Refuses to overwrite what is not an earlier backup.
    private static func check(
        _ path: String, store: String, isReplaced: Bool
    ) throws(CommandFailure) {
        let other: UserText = "Specify another file."
        if OutputFile(path: path, option: "FILE").isPart(ofStore: store) {
            throw CommandFailure(.usage, "`\(path)` is the store, or belongs to it.", advice: other)
        }
        if path == "-" || path.hasSuffix("/") || StoreFile.refusal(of: path) != nil {
            throw CommandFailure(.usage, "`\(path)` cannot be a backup: it is not a file.", advice: other)
        }
        if let ending = StoreFile.traceOfUse(of: path) {
            throw CommandFailure(
                .cannotCreate, "There is a file `\(path)\(ending)`: `\(path)` is or was a store in use.",
                advice: "Specify another file, or delete that one if nothing uses it.")
        }
        guard !isReplaced, FileSystem.access(path, F_OK) == 0 else { return }
        throw CommandFailure(
            .cannotCreate, "`\(path)` exists.", advice: "Specify another file, or replace it with --force.")
    }
}
