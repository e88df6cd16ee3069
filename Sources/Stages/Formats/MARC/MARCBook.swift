import Books
import Bytes
import Syntax

/// Fills the columns of a book from the fields of a MARC 21 bibliographic record.
///
/// Fields are those of the MARC 21 Format for Bibliographic Data (Library of Congress). A value is the
/// field's own text without the punctuation of catalog records; nothing else is inferred.
struct MARCBook {
    private let record: MARCRecord
    private var row: CellRow<MARCColumn>

    /// Appends a record's cells and returns their range.
    static func cells(
        of record: MARCRecord, in arena: inout Arena, to cells: inout [Text]
    ) -> Range<Int> {
        var book = MARCBook(record: record, row: CellRow())
        book.fill(&arena)
        return book.row.append(to: &cells)
    }

    private mutating func fill(_ arena: inout Arena) {
        for field in record.fields(001) where row[.controlNumber].isEmpty {
            row[.controlNumber] = arena.collapsingBlanks(field.value)
        }
        row[.material] = material(arena).map { arena.append($0) } ?? .none
        fillTitle(&arena)
        fillPeople(&arena)
        fillNumbers(&arena)
        fillImprint(&arena)
        fillSeries(&arena)
        row[.language] = language(&arena)
        row[.subjects] = subjects(&arena)
        row[.edition] = text(250, "a", &arena)
        row[.summary] = text(520, "a", &arena)
        row[.libraryOfCongressNumber] = text(010, "a", &arena)
        row[.dewey] = text(082, "a", &arena)
        row[.libraryOfCongressClass] = text(050, "a", &arena)
        for field in record.fields(035) where row[.oclcNumber].isEmpty {
            let number = record.first(UInt8(ascii: "a"), of: field)
            if arena.withBytes(number, { $0.starts(with: Array("(OCoLC)".utf8)) }) {
                row[.oclcNumber] = arena.collapsingBlanks(number.part(7..<Int(number.length)))
            }
        }
    }

    // MARK: Parts of the description

    private mutating func fillTitle(_ arena: inout Arena) {
        // Some records have their title only in field 245, others only in a uniform or added title.
        for tag: MARCTag in [245, 240, 130, 740, 730, 246] {
            for field in record.fields(tag) where row[.title].isEmpty {
                row[.title] = MARCTitle.compose(field, of: record, in: &arena)
            }
        }
        // The title in the book's own script is linked to field 245 by the number of that field.
        for field in record.fields(880) where row[.ownTitle].isEmpty {
            let link = record.first(UInt8(ascii: "6"), of: field)
            if arena.withBytes(link, { $0.starts(with: Array("245".utf8)) }) {
                row[.ownTitle] = MARCTitle.compose(field, of: record, in: &arena)
            }
        }
    }

    private mutating func fillPeople(_ arena: inout Arena) {
        // One more than is kept, so that ``LibraryRows`` reports that there are too many.
        var names = UniqueTexts(atMost: LibraryRows.maxPeople + 1)
        var roles: [String] = []
        let people = record.fields.filter { [100, 110, 700].contains($0.tag) }
        // An added organization (710) is the author only if no person is named.
        for field in people.isEmpty ? record.fields.filter({ $0.tag == 710 }) : people where !names.isFull {
            let isMainEntry = field.tag == 100 || field.tag == 110
            // A name with a title refers to a related work, not to this book.
            guard record.first(UInt8(ascii: "t"), of: field).isEmpty else { continue }
            let name = MARCName.compose(field, of: record, in: &arena)
            guard names.add(name, in: arena) else { continue }
            roles.append(MARCPerson(field, of: record, isMainEntry: isMainEntry, in: arena).role)
        }
        guard !names.texts.isEmpty else { return }
        row[.people] = arena.joined(names.texts, separator: "|")
        row[.roles] = arena.append(roles.joined(separator: "|"))
    }

    private mutating func fillNumbers(_ arena: inout Arena) {
        let isbn = MARCISBN(of: record, in: &arena)
        row[.isbn13] = isbn.thirteen
        row[.isbn10] = isbn.ten
        row[.binding] = isbn.binding
        if isbn.binding.isEmpty, let form = form(arena) { row[.binding] = arena.append(form) }
    }

    private mutating func fillImprint(_ arena: inout Arena) {
        // Field 264 with second indicator 1 is the publication; with 4 it is only the copyright.
        let imprints = record.fields.filter {
            $0.tag == 260 || ($0.tag == 264 && $0.indicator2 == UInt8(ascii: "1"))
        }
        var year: Int?
        for field in imprints {
            for subfield in record.subfields[field.subfields] {
                if subfield.code == UInt8(ascii: "b"), row[.publisher].isEmpty {
                    let name = arena.bare(subfield.value)
                    // Sine nomine: the cataloguer found no publisher.
                    let isNone = ["s.n", "s.n.", "sn", "publisher not identified"].contains(
                        arena[name].lowercased())
                    row[.publisher] = isNone ? .none : name
                } else if subfield.code == UInt8(ascii: "c"), year == nil {
                    year = arena.withBytes(subfield.value) { Self.year($0) }
                }
            }
        }
        let dates = publicationDates(arena)
        // A year in another calendar, such as 1424 for 2003.
        if let written = year, let coded = dates.first, coded - written > Self.mostDifference { year = coded }
        if let year = year ?? dates.first { row[.year] = arena.append(String(year)) }
        if let original = dates.original { row[.originalYear] = arena.append(String(original)) }
        for field in record.fields(300) where row[.pages].isEmpty {
            let extent = record.first(UInt8(ascii: "a"), of: field)
            if let pages = arena.withBytes(extent, { PageCount.described($0) }) {
                row[.pages] = arena.append(String(pages))
            }
        }
    }

