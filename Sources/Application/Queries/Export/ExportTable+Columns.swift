import Books
import Store

/// The columns of the exports, with the contract's names if there are any. Scripts rely on the names: add new
/// columns at the end, never rename one.
extension ExportTable {
    /// The user's books: one row per entry, with its book.
    static let books = ExportTable(
        columns: [
            ExportColumn("id", "w.key"),
            ExportColumn("editionId", "d.key"),
            ExportColumn("isbn13", "CAST(d.isbn AS TEXT)"),
            ExportColumn("isbns", "d.isbns", .list),
            ExportColumn("title", "ifnull(\(ShownTitle.sql), '')"),
            ExportColumn("subtitle", "iif(d.title IS NULL, w.subtitle, d.subtitle)"),
            ExportColumn("authors", "w.id", .authors),
            ExportColumn("series", "w.series", .series),
            ExportColumn("publisher", "d.publisher"),
            ExportColumn("publishedDate", "d.publication_date", .date),
            ExportColumn("firstPublicationYear", "w.first_publication_year", .integer),
            ExportColumn("pageCount", "d.page_count", .integer),
            ExportColumn("format", "d.format", .unlessAssumed(.format)),
            ExportColumn("language", "d.language"),
            ExportColumn("categories", "w.genres", .list),
            ExportColumn("description", "coalesce(d.description, w.description)"),
            ExportColumn("coverUrl", "coalesce(d.cover, w.cover)", .cover),
            ExportColumn("averageRating", "d.average_rating", .number),
            ExportColumn("ratingsCount", "d.ratings_count", .integer),
            ExportColumn(
                "reviewStatus", EntryMatches.reviewStatus(entry: "e", work: "w"),
                .name(ReviewStatus.allCases.map(\.contractName))),
            ExportColumn("isbndbQuality", "w.quality", .integer),
        ] + entryColumns + [
            ExportColumn("matchScore", EntryMatches.score(entry: "e", edition: "d", work: "w"), .number),
            ExportColumn("workTitle", "w.title"), ExportColumn("userTitle", "e.cells", .userTitle),
            ExportColumn("dateStarted", "e.date_started", .date),
            ExportColumn("earlierReadings", "e.earlier_readings", .list),
            ExportColumn("contributors", "w.id", .helpers),
            ExportColumn("originalLanguage", "w.original_language"),
            ExportColumn("subjects", "w.subjects", .list),
            ExportColumn(
                "userAuthors", "iif(\(EntryMatches.isDoubted(entry: "e")), e.cells, NULL)", .userAuthors),
        ] + copyColumns,
        source: """
            entries e JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout
            JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work WHERE e.id = ?1
            """,
        order: entryOrder,
        orderInLibrary: """
            SELECT e.id FROM entries e JOIN layouts y ON y.id = e.layout WHERE e.library = ?1
            ORDER BY y.format, e.source_id, e.id
            """,
        orderOfOneFormat: "SELECT id FROM entries ORDER BY source_id, id",
        lineage: "d.lineage", layout: "e.layout")

    static let works = ExportTable(
        columns: workColumns + [
            ExportColumn("authors", "w.id", .authors),
            // The main provider comes first.
            ExportColumn("primaryProvider", "json_extract(w.providers, '$[0]')"),
            ExportColumn("amazonASINs", "w.id", .ofEditions("asin")),
            ExportColumn("googleBooksVolumeIDs", "w.id", .ofEditions("google_books")),
        ],
        source: "works w WHERE w.id = ?1", order: "SELECT id FROM works ORDER BY key, id",
        orderInLibrary: "SELECT id FROM works WHERE id IN (\(worksOfLibrary)) ORDER BY key, id")

    static let editions = ExportTable(
        columns: [
            ExportColumn("id", "d.key"),
            ExportColumn("workId", "w.key"),
            ExportColumn("isbn", "CAST(d.isbn AS TEXT)"),
            ExportColumn("isbns", "d.isbns", .list),
            ExportColumn("title", "d.title"),
            ExportColumn("subtitle", "d.subtitle"),
            ExportColumn("publisher", "d.publisher"),
            ExportColumn("publicationDate", "d.publication_date", .date),
            ExportColumn("pageCount", "d.page_count", .integer),
            ExportColumn("format", "d.format", .unlessAssumed(.format)),
            ExportColumn("language", "d.language"),
            ExportColumn("coverImageURL", "d.cover", .cover),
            ExportColumn("editionDescription", "d.description"),
            ExportColumn("openLibraryID", "d.open_library"),
            ExportColumn("goodreadsID", "d.goodreads"),
            ExportColumn("librarythingIDs", "d.librarything", .list),
            ExportColumn("amazonASINs", "d.asin", .list),
            ExportColumn("googleBooksVolumeIDs", "d.google_books", .list),
            ExportColumn("isbndbID", "d.isbndb"),
            ExportColumn("averageRating", "d.average_rating", .number),
            ExportColumn("ratingsCount", "d.ratings_count", .integer),
            ExportColumn("contributors", "d.providers", .list),
            ExportColumn("isbndbQuality", "d.quality", .integer),
        ],
        source: "editions d JOIN works w ON w.id = d.work WHERE d.id = ?1",
        order: "SELECT id FROM editions ORDER BY key, id",
        orderInLibrary: """
            SELECT id FROM editions WHERE id IN (SELECT edition FROM entries WHERE library = ?1) ORDER BY key, id
            """,
        lineage: "d.lineage")

