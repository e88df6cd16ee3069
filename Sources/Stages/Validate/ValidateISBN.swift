public import Pipeline

/// Decides each row's ISBN from its one or two cells, and turns away rows nothing can be looked up by: those without
/// title, ISBN and Open Library key.
///
/// An impossible ISBN is dropped from the book, stays in the row's cells and is told of in a ``Notice``
/// (contract.md section 7). A row with neither title nor ISBN becomes a ``Reject`` with code
/// `no_title_or_isbn`. A valid cell is read where it lies: the stage allocates one array a batch, and more
/// only for damage.
public struct ValidateISBN: Stage {
    /// Name in the pipeline file, which rejects carry.
    public let name: String

    /// A stage under the name it has in its pipeline file.
    public init(name: String = "ValidateISBN") {
        self.name = name
    }

    /// Rows keep their order; those turned away are gone from the payload. Throws nothing.
    public func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(StageFailure) -> Batch<ValidatedRows> {
        var first = read(batch.payload)
        for row in first.doubtful { first.isbns[row] = resolve(&batch.payload, row: row) }
        turnAway(&batch, &first.isbns)
        let rows = ValidatedRows(library: batch.payload, isbns: first.isbns)
        return batch.carrying(rows)
    }

    /// The quick pass: what plain cells say, and which rows need a second look.
    private func read(_ library: LibraryRows) -> (isbns: [RowISBN], doubtful: [Int]) {
        var isbns: [RowISBN] = []
        isbns.reserveCapacity(library.count)
        var doubtful: [Int] = []
        let (thirteen, ten) = (library.columns[.isbn13], library.columns[.isbn10])
        library.arena.withAllBytes { bytes in
            // By index: a row in a variable of its own would be copied, notices and all.
            for index in library.rows.indices {
                var (long, short) = (Text.none, Text.none)
                if library.rows[index].readings.isEmpty {
                    let cells = library.rows[index].cells
                    if let thirteen, thirteen < cells.count {
                        long = library.cells[cells.lowerBound + thirteen]
                    }
                    if let ten, ten < cells.count { short = library.cells[cells.lowerBound + ten] }
                } else {
                    long = library.cell(.isbn13, of: library.rows[index])
                    short = library.cell(.isbn10, of: library.rows[index])
                }
                switch (Self.plain(long, in: bytes), Self.plain(short, in: bytes)) {
                case (.absent, .absent): isbns.append(RowISBN())
                case (.valid(let isbn, _), .absent), (.absent, .valid(let isbn, _)):
                    isbns.append(RowISBN(isbn: isbn))
                case (.valid(let isbn, _), .valid(let same, _)) where isbn == same:
                    isbns.append(RowISBN(isbn: isbn))
                default:
                    isbns.append(RowISBN())
                    doubtful.append(index)
                }
            }
        }
        return (isbns, doubtful)
    }

    @inline(__always)
    private static func plain(_ cell: Text, in bytes: UnsafeRawBufferPointer) -> PlainISBN {
        PlainISBN(UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
    }

    /// The thorough look at one row: both cells together, and what to tell the reader.
    private func resolve(_ library: inout LibraryRows, row: Int) -> RowISBN {
        let tenCell = library.cell(.isbn10, of: library.rows[row])
        let thirteenCell = library.cell(.isbn13, of: library.rows[row])
        let verdict = RowVerdict(
            ten: library.arena.withBytes(tenCell) { ISBNReader.reading(of: $0) },
            thirteen: library.arena.withBytes(thirteenCell) { ISBNReader.reading(of: $0) })
        for finding in verdict.findings {
            let cell = finding.cell == .ten ? tenCell : thirteenCell
            let column = library.columns[finding.cell == .ten ? .isbn10 : .isbn13]
            let notice = Notice(
                code: finding.code, field: column.map { library.columns.names[$0] },
                value: library.arena.withBytes(cell) {
                    String(decoding: $0.prefix(ISBNNotation.longest), as: UTF8.self)
                },
                message: finding.sentence)
            library.rows[row].notices.append(notice)
        }
        return verdict.isbn
    }

    /// Takes rows without title and ISBN out of the batch, in one pass that moves each row at most once.
    private func turnAway(_ batch: inout Batch<LibraryRows>, _ isbns: inout [RowISBN]) {
        var kept = 0
        for index in isbns.indices {
            if isbns[index].isbn == nil, batch.payload.rows[index].title.isEmpty,
                batch.payload.cell(.openLibraryWork, of: batch.payload.rows[index]).isEmpty
            {
                batch.rejects.append(reject(batch.payload.rows[index], in: batch.payload.arena))
                continue
            }
            if kept != index {
                batch.payload.rows.swapAt(kept, index)
                isbns[kept] = isbns[index]
            }
            kept += 1
        }
        guard kept < isbns.count else { return }
        batch.payload.rows.removeSubrange(kept...)
        isbns.removeSubrange(kept...)
    }

    private func reject(_ row: LibraryRow, in arena: Arena) -> Reject {
        let fault = row.notices.last { $0.code.hasPrefix("isbn") }
        let advice = fault.map { " \($0.message)" } ?? " Add one of them and import the row again."
        return arena.withBytes(row.raw) { raw in
            Reject(
                position: row.position, stage: name, code: "no_title_or_isbn", field: fault?.field,
                value: fault?.value,
                message: "The row has neither a title nor an ISBN to look a book up by." + advice, raw: raw)
        }
    }
}

extension RowVerdict.Finding {
    /// The cell concerned.
    var cell: RowVerdict.Cell {
        switch self {
        case .impossible(let cell, _), .repaired(let cell, _, _), .conflict(let cell, _, _): cell
        }
    }

    /// Code of the notice.
    var code: String {
        switch self {
        case .impossible(_, let fault): fault.reason.rawValue
        case .repaired: "isbn_repaired"
        case .conflict: "isbn_conflict"
        }
    }

    /// The notice's sentence.
    var sentence: String {
        switch self {
        case .impossible(_, let fault):
            fault.reason.sentence + (fault.proposal.map { " Perhaps \($0) is meant." } ?? "")
        case .repaired(_, let isbn, let rule): RepairSentence.sentence(rule, isbn)
        case .conflict(_, let other, let kept?):
            "The row's ISBNs belong to different books: \(kept) was kept, \(other) left aside."
        case .conflict(_, let other, nil):
            "The cell could be \(other), but the row's other ISBN contradicts it; neither was taken."
        }
    }
}