    private mutating func fillSeries(_ arena: inout Arena) {
        // The established form of a series takes precedence over the one printed on the book.
        for tag: MARCTag in [830, 800, 490, 440] {
            for field in record.fields(tag) where row[.series].isEmpty {
                let code = tag == 800 ? UInt8(ascii: "t") : UInt8(ascii: "a")
                row[.series] = arena.bare(record.first(code, of: field))
                row[.seriesNumber] = MARCTitle.volume(record.first(UInt8(ascii: "v"), of: field), in: arena)
            }
        }
    }

    // MARK: Coded values

    /// Language code: ISO 639-1 if there is one, otherwise the three letters of the record.
    private func language(_ arena: inout Arena) -> Text {
        let fixed = record.fields(008).first { _ in true }
        var codes = fixed.map { [fixedPart(35..<38, of: $0.value)] } ?? []
        for field in record.fields(041) { codes.append(record.first(UInt8(ascii: "a"), of: field)) }
        for code in codes where code.length >= 3 {
            let letters = code.part(0..<3)
            guard arena.withBytes(letters, { $0.allSatisfy(\.isLetter) }) else { continue }
            if let two = arena.withBytes(letters, { Languages.twoLetters($0) }) {
                return arena.append([two.0, two.1])
            }
            let word = arena[letters].lowercased()
            if !["und", "zxx", "mul"].contains(word) { return letters }
        }
        return .none
    }

    /// A year on a book that is so much earlier than the coded one is not of the same calendar.
    private static let mostDifference = 300

    /// The dates of field 008: of this edition, and of the original if this is a reprint. Of a range in which the book
    /// was published at some time, there is none.
    private func publicationDates(_ arena: borrowing Arena) -> (first: Int?, original: Int?) {
        guard let fixed = record.fields(008).first(where: { _ in true })?.value, fixed.length >= 15 else {
            return (nil, nil)
        }
        let years = [7..<11, 11..<15].map { part in
            arena.withBytes(fixedPart(part, of: fixed)) { Self.year($0) }
        }
        let isRange = arena.withBytes(fixed) { $0[6] == UInt8(ascii: "q") } && years[0] != years[1]
        if isRange { return (nil, nil) }
        let isReprint = arena.withBytes(fixed) { $0[6] == UInt8(ascii: "r") }
        guard isReprint, let one = years[0], let other = years[1] else { return (years[0], nil) }
        // Some records have them in the wrong order.
        return (max(one, other), one == other ? nil : min(one, other))
    }

    /// Form of an item that is not a printed book (008/23), as a binding.
    private func form(_ arena: borrowing Arena) -> String? {
        if material(arena) == "spoken recording" { return "Audiobook" }
        guard let fixed = record.fields(008).first(where: { _ in true })?.value, fixed.length > 23 else {
            return nil
        }
        switch arena.withBytes(fixed, { $0[23] }) {
        case UInt8(ascii: "o"), UInt8(ascii: "q"), UInt8(ascii: "s"): return "E-book"
        case UInt8(ascii: "d"): return "Large print"
        case UInt8(ascii: "a"), UInt8(ascii: "b"), UInt8(ascii: "c"): return "Microform"
        default: return nil
        }
    }

    /// Kind of record (leader/06), if it is not language material.
    private func material(_ arena: borrowing Arena) -> String? {
        guard record.leader.length > 6 else { return nil }
        return switch arena.withBytes(record.leader, { $0[6] }) {
        case UInt8(ascii: "e"), UInt8(ascii: "f"): "map"
        case UInt8(ascii: "g"): "film"
        case UInt8(ascii: "i"): "spoken recording"
        case UInt8(ascii: "j"): "music recording"
        case UInt8(ascii: "k"): "picture"
        case UInt8(ascii: "m"): "computer file"
        case UInt8(ascii: "r"): "object"
        default: nil
        }
    }

    // MARK: Texts

    /// All subject headings, separated by `; `.
    private func subjects(_ arena: inout Arena) -> Text {
        var headings = UniqueTexts(atMost: UniqueTexts.maxHeadings)
        for field in record.fields where [600, 610, 611, 630, 650, 651, 653, 655].contains(field.tag) {
            for subfield in record.subfields[field.subfields] where subfield.code == UInt8(ascii: "a") {
                if headings.isFull { break }
                let heading = arena.bare(subfield.value)
                _ = headings.add(heading, in: arena)
            }
        }
        return arena.joined(headings.texts, separator: "; ")
    }

    /// The first subfield with this tag and code that is not empty.
    private func text(_ tag: MARCTag, _ code: Unicode.Scalar, _ arena: inout Arena) -> Text {
        for field in record.fields(tag) {
            let value = arena.bare(record.first(UInt8(ascii: code), of: field))
            if !value.isEmpty { return value }
        }
        return .none
    }

    /// A range of a fixed-length field; shorter if the field is.
    private func fixedPart(_ part: Range<Int>, of value: Text) -> Text {
        value.part(min(part.lowerBound, Int(value.length))..<min(part.upperBound, Int(value.length)))
    }

    /// The first year in a text: exactly four digits, from 1000 to 2099, as in `[c1998]` or `MDCCC [1800]`.
    static func year(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var at = 0
        while at < bytes.count {
            guard let (value, end) = PageCount.number(bytes, at) else {
                at += 1
                continue
            }
            if end - at == 4, (1000...2099).contains(value) { return value }
            at = end
        }
        return nil
    }
}
