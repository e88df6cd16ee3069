import Formats
import Pipeline
import Rows
import System

/// The stages for custom pipelines. They take and produce the rows of the input, and stand between
/// `ReadLibrary` and `ValidateISBN`, in any order and number.
enum RowStages {
    static func factories(_ open: @escaping BookStages.Open<LibraryDependencies>) -> [StageFactory] {
        let interpreter = { @Sendable () throws(ETLError) in FormatInterpreter(try open().reading) }
        return [
            StageFactory(
                stage: "FilterRows", summary: "Keeps rows for which a condition is true.",
                settings: [FilterRows.condition.spec]
            ) { FilterRows(where: $0[FilterRows.condition]) },
            StageFactory(
                stage: "MapFields", summary: "Sets fields or columns to the values of expressions.",
                settings: [MapFields.assignments.spec]
            ) { (settings) throws(ETLError) in
                MapFields(settings[MapFields.assignments], interpreter: try interpreter())
            },
            StageFactory(
                stage: "RenameColumns", summary: "Gives columns other names or meanings.",
                settings: [RenameColumns.columns.spec]
            ) { (settings) throws(ETLError) in
                RenameColumns(settings[RenameColumns.columns], interpreter: try interpreter())
            },
            StageFactory(
                stage: "DropColumns", summary: "Removes columns, so that they are neither used nor stored.",
                settings: [DropColumns.columns.spec]
            ) { (settings) throws(ETLError) in
                DropColumns(settings[DropColumns.columns], interpreter: try interpreter())
            },
            StageFactory(
                stage: "DeduplicateRows", summary: "Keeps the first of all rows with the same values.",
                settings: [DeduplicateRows.by.spec]
            ) { DeduplicateRows(by: $0[DeduplicateRows.by]) },
            StageFactory(
                stage: "SampleRows", summary: "Keeps a share of the rows, always the same ones.",
                settings: [SampleRows.share.spec, SampleRows.seed.spec, SampleRows.by.spec]
            ) { settings in
                SampleRows(
                    share: settings[SampleRows.share], seed: UInt64(settings[SampleRows.seed]),
                    by: settings[SampleRows.by])
            },
            StageFactory(
                stage: "CheckExpectations",
                summary: "Rejects rows that are not as expected, warns about them, or stops.",
                settings: [CheckExpectations.expectations.spec]
            ) { CheckExpectations($0[CheckExpectations.expectations]) },
            StageFactory(
                stage: "RunProgram",
                summary: "Lets a program change, split, reject or drop rows, as lines of JSON.",
                settings: [
                    RunProgram.command.spec, RunProgram.timeLimit.spec, RunProgram.restarts.spec,
                    RunProgram.adds.spec, RunProgram.mostRows.spec,
                ]
            ) { (settings) throws(ETLError) in
                RunProgram(
                    settings[RunProgram.command], timeLimit: settings[RunProgram.timeLimit],
                    restarts: settings[RunProgram.restarts], adds: settings[RunProgram.adds],
                    mostRows: settings[RunProgram.mostRows], interpreter: try interpreter(),
                    stop: try open().stop)
            },
            StageFactory(
                stage: "TeeRows", summary: "Also writes the rows to a file, as lines of JSON.",
                settings: [TeeRows.out.spec]
            ) { TeeRows(to: $0[TeeRows.out]) },
        ]
    }
}

extension Flow {
    /// Whether one record may become several rows, so that a job's counts are not the number of records read.
    var multipliesRows: Bool { stages.contains { ($0.stage as? RunProgram)?.mayMultiply == true } }

    /// The flow without stages that write files of their own, for passes over rows that were read before.
    var withoutCopies: Flow {
        var flow = self
        flow.stages.removeAll { $0.stage is TeeRows }
        return flow
    }
}
