import Application
import Books
import Foundation
import Pipeline

/// The files that a command line has a run write beside its store. None of them may be one that the run reads, whoever
/// names that: the command line, the environment, or the job that the run goes on with.
struct OutputFiles {
    private let arguments: ParsedArguments
    /// That of `--events`, which may be standard output instead.
    private let events: OutputFile?
    /// That of `--metrics`.
    private let metrics: OutputFile?

    init(_ arguments: ParsedArguments) {
        self.arguments = arguments
        events = arguments[RunOptions.events].flatMap {
            $0 == "-" ? nil : OutputFile(path: $0, option: "--events")
        }
        metrics = arguments[RunOptions.metrics].map { OutputFile(path: $0, option: "--metrics") }
    }

    /// Opens what is written while the run goes on.
    ///
    /// - Parameter namesJobs: Whether the metrics tell of several jobs.
    func open(_ console: Console, namingJobs namesJobs: Bool = false) throws(CommandFailure) -> RunOutputs {
        var stream = arguments[RunOptions.events] == nil ? nil : EventStream(console)
        if let events { stream = EventStream(try events.open(), path: events.path) }
        return RunOutputs(
            events: stream, metrics: metrics.map { Metrics($0, namesJobs: namesJobs) })
    }

    /// Refuses what a run of an order would overwrite, before anything is opened.
    ///
    /// - Parameter definition: The file that its pipeline was read from, if there is one.
    /// - Throws: `.usage` naming the file, and what keeps the order's job from being looked up.
    func check(against order: ImportRequest, definition: String?) throws(CommandFailure) {
        let files = [events, metrics].compactMap { $0 }
        guard !files.isEmpty else { return }
        let job: Job?
        do throws(StageFailure) {
            job = try ImportJob.known(order)
        } catch {
            throw CommandFailure(error, inputs: order.reading.files)
        }
        // Standard input may be a file too: a command in a loop reads the loop's list.
        var others = Definitions.configurationPaths + ["/dev/stdin"]
        let keys = try ServiceSetup().keyFile
        others += [definition, arguments[ReadOptions.mapping], keys].compactMap { $0 }
        for file in files { try file.check(against: order, job: job, others: others) }
        if let events, let metrics, events.isTheSame(metrics.path) {
            throw CommandFailure(
                .usage,
                "--events and --metrics lead to one file, \(metrics.path): one would overwrite the other.",
                advice: "Name another file with --metrics.")
        }
    }
}

/// A file that a run writes beside its store: `--events`, `--metrics`. A pipe, a device or a link is written to as it
/// is; a file is written anew.
struct OutputFile {
    let path: String
    /// What named it: `--events`.
    let option: String

    /// Refuses what would empty a file that the run reads, or its store, before anything is opened.
    ///
    /// - Parameters:
    ///   - job: The job that the run goes on with, which has files of its own.
    ///   - others: What is read besides.
    /// - Throws: `.usage` naming the file.
    func check(against order: ImportRequest, job: Job?, others: [String]) throws(CommandFailure) {
        let store = ["", "-wal", "-shm", "-journal", ".lock"].map { StorePath.real(order.storePath) + $0 }
        let options = job?.terms?.options ?? [:]
        var read = order.reading.files + [order.rejects].compactMap { $0 } + others
        if order.reading.files.isEmpty { read += job?.files ?? [] }
        read += options[.mapping] ?? []
        for (files, what) in [
            (read, "a file that is read"), (store, "the results store"),
            (order.catalogPaths + (options[.catalog] ?? []), "the catalog"),
        ] where files.contains(where: isTheSame) {
            throw CommandFailure(
                .usage, "\(option) \(path) is \(what), and would be overwritten.",
                advice: "Name another file with \(option).")
        }
    }

    /// Whether a path leads to the same file, by whatever name. What is not there yet is known by its path.
    func isTheSame(_ other: String) -> Bool {
        var (own, others) = (stat(), stat())
        guard stat(path, &own) == 0, stat(other, &others) == 0 else {
            return StorePath.real(path) == StorePath.real(other)
        }
        // A device may be read and written.
        return own.st_mode & S_IFMT == S_IFREG && own.st_dev == others.st_dev && own.st_ino == others.st_ino
    }

    /// Opens it to be written from its beginning.
    func open() throws(CommandFailure) -> FileHandle {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes it whole: a file beside it is renamed, so that nobody ever sees half of it.
    func replace(with text: String) throws(CommandFailure) {
        var status = stat()
        let isFile = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        do {
            if isFile {
                try Data(text.utf8).write(
                    to: URL(fileURLWithPath: StorePath.real(path)), options: .atomic)
            } else {
                try open().write(contentsOf: Data(text.utf8))
            }
        } catch {
            throw failure(error.localizedDescription)
        }
    }

    private func failure(_ reason: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate,
            "\(path) cannot be written: \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason).",
            advice: "Name another file with \(option).")
    }
}

/// What is told of runs beside the terminal. A command that goes on with several jobs opens it once and lends it to each
/// of their sessions: opened anew, a file would hold the last job alone.
struct RunOutputs: Sendable {
    let events: EventStream?
    let metrics: Metrics?
}
