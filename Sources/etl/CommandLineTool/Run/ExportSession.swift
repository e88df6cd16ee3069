import Database
import Formats
import FoundationEssentials
import Glibc
import Jobs
import Pipeline
import Queries
import Store
import System

/// A pipeline that ends in `WriteExport`: it writes a file for another program and keeps no store.
///
/// The export is written by the code of `etl export` and `etl convert`.
struct ExportSession {
    private static let option = "--set sink.settings.out"
    private static let lossOption = "--set sink.settings.losses"
    /// The options that matter to the export of a store.
    private static let optionsOfStores = [RunOptions.db.spec, RunOptions.library.spec]
    /// The options that matter to the export of files. Nothing is asked of services.
    private static let optionsOfFiles =
        [RunOptions.catalog.spec, RunOptions.limit.spec, RunOptions.offline.spec] + ReadOptions.all

    let arguments: ParsedArguments
    let console: Console

    /// Runs the pipeline.
    ///
    /// - Parameter path: The file of the definition.
    func run(
        _ definition: PipelineDefinition, files: [String], from path: String
    ) async throws(CommandFailure) -> ExitStatus {
        let settings: Settings
        do throws(ETLError) {
            settings = try WriteExport.settings(of: definition)
            guard definition.sink.stage == WriteExport.name else { throw ReadStore.misplaced }
        } catch {
            throw CommandFailure(error)
        }
        let isOfStore = definition.source.stage == ReadStore.name
        let used = isOfStore ? Self.optionsOfStores : Self.optionsOfFiles
        for spec in RunOptions.all
        where !used.contains(where: { $0.name == spec.name }) && !arguments.texts(of: spec).isEmpty {
            throw CommandFailure(
                .usage, "`--\(spec.name)` has no effect on `\(path)`.",
                advice: "Leave it out.")
        }
        return isOfStore
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
        try check(settings, against: [path], store: store)
        let connection: Connection
        do throws(ETLError) {
            connection = try StoreFile.openForReading(store, waiting: console.lockWaitPolicy)
        } catch {
            throw CommandFailure(error)
        }
        let library = arguments.isExplicit(RunOptions.library) ? arguments[RunOptions.library] : nil
        return try write(connection, of: library, settings)
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
        let names = try FilePatterns.expanded(files)
        let catalogs = DefaultPaths.catalogs(arguments[RunOptions.catalog])
        let others = [path, arguments[ReadOptions.mapping], arguments[ReadOptions.rules]].compactMap { $0 }
        try check(settings, against: names + catalogs + others, store: nil)
        var paths: [String] = []
        defer {
            for (path, name) in zip(paths, names) { ImportRequestBuilder.removeSpool(path, of: name) }
        }
        for name in names { paths.append(try ImportRequestBuilder.file(name)) }
        var reading = ReadSettings(files: paths)
        try ReadOptions.apply(arguments, to: &reading)
        reading.limit = arguments[RunOptions.limit]
        let stop = StopSignal()
        Signals.process.raise(stop) { console.note("Stopping.") }
        var result: Result<ExitStatus, CommandFailure> = .success(.completed)
        do throws(ETLError) {
            try await TemporaryImport(reading, definition, catalogs: catalogs).run(
                stop: stop, observing: console.tell
            ) { (store, job) throws(ETLError) in
                try console.tellFindings(of: job, in: store, named: first)
                result = Result { () throws(CommandFailure) in
                    try write(store, of: nil, settings)
                }
            }
        } catch {
            throw CommandFailure(error, inputs: names)
        }
        return try result.get()
    }

    /// Refuses outputs that would overwrite the input, or each other.
    ///
    /// - Parameters:
    ///   - files: All files that are read.
    ///   - store: The store that is read; nil for none.
    private func check(
        _ settings: Settings, against files: [String], store: String?
    ) throws(CommandFailure) {
        let out = OutputFile(path: settings[WriteExport.out], option: Self.option)
        let losses = settings[WriteExport.losses].map { OutputFile(path: $0, option: Self.lossOption) }
        for output in [out, losses].compactMap({ $0 }) where !output.isStandardOutput {
            let isOfStore = store.map { output.isPart(ofStore: $0) } ?? false
            guard isOfStore || files.contains(where: output.isTheSame) else { continue }
            throw CommandFailure(
                .usage, "`\(output.option)=\(output.path)` would overwrite what is read.",
                advice: "Specify another file with \(output.option)=PATH.")
        }
        if let losses, losses.isTheSame(out.path) {
            throw CommandFailure(
                .usage, "The export and the list of losses both go to `\(out.path)`.",
                advice: "Specify another file with \(Self.lossOption)=PATH.")
        }
    }

    /// Writes the export of an open store.
    private func write(
        _ store: Connection, of library: String?, _ settings: Settings
    ) throws(CommandFailure) -> ExitStatus {
        let (format, out) = (settings[WriteExport.format], settings[WriteExport.out])
        let layout = LayoutOutput.layout(named: format)
        let isFolder = layout?.isFolder ?? false
        if isFolder || [WriteExport.workbook, WriteExport.postgreSQL].contains(format) {
            guard out != WriteExport.standardOutput else {
                throw CommandFailure(
                    .usage, "`\(format)` cannot be written to standard output.",
                    advice: "Name a file or folder with \(Self.option)=PATH.")
            }
        }
        if format == WriteExport.postgreSQL { return try writePostgreSQL(store, of: library, to: out) }
        if format == WriteExport.workbook { return try writeWorkbook(store, of: library, to: out) }
        guard let layout else {
            let format = Export.Format(rawValue: format) ?? .csv
            try passing(to: out) { (sink) throws(ETLError) in
                try Export(store).write(.books, as: format, of: library, addsOtherColumns: true, to: sink)
            }
            return .completed
        }
        let output = try LayoutOutput(
            layout,
            listing: settings[WriteExport.losses].map { OutputFile(path: $0, option: Self.lossOption) },
            named: "\(Self.lossOption)=FILE", console)
        guard !isFolder else {
            do throws(ETLError) {
                _ = try output.write(store, of: library, toFolder: out)
            } catch {
                throw CommandFailure(error)
            }
            return .completed
        }
        try passing(to: out) { (sink) throws(ETLError) in
            _ = try output.write(store, of: library, to: sink)
        }
        return .completed
    }

    private func writeWorkbook(
        _ store: Connection, of library: String?, to out: String
    ) throws(CommandFailure) -> ExitStatus {
        let file = OutputFile(path: out, option: Self.option)
        let output = try WorkbookOutput(file, console)
        do throws(ETLError) {
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
        do throws(ETLError) {
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
        to out: String, _ write: (ByteSink) throws(ETLError) -> Void
    ) throws(CommandFailure) {
        guard out != WriteExport.standardOutput else {
            let pieces = PieceOutput(console)
            do throws(ETLError) {
                try write(pieces.write)
            } catch {
                throw pieces.unwritten ?? CommandFailure(error)
            }
            return
        }
        let file = OutputFile(path: out, option: Self.option)
        try file.checkIsRegular()
        try file.replace(by: write)
    }
}
