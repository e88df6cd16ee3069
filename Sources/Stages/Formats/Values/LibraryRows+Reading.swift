package import Books
import Bytes

/// Steps of interpreting a record that formats share.
extension LibraryRows {
    /// Interprets a record of a plain table: all steps in order.
    mutating func readPlainTable(_ row: inout LibraryRow) {
        readLinks(of: &row)
        readTitle(of: &row)
        readSubtitle(of: &row)
        readSeriesColumn(of: &row)
        readPeopleInAnyForm(of: &row)
        readFormat(of: &row)
        readLanguage(of: &row)
        readLanguage(.originalLanguage, of: &row)
        readSubjects(of: &row)
        readYesNo(.ownedCopies, of: &row)
        let shelf = cell(.exclusiveShelf, of: row)
        if !arena.withBytes(shelf, { ReadingStatus.isUsual($0) }), ReadingStatus.saysUnowned(arena[shelf]) {
            noteUnowned(&row)
        }
        readShelf(of: &row)
        readRating(of: &row)
        readYesNo(.readCount, of: &row)
        checkDatesAndCounts(of: &row)
        readKind(of: &row)
    }

    /// Reads title and series from the title cell: `Hyperion (Hyperion Cantos, #1)`.
    package mutating func readTitle(of row: inout LibraryRow) {
        let cell = cell(.title, of: row)
        let parsed = arena.withBytes(cell) { SeriesTitle($0) }
        row.title = arena.collapsingBlanks(cell.part(parsed.title))
        defer { readLanguageOfEdition(in: row.title, of: &row) }
        let first = series.count
        row.series = first..<first
        guard !parsed.bracket.isEmpty else { return }
        if !parsed.rest.isEmpty {
            let (head, tail) = (arena.bytes(row.title), arena.bytes(cell.part(parsed.rest)))
            row.title = arena.collapsingBlanks(arena.append(head + [0x20] + tail))
        }
        var mentions = SeriesTitle.Mentions(of: parsed)
        while let mention = arena.withBytes(cell, { mentions.next(in: $0) }) {
            let name = arena.collapsingBlanks(cell.part(mention.name))
            var number = arena.collapsingBlanks(cell.part(mention.number))
            if !arena.withBytes(number, { SeriesNumber.isPlain($0) }) {
                number = arena.append(SeriesNumber.plain(arena.bytes(number)))
            }
            series.append(SeriesMention(name: name, number: number))
        }
        row.series = first..<series.count
    }

    /// Adds the subtitle in its own column to the title, unless the title has one already.
    mutating func readSubtitle(of row: inout LibraryRow) {
        let subtitle = arena.collapsingBlanks(cell(.subtitle, of: row))
        guard !subtitle.isEmpty, !row.title.isEmpty else { return }
        let (title, rest) = (arena.bytes(row.title), arena.bytes(subtitle))
        guard !title.contains(UInt8(ascii: ":")), !title.elementsEqual(rest) else { return }
        row.title = arena.append(title + Array(": ".utf8) + rest)
    }

    /// Reads genres and subjects, however the cell separates them, as a list separated by `; `.
    ///
    /// - Parameter areHeadings: Whether they are headings of a library, in which commas belong to the heading.
    mutating func readSubjects(of row: inout LibraryRow, areHeadings: Bool = false) {
        let cell = cell(.subjects, of: row)
        guard !cell.isEmpty else { return }
        var separator = arena.withBytes(cell) { SubjectList.separator($0) }
        if areHeadings, separator == [","], arena.withBytes(cell, { $0.first != UInt8(ascii: "[") }) {
            separator = nil
        }
        let isNovel = arena.withBytes(cell) { SubjectList.mayBeNovel($0) } && columns.areInPortuguese
        guard separator != nil || isNovel else { return }
        let text = arena[cell]
        let items =
            ListCell.items(text)
            ?? text.split { separator?.contains($0) ?? ($0 == ";") }.map { String($0) }
        // LibraryThing ends the upper levels of a subject with `>`.
        var bare = items.map { $0.hasSuffix(" > ") ? String($0.dropLast(3)) : $0 }
        if isNovel { bare = bare.map { Folding.fold($0) == "romance" ? "Novel" : $0 } }
        read(.subjects, as: arena.append(bare.joined(separator: "; ")), of: &row)
    }

    /// Reads the series from its own column, unless the title already named it.
    mutating func readSeriesColumn(of row: inout LibraryRow) {
        var name = arena.collapsingBlanks(cell(.series, of: row))
        if columns[.series] == nil, row.series.isEmpty, columns.hasVolumes { name = seriesNamed(by: row) }
        guard !name.isEmpty, !row.series.contains(where: { arena.equal(series[$0].name, name) }) else {
            return
        }
        let number = arena.collapsingBlanks(cell(.seriesNumber, of: row))
        if row.series.isEmpty { row.series = series.count..<series.count }
        series.append(SeriesMention(name: name, number: number))
        row.series = row.series.lowerBound..<series.count
    }

