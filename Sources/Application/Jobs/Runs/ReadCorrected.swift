import Books
import Bytes
import Formats
import Pipeline
import Store
import System

/// The source of a pass over a job's corrected records. They are read from the store and interpreted like
/// records of the files they came from.
///
/// The sink of such a pass moves no checkpoint. A pass that was stopped or killed starts again and skips what
/// is already stored.
struct ReadCorrected: Source {
    let store: ResultsStore
    var reading: ReadSettings
    /// Whether to skip records that were stored since they were corrected.
    let onlyRejected: Bool

    var batchLimits: BatchLimits {
        get { reading.batchLimits }
        set { reading.batchLimits = newValue }
    }

    func survey() async throws(ETLError) -> SourceSurvey {
        SourceSurvey(recordCount: nil, fingerprints: [])
    }

    func read(from position: Position, into emitter: Emitter<LibraryRows>) async throws(ETLError) {
        var last: RecordPlace?
        while true {
            let rows = try await store.corrected(
                after: last, onlyRejected: onlyRejected, atMost: reading.batchRecords,
                bytes: reading.batchBytes)
            guard let end = rows.last?.position else { return }
            last = RecordPlace(file: end.file, row: end.record)
            var rest = rows[...]
            while let first = rest.first {
                let alike = rest.prefix {
                    $0.layout == first.layout && $0.position.file == first.position.file
                        && $0.dateOrder == first.dateOrder
                }
                rest = rest.dropFirst(alike.count)
                guard try await emit(alike, of: first, to: emitter) else { return }
            }
        }
    }

    /// Emits records with the same file, layout and date order.
    private func emit(
        _ corrected: ArraySlice<CorrectedRow>, of first: CorrectedRow, to emitter: Emitter<LibraryRows>
    ) async throws(ETLError) -> Bool {
        let cells = try StoredRecords(
            first.layout, reading,
            dateOrder: first.dateOrder ?? reading.dateOrder(ofFile: first.position.file))
        var rows = cells.rows
        var rejects: [Reject] = []
        for one in corrected {
            var row = cells.row(one.cells, at: one.position, in: &rows)
            if one.isCutOff { row.isCutOff = true }
            if let reason = row.refusal {
                rejects.append(
                    Reject(
                        position: one.position, stage: reading.stage, code: reason.code,
                        message: reason.message(rows.details(of: row, reason)), raw: [], rawLength: 0))
            } else if one.isDateOpen {
                rejects.append(ambiguousDate(of: row, in: rows))
            } else {
                rows.rows.append(row)
            }
        }
        let end = corrected.last?.position ?? .start
        return await emitter.emit(rows, end: end, recordsRead: corrected.count, rejects: rejects)
    }

    /// The reject of a row with an ambiguous date; the order is not guessed.
    private func ambiguousDate(of row: LibraryRow, in rows: LibraryRows) -> Reject {
        let column = DateColumn.all(of: rows.columns).map(\.column).first { column in
            rows.arena.withBytes(rows.cell(column: column, of: row)) { DateSurvey.isAmbiguous($0) }
        }
        let reason = ReasonCode.dateAmbiguous
        return Reject(
            position: row.position, stage: reading.stage, code: reason.code,
            field: column.map { rows.columns.names[$0] },
            value: column.map { rows.arena[rows.cell(column: $0, of: row)] },
            message: reason.message(), raw: [], rawLength: 0)
    }
}
