import Formats
import FoundationEssentials
import Glibc
import Jobs
import Queries
import Store
import System

/// The files that a run writes in addition to its store. None of them may be a file that the run reads,
/// whether the command line, the environment or the continued job names it.
struct OutputFiles {
    private let arguments: ParsedArguments
    /// The file of `--events`; nil if events go to standard output or nowhere.
    private let events: OutputFile?
    /// The file of `--metrics`.
    private let metrics: OutputFile?

    init(_ arguments: ParsedArguments) {
        self.arguments = arguments
        events = arguments[RunOptions.events].flatMap {
            $0 == "-" ? nil : OutputFile(path: $0, option: "--events")
        }
        metrics = arguments[RunOptions.metrics].map { OutputFile(path: $0, option: "--metrics") }
    }

    /// Opens the output files.
    ///
    /// - Parameter namesJobs: Whether the metrics are of several jobs.
    func open(_ console: Console, namingJobs namesJobs: Bool = false) throws(CommandFailure) -> RunOutputs {
        var stream = arguments[RunOptions.events] == nil ? nil : EventStream(console)
        if let events { stream = EventStream(try events.open(), path: events.path) }
        // The file is written at the end; that it cannot be is known before hours of work.
        try metrics?.checkIsWritable()
        return RunOutputs(
            events: stream, metrics: metrics.map { Metrics($0, namesJobs: namesJobs) })
    }

    /// Throws if an output file would overwrite a file that the run uses. Nothing is opened before this
    /// check.
    ///
    /// - Parameter definition: The file that the pipeline was read from, if any.
    /// - Throws: `.usage` with the name of the file.
    func check(against request: ImportRequest, definition: String?) throws(CommandFailure) {
        let files = [events, metrics].compactMap { $0 }
        guard !files.isEmpty else { return }
        // If the job cannot be looked up, the run fails after this, and the files state it.
        let job = try? ImportJob.jobToContinue(request)
        // Standard input may be a file too, for example when a command in a shell loop reads the loop's list.
        var others = Definitions.configurationPaths + ["/dev/stdin"]
        let keys = try ServiceSetup().keyFile
        others += [definition, arguments[ReadOptions.mapping], keys].compactMap { $0 }
        for file in files { try file.check(against: request, job: job, others: others) }
        if let events, let metrics, events.isTheSame(metrics.path) {
            throw CommandFailure(
                .usage,
                "`--events` and `--metrics` both write to `\(metrics.path)`.",
                advice: "Specify another file with --metrics.")
        }
    }
}

/// A file that a run writes in addition to its store: `--events`, `--metrics`. A pipe, device or link is
/// written through; a regular file is replaced.
struct OutputFile {
    let path: String
    /// The option that named it: `--events`.
    let option: String
    /// The path in messages; nil for ``path``.
    let named: String?

    /// - Parameter path: `-` is standard output.
    init(path: String, option: String, named: String? = nil) {
        self.path = path == "-" ? "/dev/stdout" : path
        self.option = option
        self.named = named ?? (path == "-" ? path : nil)
    }

    /// Whether it is standard output.
    var isStandardOutput: Bool { openDescriptor == STDOUT_FILENO }

    /// Throws if writing would overwrite a file that the run reads, its store, or a catalog.
    ///
    /// - Parameters:
    ///   - job: The job that the run continues, which has its own files.
    ///   - others: Other files that are read.
    /// - Throws: `.usage` with the name of the file.
    func check(against request: ImportRequest, job: Job?, others: [String]) throws(CommandFailure) {
        let options = job?.options?.options ?? [:]
        var read = request.reading.files + [request.corrected?.path].compactMap { $0 } + others
        if request.reading.files.isEmpty { read += job?.files ?? [] }
        read += options[.mapping] ?? []
        let catalogs = request.catalogPaths + (options[.catalog] ?? [])
        let overwritten: String? =
            if read.contains(where: isTheSame) {
                "an input of the run"
            } else if isPart(ofStore: request.storePath) {
                "the store"
            } else if catalogs.contains(where: isTheSame) { "the catalog" } else { nil }
        guard let overwritten else { return }
        throw overwriting(overwritten)
    }

    /// Throws if writing would overwrite a command's input.
    ///
    /// - Parameters:
    ///   - store: The store that it reads; nil for none.
    ///   - input: The file that it reads; nil for none.
    /// - Throws: `.usage` with the name of the file.
    func check(againstStore store: String?, input: String?) throws(CommandFailure) {
        let overwritten: String? =
            if let store, isPart(ofStore: store) {
                "the store"
            } else if let input, isTheSame(input) { "the input" } else { nil }
        guard let overwritten else { return }
        throw overwriting(overwritten)
    }

    private func overwriting(_ overwritten: String) -> CommandFailure {
        CommandFailure(
            .usage, "`\(option) \(named ?? path)` would overwrite \(overwritten).",
            advice: "Specify another file with \(option).")
    }

    /// Whether a path is a store's file, or one of those that belong to it.
    func isPart(ofStore store: String) -> Bool { isTheSame(store) || StoreFile.has(path, in: store) }

    /// Whether a path is the same file, even under another name. A file that does not exist yet is compared
    /// by its path.
    func isTheSame(_ other: String) -> Bool {
        var (own, others) = (stat(), stat())
        guard FileSystem.stat(path, &own) == 0, FileSystem.stat(other, &others) == 0 else {
            return FileName.areSame(StorePath.real(path), StorePath.real(other))
        }
        // A device can be read and written at the same time.
        return own.st_mode & S_IFMT == S_IFREG && own.st_dev == others.st_dev && own.st_ino == others.st_ino
    }