    /// In a table with volumes and no series, the title is the series' name.
    private func seriesNamed(by row: LibraryRow) -> Text {
        let number = arena.trimmed(cell(.seriesNumber, of: row))
        let isVolume = arena.withBytes(number) { bytes in
            bytes.contains { $0.isDigit && $0 != UInt8(ascii: "0") } && bytes.count <= 8
        }
        return isVolume ? row.title : .none
    }

    /// Reads series with the number in brackets after each name: `Sprawl (#0.0)`, `Dune (#1.0), Dune
    /// Chronicles (#1.0)`.
    mutating func readBracketedSeries(of row: inout LibraryRow) {
        let cell = cell(.series, of: row)
        guard !cell.isEmpty else { return }
        if row.series.isEmpty { row.series = series.count..<series.count }
        for (name, number) in BracketedSeries.mentions(in: arena[cell]) {
            let name = arena.collapsingBlanks(arena.append(name))
            guard !name.isEmpty, !row.series.contains(where: { arena.equal(series[$0].name, name) }) else {
                continue
            }
            series.append(SeriesMention(name: name, number: arena.append(number)))
            row.series = row.series.lowerBound..<series.count
        }
    }

    /// Reads the binding.
    mutating func readFormat(of row: inout LibraryRow) {
        let cell = cell(.binding, of: row)
        if !cell.isEmpty { row.format = arena.withBytes(cell) { EditionFormat(binding: $0) } }
    }

    /// Notes dates, years and counts that cannot be read. The cells of dates are kept.
    mutating func checkDatesAndCounts(of row: inout LibraryRow) {
        readCount(.readCount, of: &row)
        readCount(.ownedCopies, of: &row)
        readPages(of: &row)
        readAverageRating(of: &row)
        checkDate(.dateAdded, of: &row)
        checkDate(.dateRead, of: &row)
        checkDate(.dateStarted, of: &row)
        readEarlierColumn(of: &row)
        checkDate(.purchaseDate, of: &row)
        readYear(.yearPublished, of: &row)
        readYear(.originalYear, of: &row)
    }

    /// Bytes of the shortest cell with two whole dates.
    private static let shortestTwoDates = 17

    private mutating func checkDate(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        guard !cell.isEmpty else { return }
        if arena.withBytes(cell, { CalendarDate($0) != nil }) {
            // What follows a date is its time, or another date.
            let mayBeTwo =
                cell.length >= Self.shortestTwoDates
                && arena.withBytes(cell, { !$0.contains(UInt8(ascii: ":")) })
            if mayBeTwo { _ = readSpan(cell, in: field, of: &row) }
            return
        }
        guard arena.withBytes(cell, { !$0.trimmedBlanks.isEmpty }), !readSpan(cell, in: field, of: &row)
        else {
            return
        }
        noteUnreadable(.dateDamaged, field, cell, of: &row)
    }

    /// Notes a cell that cannot be read. The stored value of its field is kept.
    func noteUnreadable(_ reason: ReasonCode, _ field: LibraryField, _ cell: Text, of row: inout LibraryRow) {
        note(reason, field, cell, of: &row)
        row.unreadable.insert(field)
    }

    /// Maximum number of bytes of a cell shown in a warning.
    static let shownBytes = 200

    /// Notes a problem with a field, and the value of its cell.
    func note(_ reason: ReasonCode, _ field: LibraryField, _ cell: Text, of row: inout LibraryRow) {
        let name = columns[field].map { columns.names[$0] }
        row.warnings.append(Warning(reason, field: name, value: shown(cell)))
    }

    /// The part of a cell that a warning shows.
    func shown(_ cell: Text) -> String { arena[cell.part(0..<min(Int(cell.length), Self.shownBytes))] }
}

extension ColumnMap {
    /// Whether the numbers in a series are called volumes, and not just numbers, which may be those of the rows.
    fileprivate var hasVolumes: Bool {
        self[.seriesNumber].map { Self.volumes.contains(HeaderNames.folded(HeaderNames.key(names[$0]))) }
            ?? false
    }

    private static let volumes: Set = [
        "volume", "volume number", "vol", "volumes", "band", "bandnummer", "tome", "numero de tome", "tomo",
        "deel",
        "deelnummer", "volumen",
    ]

    /// Whether the columns have Portuguese names that no other language has.
    fileprivate var areInPortuguese: Bool {
        names.contains { name in
            let key = HeaderNames.key(name)
            return key.hasPrefix("gênero") || Self.portuguese.contains(HeaderNames.folded(key))
        }
    }

    private static let portuguese: Set = [
        "editora", "ano", "ano de publicacao", "avaliacao", "minha avaliacao", "data de leitura", "lido em",
        "estado de leitura", "prateleiras", "resenha", "titulo do livro",
    ]
}

/// Cells with several genres or subjects.
enum SubjectList {
    /// Whether `Romance` is in a cell, which is the Portuguese word for a novel.
    static func mayBeNovel(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 7 else { return false }
        return (0...bytes.count - 7).contains { start in
            bytes[start..<start + 7].elementsEqual("romance".utf8) { $0 | 0x20 == $1 }
        }
    }

