import Formats
package import Pipeline
import Queries
package import Store
package import System

/// The sink of pipelines that write a file for another program.
///
/// The results of a run are collected in a temporary store, as those of `etl convert` are. The export is written from
/// it when it is complete, because a layout surveys all entries before it writes the first one.
package struct WriteExport: Sink {
    /// Its name in pipeline files.
    package static let name = "WriteExport"
    /// The formats that are not layouts of programs and not those of ``Export/Format``.
    package static let workbook = "xlsx"
    package static let postgreSQL = "postgresql"
    /// Stands for standard output.
    package static let standardOutput = "-"

    package static let format = Setting.choice(
        "format", default: Export.Format.csv.rawValue,
        of: Export.Format.allCases.map(\.rawValue) + [workbook, postgreSQL]
            + LibraryFormats.layouts.map(\.name),
        "Format of the export, or the program to write for.")
    package static let out = Setting.text(
        "out", default: standardOutput,
        "File to write, or folder for `postgresql` and `calibre-library`; `-` is standard output.")
    package static let losses = Setting<String?>.text(
        "losses", "File for a CSV of all values that the program cannot hold.")

    private let results: WriteResults

    /// - Parameter results: Writes into the temporary store.
    init(_ results: WriteResults) { self.results = results }

    package var batchesPerCommit: Int { results.batchesPerCommit }
    package var defersCommit: Bool { results.defersCommit }
    package var executor: (any TaskExecutor)? { results.executor }

    package func write(_ batch: consuming Batch<ResultBatch>) async throws(ETLError) {
        try await results.write(batch)
    }

    package func write(_ batches: consuming [Batch<ResultBatch>]) async throws(ETLError) {
        try await results.write(batches)
    }

    package func commit(through end: Position) async throws(ETLError) {
        try await results.commit(through: end)
    }

    package func finish() async throws(ETLError) { try await results.finish() }

    /// The settings of the sink of a definition.
    ///
    /// - Throws: `configuration` if the definition is wrong.
    package static func settings(of definition: PipelineDefinition) throws(ETLError) -> Settings {
        try BookStages.plan(definition).sink.settings
    }
}

/// The source of pipelines that write a store for another program. No record passes: ``WriteExport`` reads the store
/// itself, so that nothing is looked up again.
package struct ReadStore: Source {
    /// Its name in pipeline files.
    package static let name = "ReadStore"

    /// Without ``WriteExport`` there is nothing that it can be read for.
    package static let misplaced = ETLError(
        .configuration, "`ReadStore` can only be the source of a pipeline that ends in `WriteExport`.",
        advice: "To read a store's entries as rows, use `ReadLibrary`.")

    package var batchLimits = BatchLimits()

    package func survey() async throws(ETLError) -> SourceSurvey {
        SourceSurvey(recordCount: nil, fingerprints: [])
    }

    package func read(
        from position: Position, into emitter: Emitter<ResultBatch>
    ) async throws(ETLError) {}
}
