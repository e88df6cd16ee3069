package import Books
import Bytes

/// The feed of Better World Books that Open Library imports: 160 fields separated by `|`, without a header.
///
/// It lists a bookshop's goods, including shirts and mugs. The seventh field is the kind of item.
package struct BetterWorldBooks: HeaderlessFormat {
    package let name = "betterworldbooks"

    package init() {}

    package let evidence =
        "Each of its first records has the fields of the feed, with an ISBN in the fourth; it has no header."

    /// The columns of the feed, if each of the first records is long enough and has an ISBN-13 in the fourth
    /// field.
    package func columns(of records: [[String]]) -> [String]? {
        let isFeed = records.allSatisfy { record in
            record.count >= Self.minFields
                && Array(record[3].utf8).withUnsafeBytes { ISBN(thirteen: $0) } != nil
        }
        guard isFeed, let first = records.first else { return nil }
        let names = Dictionary(Self.fields.map { ($0.index, $0.name) }) { first, _ in first }
        return first.indices.map { names[$0] ?? "Field \($0 + 1)" }
    }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        var fields: [LibraryField: Int] = [:]
        for known in Self.fields { if let field = known.field { fields[field] = known.index } }
        return fields
    }

    package var described: [DescribedColumn] {
        Self.fields.map { DescribedColumn(names: [$0.name], field: $0.field) }
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        readTitle(of: &row, in: &rows)
        for index in stride(from: Self.firstPerson, to: Self.firstPerson + 9, by: 3)
        where index < row.cells.count {
            let cell = rows.cells[row.cells.lowerBound + index]
            let role = index + 1 < row.cells.count ? rows.cells[row.cells.lowerBound + index + 1] : .none
            let isTranslator = rows.arena.withBytes(role) { $0.elementsEqual("TR".utf8) }
            if cell.isEmpty { break }
            let name = rows.readingOrder(of: cell)
            rows.addPerson(name, as: isTranslator ? .translator : nil, to: &row)
        }
        rows.readLanguage(of: &row)
        rows.checkDatesAndCounts(of: &row)
        let form = rows.arena[rows.cell(.binding, of: row)]
        row.format = Self.formats[form]
        if Self.nonBooks.contains(form) { row.refusal = .notABook }
    }

    /// Puts the article, which has its own field, before the title.
    private func readTitle(of row: inout LibraryRow, in rows: inout LibraryRows) {
        let column = row.cells.lowerBound + Self.article
        if column < row.cells.upperBound, !rows.cells[column].isEmpty {
            let title =
                rows.arena.bytes(rows.cells[column]) + [0x20] + rows.arena.bytes(rows.cell(.title, of: row))
            rows.read(.title, as: rows.arena.append(title), of: &row)
        }
        rows.readTitle(of: &row)
    }

    private static let minFields = 120
    private static let article = 11
    /// A person has three fields: name, role, and one that is not used.
    private static let firstPerson = 21

    private static let fields: [(index: Int, name: String, field: LibraryField?)] = [
        (0, "Record", .sourceID), (1, "ISBN-10", .isbn10), (3, "ISBN-13", .isbn13), (6, "Form", .binding),
        (10, "Title", .title), (article, "Article", nil), (20, "Published", .yearPublished),
        (firstPerson, "Person 1", .author), (36, "Pages", .pageCount), (37, "Language", .language),
        (135, "Publisher", .publisher),
    ]

    private static let formats: [String: EditionFormat] = [
        "TC": .hardcover, "TP": .paperback, "PB": .paperback, "MM": .massMarket, "EB": .ebook,
    ]

    /// Kinds of item that are not books (those that Open Library skips).
    private static let nonBooks = Set(
        """
        A2 AA AB AJ AVI AZ BK BM C3 CD CE CF CR CRM CRW CX D3 DA DD DF DI DL DO DR DRM DRW DS DV EC FC FI FM FR FZ GB
        GC GM GR H3 H5 L3 L5 LP MAC MC MF MG MH ML MS MSX MZ N64 NGA NGB NGC NGE NT OR OS PC PP PRP PS PSC PY QU RE RV
        SA SD SG SH SK SL SMD SN SO SO1 SO2 SR SU TA TB TR TS TY UX V35 V8 VC VD VE VF VK VM VN VO VP VS VU VY VZ WA
        WC WI WL WM WP WT WX XL XZ ZF ZZ
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}
