package import Books
package import Database
package import Pipeline

/// A field of a stored book, for conditions and for lists of fields: what its edition has, or else its work, and
/// what the user has noted.
package struct StoredBookField: Sendable {
    /// The name in conditions. The column's name in the store is accepted as well.
    package let name: String
    package let type: ExpressionType
    /// The value in a query over editions `d`, works `w`, entries `e` and refreshes `r`.
    package let sql: String
    /// Display form of a stored value.
    package var form = Form.plain
    /// The fields of providers' offers that it stands for; empty for a field that no provider gives.
    var fields: [Field] = []

    /// The forms of stored values: as they are, JSON arrays of texts or of series, or addresses of covers, which are
    /// shown in the largest size (``CoverAddress``).
    package enum Form: Sendable {
        case plain, list, series, cover
    }

    /// All fields.
    package static let all: [StoredBookField] = [
        .init("title", ShownTitle.sql, [.title, .editionTitle]),
        .init("subtitle", "coalesce(d.subtitle, w.subtitle)", [.subtitle, .editionSubtitle]),
        .init("authors", Self.authorNames, [.authorName]),
        .init("description", "coalesce(w.description, d.description)", [.description, .editionDescription]),
        .init("cover", "coalesce(d.cover, w.cover)", [.workCover, .editionCover], form: .cover),
        .init(
            "firstPublicationYear", "w.first_publication_year", [.firstPublicationYear], .number),
        .init("originalLanguage", "w.original_language", [.originalLanguage]),
        .init("genres", "w.genres", [.genre], form: .list),
        .init("subjects", "w.subjects", [.subject], form: .list),
        .init("series", "w.series", [.seriesName, .seriesNumber], form: .series),
        .init("isbn", "d.isbn", [.isbn13]),
        .init("publisher", "d.publisher", [.publisher]),
        .init("publicationDate", "d.publication_date", [.publicationDate]),
        .init("pageCount", "d.page_count", [.pageCount], .number),
        .init("format", "d.format", [.format]),
        .init("language", "d.language", [.language]),
        .init("averageRating", "d.average_rating", [.averageRating], .number),
        .init("ratingsCount", "d.ratings_count", [.ratingsCount], .number),
        .init("openLibrary", "w.open_library", [.workKey, .editionKey]),
        .init(
            "goodreads", "coalesce(d.goodreads, w.goodreads)", [.workGoodreadsID, .editionGoodreadsID]),
        .init(
            "librarything", "coalesce(d.librarything, w.librarything)",
            [.workLibraryThingID, .editionLibraryThingID]),
        .init("asin", "d.asin", [.amazonASIN], form: .list),
        .init("googleBooks", "d.google_books", [.googleBooksVolumeID], form: .list),
        .init("key", "w.key"),
        .init("providers", "w.providers", form: .list),
        .init("quality", "w.quality", [], .number),
        .init("library", "(SELECT name FROM libraries WHERE id = e.library)"),
        .init("rating", "e.rating", [], .number),
        .init("shelf", "e.shelf"),
        .init("shelves", "e.shelves"),
        .init("dateRead", "e.date_read"),
        .init("dateAdded", "e.date_added"),
        .init("dateStarted", "e.date_started"),
        .init("readCount", "e.read_count", [], .number),
        .init("ownedCopies", "e.owned_copies", [], .number),
        .init("location", "e.location"),
        .init("lentTo", "e.lent_to"),
        .init("price", "e.price"),
        .init("condition", "e.condition"),
        .init("barcode", "e.barcode"),
        .init("review", "e.review"),
        .init("notes", "e.notes"),
        .init("refreshed", "date(r.asked_at / 1000, 'unixepoch')"),
    ]

    private static let authorNames = """
        (SELECT group_concat(a.name, '; ') FROM contributors c JOIN authors a ON a.id = c.author
            WHERE \(ContributorIDs.condition(work: "w.id", alias: "c.")))
        """

    private init(
        _ name: String, _ sql: String, _ fields: [Field] = [], _ type: ExpressionType = .text,
        form: Form = .plain
    ) {
        self.name = name
        self.sql = sql
        self.fields = fields
        self.type = type
        self.form = form
    }

    /// The fields of conditions, under both of their names.
    package static let schema = ExpressionSchema(
        all.map { .init($0.name, $0.type) }
            + all.filter { $0.column != $0.name }.map { .init($0.column, $0.type) })

    /// The name in the store: `page_count`.
    private var column: String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }

    /// The names of the fields that providers can fill.
    package static let offered = all.filter { !$0.fields.isEmpty }.map(\.name)

    /// The fields of providers' offers behind a list of names; nil if a name is unknown or no provider gives
    /// the field.
    package static func fields(named names: [String]) -> Set<Field>? {
        var fields: Set<Field> = []
        for name in names {
            guard let field = field(named: name), !field.fields.isEmpty else { return nil }
            fields.formUnion(field.fields)
        }
        return fields
    }

    /// The field with one of its two names.
    package static func field(named name: String) -> StoredBookField? {
        all.first { $0.name == name || $0.column == name }
    }

    /// The field with an index in the ``schema``.
    package static func field(_ index: Int) -> StoredBookField? {
        schema.fields.indices.contains(index) ? field(named: schema.fields[index].name) : nil
    }

    /// Its value in the current row of a query.
    package func value(_ row: Statement, _ column: Int32) -> ExpressionValue {
        if row.isNull(column) { return .missing }
        if type == .number { return .number(row.double(column)) }
        let text = row.string(column)
        return switch form {
        case .plain: ExpressionValue(text: text)
        case .cover: ExpressionValue(text: CoverAddress.shown(text))
        case .list: ExpressionValue(text: StoredList.strings(text).joined(separator: "; "))
        case .series:
            ExpressionValue(text: StoredSeries.read(text).map(\.description).joined(separator: "; "))
        }
    }
}

/// The values of a stored book that an expression uses.
package struct StoredBookValues: ExpressionRecord {
    private let indexes: [Int]
    private let values: [ExpressionValue]

    /// - Parameters:
    ///   - indexes: The fields, by their index in the ``StoredBookField/schema``.
    ///   - values: The value of each.
    package init(indexes: [Int], values: [ExpressionValue]) {
        self.indexes = indexes
        self.values = values
    }

    package func value(ofField index: Int) -> ExpressionValue {
        indexes.firstIndex(of: index).map { values[$0] } ?? .missing
    }
}