    static let authors = ExportTable(
        columns: [
            ExportColumn("key", "a.key"),
            ExportColumn("name", "a.name"),
            ExportColumn("gender", "a.gender", .name(AuthorGender.allCases.map(\.contractName))),
            ExportColumn("culturalRegion", "a.region", .name(CulturalRegion.allCases.map(\.contractName))),
            ExportColumn("nationality", "a.nationality"),
            ExportColumn("birthYear", "a.birth_year", .integer),
            ExportColumn("deathYear", "a.death_year", .integer),
            ExportColumn("openLibraryID", "a.open_library"),
            ExportColumn("wikidata", "a.wikidata"),
            ExportColumn(
                "identification", "a.identification",
                .name(Identification.allCases.map { String(describing: $0) })),
        ],
        source: "authors a WHERE a.id = ?1",
        // Authors that no work names any more are left out: better identified records have replaced them.
        order: "SELECT id FROM authors WHERE id IN (SELECT author FROM contributors) ORDER BY key, id",
        orderInLibrary: """
            SELECT id FROM authors WHERE id IN (SELECT author FROM contributors
                WHERE \(ContributorIDs.work()) IN (\(worksOfLibrary))) ORDER BY key, id
            """)

    private static let worksOfLibrary =
        "SELECT d.work FROM entries e JOIN editions d ON d.id = e.edition WHERE e.library = ?1"

    /// Entries only, with the edition's key: for the canonical dump.
    static let entries = ExportTable(
        columns: entryColumns + [
            ExportColumn("edition", "d.key"), ExportColumn("dateStarted", "e.date_started", .date),
            ExportColumn("earlierReadings", "e.earlier_readings", .listIfAny),
        ] + copyColumns,
        source: """
            entries e JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout
            JOIN editions d ON d.id = e.edition WHERE e.id = ?1
            """,
        order: entryOrder)

    /// Works without author names, because the canonical dump lists contributors by key.
    static let bareWorks = ExportTable(
        columns: workColumns, source: works.source, order: works.order)

    private static let workColumns = [
        ExportColumn("id", "w.key"),
        ExportColumn("title", "w.title"),
        ExportColumn("subtitle", "w.subtitle"),
        ExportColumn("series", "w.series", .series),
        ExportColumn("originalLanguage", "w.original_language"),
        ExportColumn("firstPublicationYear", "w.first_publication_year", .integer),
        ExportColumn("description", "w.description"),
        ExportColumn("coverImageURL", "w.cover", .cover),
        ExportColumn("subjectTags", "w.genres", .list),
        ExportColumn("subjects", "w.subjects", .list),
        ExportColumn("openLibraryID", "w.open_library"),
        ExportColumn("goodreadsWorkIDs", "w.goodreads", .list),
        ExportColumn("librarythingIDs", "w.librarything", .list),
        ExportColumn("wikidata", "w.wikidata"),
        ExportColumn("synthetic", "w.synthetic", .flag),
        ExportColumn("contributors", "w.providers", .list),
        ExportColumn("isbndbQuality", "w.quality", .integer),
        ExportColumn("reviewStatus", "w.review_status", .name(ReviewStatus.allCases.map(\.contractName))),
    ]

    private static let entryColumns = [
        ExportColumn("library", "l.name"),
        ExportColumn("sourceFormat", "y.format"),
        ExportColumn("sourceId", "e.source_id"),
        ExportColumn("rating", "e.rating", .number),
        ExportColumn("shelf", "e.shelf"),
        ExportColumn("shelves", "e.shelves"),
        ExportColumn("dateRead", "e.date_read", .date),
        ExportColumn("dateAdded", "e.date_added", .date),
        ExportColumn("readCount", "e.read_count", .integer),
        ExportColumn("ownedCopies", "e.owned_copies", .integer),
        ExportColumn("review", "e.review"),
        ExportColumn("notes", "e.notes"),
    ]

    /// Details of the copy.
    private static let copyColumns = [
        ExportColumn("location", "e.location"), ExportColumn("lentTo", "e.lent_to"),
        ExportColumn("price", "e.price"), ExportColumn("condition", "e.condition"),
        ExportColumn("barcode", "e.barcode"),
    ]

    private static let entryOrder = """
        SELECT e.id FROM entries e JOIN libraries l ON l.id = e.library JOIN layouts y ON y.id = e.layout
        ORDER BY l.name, y.format, e.source_id, e.id
        """
}