    /// The characters that separate them; nil for `;` or a single one.
    static func separator(_ bytes: UnsafeRawBufferPointer) -> Set<Character>? {
        if bytes.first == UInt8(ascii: "[") { return [","] }
        if bytes.contains(UInt8(ascii: ";")) { return nil }
        if bytes.contains(UInt8(ascii: "|")) { return ["|"] }
        if bytes.contains(UInt8(ascii: "\n")) { return ["\n", "\r\n", "\r"] }
        return bytes.contains(UInt8(ascii: ",")) ? [","] : nil
    }
}

/// Reading of single values that exporters write in different ways.
extension LibraryRows {
    /// Reads the reading status in the words of any exporter, and replaces it with Goodreads' shelf: `read`,
    /// `currently-reading`, `to-read`, `did-not-finish`, `paused`. Other words are kept.
    mutating func readShelf(of row: inout LibraryRow) {
        let cell = cell(.exclusiveShelf, of: row)
        guard !cell.isEmpty, let shelf = arena.withBytes(cell, { ReadingStatus($0) }) else { return }
        let name = shelf.rawValue
        guard !arena.withBytes(cell, { $0.elementsEqual(name.utf8) }) else { return }
        read(.exclusiveShelf, as: arena.append(name), of: &row)
    }

    /// Reads the user's rating on one scale: whole, half or quarter stars from 0.25 to 5. 0 is no rating.
    mutating func readRating(of row: inout LibraryRow) {
        let cell = cell(.rating, of: row)
        guard !cell.isEmpty else { return }
        switch arena.withBytes(cell, { StarRating.read($0) }) {
        case .plain: break
        case .stars(let stars): read(.rating, as: arena.append("\(stars)"), of: &row)
        case .absent: read(.rating, as: .none, of: &row)
        case .damaged:
            noteUnreadable(.ratingDamaged, .rating, cell, of: &row)
            read(.rating, as: .none, of: &row)
        }
    }

    /// A row's cell in the column with one of these names as the file spells them; the first that is not empty.
    func cell(named names: [String], of row: LibraryRow) -> Text {
        for name in names {
            guard let column = columns.names.firstIndex(of: name) else { continue }
            let cell = cell(column: column, of: row)
            if !arena.trimmed(cell).isEmpty { return cell }
        }
        return .none
    }

    /// Reads a field from another column if its own is empty.
    package mutating func read(_ field: LibraryField, orFrom names: [String], of row: inout LibraryRow) {
        guard arena.trimmed(cell(field, of: row)).isEmpty else { return }
        let other = cell(named: names, of: row)
        if !other.isEmpty { read(field, as: other, of: &row) }
    }

    /// Adds the text of another column to a field.
    package mutating func read(
        _ field: LibraryField, addingFrom names: [String], separator: String, of row: inout LibraryRow
    ) {
        let other = cell(named: names, of: row)
        guard !other.isEmpty else { return }
        let own = cell(field, of: row)
        if own.isEmpty { return read(field, as: other, of: &row) }
        read(field, as: arena.append(arena.bytes(own) + Array(separator.utf8) + arena.bytes(other)), of: &row)
    }

    /// Removes the brackets around a value: `[2007-04-16]`.
    mutating func readWithoutBrackets(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        let isBracketed = arena.withBytes(cell) {
            $0.first == UInt8(ascii: "[") && $0.last == UInt8(ascii: "]") && $0.count > 1
        }
        if isBracketed { read(field, as: cell.part(1..<Int(cell.length) - 1), of: &row) }
    }

    /// Removes a fraction of zero: `8.0` becomes `8`.
    mutating func readWholeNumber(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        let whole = withoutFraction(cell)
        if whole.length != cell.length { read(field, as: whole, of: &row) }
    }

    /// Replaces yes and no, in any language of the column names, with 1 and 0.
    mutating func readYesNo(_ field: LibraryField, of row: inout LibraryRow) {
        let cell = cell(field, of: row)
        guard !cell.isEmpty, let isYes = arena.withBytes(cell, { YesNo.read($0) }) else { return }
        read(field, as: arena.append(isYes ? "1" : "0"), of: &row)
    }

    /// Notes that the reader does not own the book, although many programs write one copy for each row.
    mutating func noteUnowned(_ row: inout LibraryRow) {
        read(.ownedCopies, as: arena.append("0"), of: &row)
    }

    /// Reads what a record is, after binding and people. One with a narrator and no binding is an audiobook. One whose
    /// binding or author says that it is not a book is set aside.
    mutating func readKind(of row: inout LibraryRow) {
        let binding = cell(.binding, of: row)
        if row.format == nil, binding.isEmpty, row.people.contains(where: { people[$0].role == .narrator }) {
            row.format = .audiobook
        }
        if !binding.isEmpty, row.format == nil, arena.withBytes(binding, { NonBookWords.names($0) }) {
            row.refusal = .notABook
        }
        // Goodreads' librarians write this in place of an author.
        if let first = row.people.first, people[first].name.length == 10,
            arena.withBytes(people[first].name, { NonBookWords.names($0) })
        {
            row.refusal = .notABook
        }
    }
}
