/// Any table with recognizable column names: spreadsheets, and programs without a format of their own. If the
/// names are not recognized, `--map FIELD=COLUMN,…` maps the columns.
package struct Generic: LibraryFormat {
    package let name = "generic"

    package init() {}

    /// Exactly the threshold if there is a title or an ISBN, so that any specific format that matches takes
    /// precedence.
    package func score(_ header: HeaderNames) -> Double {
        let fields = fields(header)
        if ColumnMap.identifying.contains(where: { fields[$0] != nil }) { return LibraryFormats.threshold }
        return fields.isEmpty ? 0 : LibraryFormats.threshold / 2
    }

    package func fields(_ header: HeaderNames) -> [LibraryField: Int] {
        var fields: [LibraryField: Int] = [:]
        var taken: Set<Int> = []
        for (field, names) in Self.names {
            guard let column = header.column(names), taken.insert(column).inserted else { continue }
            fields[field] = column
        }
        return fields
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readPlainTable(&row)
    }

    /// Names of columns, the most specific first, as ``HeaderNames`` compares them. A column is used for the
    /// first field that matches it: a plain `ISBN` is the ISBN-13 unless there is a better column.
    private static let names: [(LibraryField, [String])] = [
        (.isbn13, ["isbn13", "isbn 13", "isbn (13)", "ean13", "ean 13", "ean", "isbn", "isbn/uid", "isbns"]),
        (.isbn10, ["isbn10", "isbn 10", "isbn (10)", "isbn"]),
        (.title, ["title", "book title", "titel", "titre", "título", "titulo", "titolo", "book", "name"]),
        (
            .author,
            [
                "author", "author name", "author text", "primary author", "first author",
                "author (first, last)",
                "autor", "auteur", "autore", "author(s)", "autor(es)", "verfasser", "schrijver", "writer",
                "by",
            ]
        ),
        (.authorLastFirst, ["author l f", "author sort", "author (last, first)", "author last first"]),
        // A list of names. Without an author column its first name is the author.
        (
            .additionalAuthors,
            ["additional authors", "authors", "autoren", "auteurs", "autores", "autori", "contributors"]
        ),
        (.series, ["series", "series name", "series title", "reihe", "série", "serie"]),
        (.seriesNumber, ["series number", "series index", "number in series", "volume"]),
        (.sourceID, ["book id", "bookid", "id", "uuid"]),
        (.rating, ["my rating", "rating", "star rating", "stars", "bewertung", "note", "ratings"]),
        (.averageRating, ["average rating", "avg rating"]),
        (.publisher, ["publisher", "verlag", "éditeur", "editorial", "editore", "editora", "uitgever"]),
        (
            .binding,
            ["binding", "format", "book format", "physical format", "einband", "reliure", "edition format"]
        ),
        (.pageCount, ["number of pages", "pages", "page count", "num pages", "seiten", "páginas", "pagine"]),
        (
            .originalYear,
            ["original publication year", "original year", "first published", "first publication year"]
        ),
        (
            .yearPublished,
            ["year published", "publication year", "year", "published year", "jahr", "année", "año", "anno"]
        ),
        (.language, ["language", "language code", "languages", "sprache", "langue", "idioma", "lingua"]),
        (
            .dateRead,
            [
                "date read", "last date read", "read date", "date finished", "finished", "finish date",
                "end date",
            ]
        ),
        (.dateStarted, ["date started", "started", "start date"]),
        (.dateAdded, ["date added", "added", "added date", "entry date", "date created", "shelf date"]),
        (.exclusiveShelf, ["exclusive shelf", "read status", "reading status", "status", "shelf"]),
        (.shelves, ["bookshelves", "shelves", "tags", "collections", "categories"]),
        (.review, ["my review", "review", "review content", "rezension", "critique"]),
        (.privateNotes, ["private notes", "notes", "notizen", "comment", "comments"]),
        (.readCount, ["read count", "times read"]),
        (.ownedCopies, ["owned copies", "copies", "quantity"]),
        (.purchaseDate, ["original purchase date", "purchase date", "date purchased", "date acquired"]),
        (.purchaseLocation, ["original purchase location", "purchase location"]),
        (.condition, ["condition"]),
    ]
}
