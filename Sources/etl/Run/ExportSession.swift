import Application
import Books
import Database
import FoundationEssentials
import Glibc
import Pipeline

/// A pipeline that ends in `WriteExport`: it writes a file for another program and keeps no store.
///
/// The export is written by the code of `etl export` and `etl convert`.
struct ExportSession {
    private static let option = "sink.settings.out"
    /// The options that such a pipeline has besides those that say how files are read.
    private static let options = [
        RunOptions.db.spec, RunOptions.catalog.spec, RunOptions.library.spec, RunOptions.offline.spec,
        RunOptions.limit.spec,
    ]

    let arguments: ParsedArguments
    let console: Console

    /// Runs the pipeline.
    ///
    /// - Parameter path: The file of the definition.
    func run(
        _ definition: PipelineDefinition, files: [String], from path: String
    ) async throws(CommandFailure) -> ExitStatus {
        let settings: Settings
        do throws(StageFailure) {
            settings = try WriteExport.settings(of: definition)
            guard definition.sink.stage == WriteExport.name else { throw ReadStore.misplaced }
        } catch {
            throw CommandFailure(error)
        }
        let used = Self.options + ReadOptions.all
        for spec in RunOptions.all
        where !used.contains(where: { $0.name == spec.name }) && !arguments.texts(of: spec).isEmpty {
            throw CommandFailure(
                .usage, "`--\(spec.name)` has no effect on `\(path)`, which keeps no store.",
                advice: "Leave it out.")
        }
        return definition.source.stage == ReadStore.name
            ? try write(storeWithout: files, settings, path)
            : try await write(files, by: definition, settings, path)
    }

    /// Exports a store.
    private func write(
        storeWithout files: [String], _ settings: Settings, _ path: String
    ) throws(CommandFailure) -> ExitStatus {
        guard files.isEmpty else {
            throw CommandFailure(
                .usage, "`\(path)` reads a store and takes no files.", advice: "Name the store with --db.")
        }
        let store = DefaultPaths.store(arguments, RunOptions.db)
        let connection: Connection
        do throws(StageFailure) {
            connection = try StoreFile.openForReading(store, waiting: console.lockWaitPolicy)
        } catch {
            throw CommandFailure(error)
        }
        let library = arguments.isExplicit(RunOptions.library) ? arguments[RunOptions.library] : nil
        return try write(connection, of: library, settings, reading: store, nil)
    }

    /// Imports files into a temporary store and exports that.
    private func write(
        _ files: [String], by definition: PipelineDefinition, _ settings: Settings, _ path: String
    ) async throws(CommandFailure) -> ExitStatus {
        guard let first = files.first else {
            throw CommandFailure(
                .usage, "`etl run` needs a FILE for `\(path)`.",
                advice: "Specify an input file; - is standard input.")
        }
        var paths: [String] = []
        defer {
            for (path, name) in zip(paths, files) { ImportRequestBuilder.removeSpool(path, of: name) }
        }
        for file in try FilePatterns.expanded(files) { paths.append(try ImportRequestBuilder.file(file)) }
        var reading = ReadSettings(files: paths)
        try ReadOptions.apply(arguments, to: &reading)
        reading.limit = arguments[RunOptions.limit]
        let stop = StopSignal()
        Signals.process.raise(stop) { console.note("Stopping.") }
        var result: Result<ExitStatus, CommandFailure> = .success(.completed)
        do throws(StageFailure) {
            let catalogs = DefaultPaths.catalogs(arguments[RunOptions.catalog])
            try await TemporaryImport(reading, definition, catalogs: catalogs).run(stop: stop) {
                (store, job) throws(StageFailure) in
                try console.warnAboutRejects(of: job, in: store, named: first)
                result = Result { () throws(CommandFailure) in
                    try write(store, of: nil, settings, reading: nil, first)
                }
            }
        } catch {
            throw CommandFailure(error, inputs: files)
        }
        return try result.get()
    }

