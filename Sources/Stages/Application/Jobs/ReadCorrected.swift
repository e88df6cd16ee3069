import Books
import Bytes
import Pipeline

/// The source of a pass over a job's mended records: they are read from the store, and interpreted as those of the
/// files they came from.
///
/// The sink of such a pass moves no checkpoint. A pass that was stopped or killed is begun anew, and leaves out what
/// was stored by then.
struct ReadCorrected: Source {
    let store: ResultsStore
    var reading: ReadSettings
    /// Whether records are left out that were stored since they were mended.
    let onlyRejected: Bool

    var batchLimits: BatchLimits {
        get { reading.batchLimits }
        set { reading.batchLimits = newValue }
    }

    func survey() async throws(StageFailure) -> SourceSurvey {
        SourceSurvey(recordCount: nil, fingerprints: [])
    }

    func read(from position: Position, into outlet: Emitter<LibraryRows>) async throws(StageFailure) {
        var last: RecordPlace?
        while true {
            let rows = try await store.mended(
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
                guard try await hand(alike, of: first, to: outlet) else { return }
            }
        }
    }

    /// Hands over records of one file, layout and order of dates.
    private func hand(
        _ mended: ArraySlice<CorrectedRow>, of first: CorrectedRow, to outlet: Emitter<LibraryRows>
    ) async throws(StageFailure) -> Bool {
        let layout = first.layout
        let format = try reading.format(of: layout)
        var columns = reading.columns(of: layout, by: format)
        columns.dateOrder = first.dateOrder ?? reading.dateOrder(ofFile: first.position.file)
        let areNamed =
            !(format is any HeaderlessFormat)
            && layout.names != HeaderNames.numbered(layout.names.count)
        let shapes = ColumnShapes(columns, areNamed: areNamed)
        var rows = LibraryRows(columns: columns)
        var rejects: [Reject] = []
        for one in mended {
            let firstCell = rows.cells.count
            for cell in one.cells { rows.cells.append(rows.arena.append(cell)) }
            var row = LibraryRow(
                position: one.position, raw: .none, cells: firstCell..<rows.cells.count)
            if one.cells.count != layout.names.count {
                rows.align(&row, to: shapes, delimiter: nil)
            }
            if row.refusal == nil { format.interpret(&row, in: &rows) }
            if one.isCutOff { row.isCutOff = true }
            if let reason = row.refusal {
                rejects.append(
                    Reject(
                        position: one.position, stage: reading.stage, code: reason.code,
                        message: reason.message(rows.particulars(of: row, reason)), raw: [], rawLength: 0))
            } else if one.isDateOpen {
                rejects.append(openDate(of: row, in: rows))
            } else {
                rows.rows.append(row)
            }
        }
        let end = mended.last?.position ?? .start
        return await outlet.emit(rows, end: end, recordsRead: mended.count, rejects: rejects)
    }

    /// What turns a record away whose date may be read in two ways: it is not guessed in which.
    private func openDate(of row: LibraryRow, in rows: LibraryRows) -> Reject {
        let column = DateColumn.all(of: rows.columns).map(\.column).first { column in
            rows.arena.withBytes(rows.cell(column: column, of: row)) { DateSurvey.isOpen($0) }
        }
        let reason = ReasonCode.dateAmbiguous
        return Reject(
            position: row.position, stage: reading.stage, code: reason.code,
            field: column.map { rows.columns.names[$0] },
            value: column.map { rows.arena[rows.cell(column: $0, of: row)] },
            message: reason.message(), raw: [], rawLength: 0)
    }
}

extension ReadSettings {
    /// What reads records of a layout.
    func format(of layout: CorrectedRow.Layout) throws(StageFailure) -> any LibraryFormat {
        if let mapping { return MappedFormat(mapping) }
        return try LibraryFormats.named(layout.profile)
    }

    /// What the columns of a layout mean to the format that reads them.
    func columns(of layout: CorrectedRow.Layout, by format: any LibraryFormat) -> ColumnMap {
        let header = HeaderNames(layout.names)
        let fields = columns.fields(of: header, by: format) ?? format.fields(header)
        return ColumnMap(profile: format.name, names: layout.names, fields: fields)
    }
}
