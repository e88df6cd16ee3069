package import Books
import Bytes
package import Pipeline
package import System

/// Determines each row's ISBN from its ISBN cells or its list of ISBNs. Rejects rows that cannot be looked
/// up: those without title, ISBN and Open Library key.
///
/// An impossible ISBN is not used for the book. It stays in the row's cells, and a ``Warning`` reports it. A
/// rejected row is a `Reject` with code `no_title_or_isbn`. Valid cells are parsed in place: the stage
/// allocates one array per batch, and more only for damaged cells.
package struct ValidateISBN: Stage {
    /// The stage's name in the pipeline file; rejects carry it.
    package let name: String

    /// A stage with its name in the pipeline file.
    package init(name: String = "ValidateISBN") {
        self.name = name
    }

    /// Rows keep their order; rejected rows are removed from the payload. Never throws.
    package func process(
        _ batch: consuming Batch<LibraryRows>
    ) async throws(ETLError) -> Batch<ValidatedRows> {
        var look = look(at: batch.payload)
        for cells in look.doubtful { look.isbns[cells.row] = resolve(cells, in: &batch.payload) }
        removeRejected(&batch, &look)
        let rows = ValidatedRows(library: batch.payload, isbns: look.isbns)
        return batch.carrying(rows)
    }

    /// The result of the quick pass over a batch, which is enough for most rows.
    private struct QuickLook {
        var isbns: [RowISBN] = []
        /// Rows whose cells need full parsing.
        var doubtful: [DoubtfulCells] = []
        /// Rows without a title, in ascending order.
        var untitled: [Int] = []
    }

    private struct DoubtfulCells {
        let row: Int
        let thirteen, ten: Text
    }

    private func look(at library: LibraryRows) -> QuickLook {
        var look = QuickLook()
        look.isbns.reserveCapacity(library.count)
        let (thirteen, ten) = (library.columns[.isbn13], library.columns[.isbn10])
        let listsISBNs = library.columns[.isbns] != nil
        let hasReadings = !library.readings.isEmpty
        let (rows, cells) = (library.rows.span, library.cells.span)
        library.arena.withAllBytes { bytes in
            // By index, because a row in a local variable would be copied with its warnings.
            for index in rows.indices {
                var (long, short) = (Text.none, Text.none)
                if hasReadings, !rows[index].readings.isEmpty {
                    long = library.cell(.isbn13, ofRow: index)
                    short = library.cell(.isbn10, ofRow: index)
                } else {
                    let own = rows[index].cells
                    if let thirteen, thirteen < own.count { long = cells[own.lowerBound + thirteen] }
                    if let ten, ten < own.count { short = cells[own.lowerBound + ten] }
                }
                if rows[index].title.isEmpty { look.untitled.append(index) }
                let (longBytes, shortBytes) = (
                    Self.bytes(of: long, in: bytes), Self.bytes(of: short, in: bytes)
                )
                switch PlainISBN(thirteen: longBytes, ten: shortBytes) {
                case .absent where !listsISBNs: look.isbns.append(RowISBN())
                case .valid(let isbn, _): look.isbns.append(RowISBN(isbn: isbn))
                case .absent, .other:
                    let isbn = Self.agreed(PlainISBN(longBytes), PlainISBN(shortBytes))
                    look.isbns.append(isbn ?? RowISBN())
                    if isbn == nil || listsISBNs && isbn?.isbn == nil {
                        look.doubtful.append(DoubtfulCells(row: index, thirteen: long, ten: short))
                    }
                }
            }
        }
        return look
    }

    @inline(__always)
    private static func bytes(of cell: Text, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[cell.range])
    }

    /// The ISBN from two plain cells; nil if they need full parsing.
    private static func agreed(_ thirteen: PlainISBN, _ ten: PlainISBN) -> RowISBN? {
        switch (thirteen, ten) {
        case (.absent, .absent): RowISBN()
        case (.valid(let isbn, _), .absent), (.absent, .valid(let isbn, _)): RowISBN(isbn: isbn)
        case (.valid(let isbn, _), .valid(let same, _)) where isbn == same: RowISBN(isbn: isbn)
        default: nil
        }
    }

    /// Parses one row's cells fully and adds warnings for the user.
    private func resolve(_ cells: DoubtfulCells, in library: inout LibraryRows) -> RowISBN {
        let list = library.cell(.isbns, ofRow: cells.row)
        let verdict = library.arena.withAllBytes { bytes in
            RowVerdict(
                ten: ISBNReader.reading(of: Self.bytes(of: cells.ten, in: bytes)),
                thirteen: ISBNReader.reading(of: Self.bytes(of: cells.thirteen, in: bytes)),
                listed: Self.bytes(of: list, in: bytes).split(separator: UInt8(ascii: ";")).compactMap {
                    let number = ISBNReader.reading(of: UnsafeRawBufferPointer(rebasing: $0))
                    return if case .valid(let isbn) = number.verdict { isbn } else { nil }
                })
        }
        for finding in verdict.findings {
            let column = library.columns[finding.cell == .ten ? .isbn10 : .isbn13]
            let warning = Warning(
                code: finding.code, field: column.map { library.columns.names[$0] },
                value: library.arena.withBytes(finding.cell == .ten ? cells.ten : cells.thirteen) {
                    let shown = UnsafeRawBufferPointer(rebasing: $0.prefix(ISBNNotation.longest))
                    return String(decoding: shown, as: UTF8.self)
                },
                message: finding.sentence)
            library.rows[cells.row].warnings.append(warning)
        }
        return verdict.isbn
    }

    /// Removes rows without title and ISBN from the batch, in one pass that moves each row at most once.
    private func removeRejected(_ batch: inout Batch<LibraryRows>, _ look: inout QuickLook) {
        let lost = look.untitled.filter { row in
            look.isbns[row].isbn == nil && batch.payload.cell(.openLibraryWork, ofRow: row).isEmpty
        }
        guard var kept = lost.first else { return }
        var next = 0
        for index in kept..<look.isbns.count {
            if next < lost.count, lost[next] == index {
                next += 1
                batch.rejects.append(reject(batch.payload.rows[index], in: batch.payload.arena))
                continue
            }
            batch.payload.rows.swapAt(kept, index)
            look.isbns[kept] = look.isbns[index]
            kept += 1
        }
        batch.payload.rows.removeSubrange(kept...)
        look.isbns.removeSubrange(kept...)
    }

    private func reject(_ row: LibraryRow, in arena: Arena) -> Reject {
        let fault = row.warnings.last { $0.code.hasPrefix("isbn") }
        let advice = fault.map { " \($0.message)" } ?? " Add one of them and import the row again."
        return arena.withBytes(row.raw) { raw in
            Reject(
                position: row.position, stage: name, code: "no_title_or_isbn", field: fault?.field,
                value: fault?.value,
                message: "The row has neither a title nor an ISBN." + advice, raw: raw)
        }
    }
}

extension RowVerdict.Finding {
    /// The cell the finding is about.
    var cell: RowVerdict.Cell {
        switch self {
        case .impossible(let cell, _), .repaired(let cell, _, _), .conflict(let cell, _, _): cell
        }
    }

    /// The code of the warning.
    var code: String {
        switch self {
        case .impossible(_, let fault): fault.reason.rawValue
        case .repaired: "isbn_repaired"
        case .conflict: "isbn_conflict"
        }
    }

    /// The message of the warning.
    var sentence: String {
        switch self {
        case .impossible(_, let fault):
            fault.proposal.map { "\(fault.reason.sentence) Perhaps it should be \($0)." }
                ?? fault.reason.sentence
        case .repaired(_, let isbn, let rule): RepairText.sentence(rule, isbn)
        case .conflict(_, let other, let kept?):
            "The row's ISBNs belong to different books: \(kept) was used; \(other) was ignored."
        case .conflict(_, let other, nil):
            "The cell could be \(other), but the row's other ISBN contradicts it; neither was used."
        }
    }
}