    /// Writes the export of an open store.
    ///
    /// - Parameters:
    ///   - path: The store, which must not be overwritten; nil if it is a temporary one.
    ///   - input: The file that was read; nil for none.
    private func write(
        _ store: Connection, of library: String?, _ settings: Settings, reading path: String?,
        _ input: String?
    ) throws(CommandFailure) -> ExitStatus {
        let (format, out) = (settings[WriteExport.format], settings[WriteExport.out])
        if [WriteExport.workbook, WriteExport.postgreSQL].contains(format) {
            guard out != WriteExport.standardOutput else {
                throw CommandFailure(
                    .usage, "`\(format)` cannot be written to standard output.",
                    advice: "Name a file or folder with --set \(Self.option)=PATH.")
            }
            return format == WriteExport.postgreSQL
                ? try writePostgreSQL(store, of: library, to: out)
                : try writeWorkbook(store, of: library, to: out, reading: path, input)
        }
        guard let layout = LayoutOutput.layout(named: format) else {
            let format = Export.Format(rawValue: format) ?? .csv
            try passing(to: out, reading: path, input) { (sink) throws(StageFailure) in
                try Export(store).write(.books, as: format, of: library, addsOtherColumns: true, to: sink)
            }
            return .completed
        }
        let output = try LayoutOutput(
            layout, listing: settings[WriteExport.losses], of: "sink.settings.losses", console)
        try passing(to: out, reading: path, input) { (sink) throws(StageFailure) in
            _ = try output.write(store, of: library, to: sink)
        }
        return .completed
    }

    private func writeWorkbook(
        _ store: Connection, of library: String?, to out: String, reading path: String?, _ input: String?
    ) throws(CommandFailure) -> ExitStatus {
        let file = OutputFile(path: out, option: Self.option)
        let output = try WorkbookOutput(file, reading: path, input: input, console)
        do throws(StageFailure) {
            try output.write(of: store, in: library, addingOtherColumns: true)
        } catch {
            throw output.unwritten ?? CommandFailure(error)
        }
        return .completed
    }

    private func writePostgreSQL(
        _ store: Connection, of library: String?, to folder: String
    ) throws(CommandFailure) -> ExitStatus {
        guard library == nil else {
            throw CommandFailure(
                .usage, "`postgresql` writes all libraries of a store.",
                advice: "Leave out --library; the tables have a column `library`.")
        }
        do throws(StageFailure) {
            for table in try PostgreSQLExport(store).write(to: folder) {
                console.note("\(table.name): \(HumanText.count(table.rows, "row"))")
            }
        } catch {
            throw CommandFailure(error)
        }
        console.note("Load them with (cd \(ShellWord.of(folder)) && psql --dbname=DATABASE --file=load.sql).")
        return .completed
    }

    /// Passes what `write` writes to standard output, or to a file that is replaced when it is complete.
    private func passing(
        to out: String, reading store: String?, _ input: String?,
        _ write: (ByteSink) throws(StageFailure) -> Void
    ) throws(CommandFailure) {
        guard out != WriteExport.standardOutput else {
            let pieces = PieceOutput(console)
            do throws(StageFailure) {
                try write(pieces.write)
            } catch {
                throw pieces.unwritten ?? CommandFailure(error)
            }
            return
        }
        let file = OutputFile(path: out, option: Self.option)
        if [store, input].compactMap({ $0 }).contains(where: file.isTheSame) {
            throw CommandFailure(
                .usage, "`\(Self.option)=\(out)` would overwrite what is read.",
                advice: "Specify another file with --set \(Self.option)=PATH.")
        }
        try file.checkIsRegular()
        try file.replaceFile { part throws(CommandFailure) in
            let outlet = try OutputFile(path: part, option: Self.option, named: out).open()
            do throws(StageFailure) {
                try write { bytes throws(StageFailure) in
                    guard outlet.write(bytes) != 0 else { return }
                    throw StageFailure(.inputOutput, "`\(out)` cannot be written.")
                }
            } catch {
                throw CommandFailure(error)
            }
        }
    }
}