    /// Opens the file for writing, emptying it. An open file of this process, such as `/dev/stdout`, is
    /// continued: opening it again would overwrite its contents.
    func open() throws(CommandFailure) -> FileOutlet {
        try check()
        let descriptor =
            openDescriptor.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
            ?? WritableFile.open(path, O_CREAT | O_TRUNC, mode: 0o666)
        guard descriptor >= 0 else { throw failure(WritableFile.reason) }
        return FileOutlet(descriptor: descriptor)
    }

    /// The descriptor that the path is a name of; nil if it is the name of a file.
    private var openDescriptor: Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                return Int32(path.dropFirst(folder.count))
            }
            return nil
        }
    }

    /// Throws if ``replace(with:)`` could not write now.
    func checkIsWritable() throws(CommandFailure) {
        guard openDescriptor == nil else { return }
        if let status = try check(), status.st_mode & S_IFMT != S_IFREG {
            guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(String(cString: strerror(EISDIR))) }
            guard FileSystem.access(path, W_OK) == 0 else { throw failure(String(cString: strerror(errno))) }
            return
        }
        let (descriptor, part) = try createPart(mode: 0o600)
        close(descriptor)
        FileSystem.unlink(part.path)
    }

    /// Creates the file that later replaces this one. Its name is random and links are not followed, so that no
    /// other file is overwritten.
    private func createPart(mode: mode_t) throws(CommandFailure) -> (descriptor: Int32, file: OutputFile) {
        guard let part = PartFile.create(besides: StorePath.real(path), mode: mode) else {
            throw failure(String(cString: strerror(errno)))
        }
        return (part.descriptor, OutputFile(path: part.path, option: option, named: path))
    }

    /// Whether it is a regular file, or none yet.
    private var isRegular: Bool {
        var status = stat()
        return openDescriptor == nil
            && (FileSystem.stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG)
    }

    /// Throws if it is a pipe, a device or a folder.
    func checkIsRegular() throws(CommandFailure) {
        guard !isRegular else { return }
        throw failure("it is not a regular file")
    }

    /// Replaces the contents. A regular file is replaced by renaming, so that no reader sees half of it.
    func replace(with text: String) throws(CommandFailure) {
        let bytes = Array(text.utf8)
        try replace { (sink) throws(ETLError) in
            try bytes.withUnsafeBufferPointer { (bytes) throws(ETLError) in
                try sink(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    /// Replaces the contents by what `body` passes on. A regular file is replaced when that is complete.
    func replace(by body: (ByteSink) throws(ETLError) -> Void) throws(CommandFailure) {
        guard isRegular else { return try pass(body, to: open()) }
        try replacePart { descriptor, part throws(CommandFailure) in
            try part.pass(body, to: FileOutlet(descriptor: descriptor))
        }
    }

    /// Replaces a regular file by what `write` writes to the path that it is given.
    func replaceFile(_ write: (String) throws(CommandFailure) -> Void) throws(CommandFailure) {
        try replacePart { descriptor, part throws(CommandFailure) in
            close(descriptor)
            try write(part.path)
        }
    }

    /// Replaces a regular file by another one, which `write` closes. The new one is on the disk before it has the name.
    private func replacePart(
        _ write: (Int32, OutputFile) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let permissions = (try check()?.st_mode ?? 0) & 0o777
        let real = StorePath.real(path)
        PartFile.removeAbandoned(besides: real, isFolder: false)
        let (descriptor, part) = try createPart(mode: permissions == 0 ? 0o666 : permissions)
        let held = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        defer { close(held) }
        do throws(CommandFailure) {
            try write(descriptor, part)
            guard fsync(held) == 0, FileSystem.rename(part.path, real) == 0 else {
                throw failure(String(cString: strerror(errno)), .inputOutput)
            }
            _ = DescriptorWriter.synchronize(FolderPath.of(real))
        } catch {
            FileSystem.unlink(part.path)
            throw error
        }
    }

    /// Checks the path before anything is written. A store is somebody's library, even if it is not the one of this
    /// command.
    ///
    /// - Returns: The file that is there; nil if none is, or if the path is the name of an open file.
    @discardableResult
    private func check() throws(CommandFailure) -> stat? {
        guard openDescriptor == nil else { return nil }
        guard path.utf8.last != UInt8(ascii: "/") else {
            throw failure("it ends with a slash, as the name of a folder")
        }
        var status = stat()
        guard FileSystem.stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure(String(cString: strerror(errno))) }
            return nil
        }
        if StoreFile.isStore(path) { throw overwriting("a store") }
        return status
    }

    /// Writes what `body` passes on.
    private func pass(
        _ body: (ByteSink) throws(ETLError) -> Void, to file: FileOutlet
    ) throws(CommandFailure) {
        do throws(ETLError) {
            try body { (bytes) throws(ETLError) in
                let code = file.write(bytes)
                guard code != 0 else { return }
                throw ETLError(
                    .inputOutput, "`\(named ?? path)` cannot be written: \(String(cString: strerror(code))).",
                    advice: "Specify another file with \(option).")
            }
        } catch {
            throw CommandFailure(error)
        }
    }

    private func failure(_ reason: String, _ status: ExitStatus = .cannotCreate) -> CommandFailure {
        CommandFailure(
            status,
            "`\(named ?? path)` cannot be written: \(reason).",
            advice: "Specify another file with \(option).")
    }
}

/// The open output files of a run. A command that continues several jobs opens them once and shares them:
/// opened again, a file would only contain the last job.
struct RunOutputs: Sendable {
    let events: EventStream?
    let metrics: Metrics?
}
