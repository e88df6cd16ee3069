package import Books
import Bytes

/// Zotero's export as CSV. Names have the family name first and are separated by semicolons. Articles, web pages and
/// whatever else is no book are set aside, as in RIS.
package struct Zotero: TabularFormat {
    package let name = "zotero"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readPlainTable(&row)
        let type = rows.arena[rows.cell(named: ["Item Type"], of: row)]
        if !type.isEmpty, !Self.books.contains(type) { row.refusal = .notABook }
    }

    /// Types of items that are books. A part of a book is none.
    private static let books: Set = [
        "book", "thesis", "report", "manuscript", "document", "audioRecording",
    ]

    package static let columns = FormatColumns(
        [
            .distinctive(.sourceID, "key"), .distinctive(nil, "item type"),
            .common(.yearPublished, "publication year"), .common(.author, "author"),
            .common(.title, "title"), .distinctive(nil, "publication title"), .common(.isbn13, "isbn"),
            .distinctive(nil, "issn"), .distinctive(nil, "doi"), .common(.dateAdded, "date added"),
            .common(.pageCount, "num pages"), .common(.series, "series"),
            .common(.seriesNumber, "series number"), .common(.publisher, "publisher"),
            .common(.language, "language"), .common(.shelves, "manual tags"),
            .common(.privateNotes, "notes"), .common(.editors, "editor"),
            .common(.translators, "translator"),
        ],
        unmapped: [
            "abstract note", "url", "date", "date modified", "access date", "pages", "issue", "volume",
            "number of volumes", "journal abbreviation", "short title", "series text", "series title",
            "place", "rights", "type", "archive", "archive location", "library catalog", "call number",
            "extra", "file attachments", "link attachments", "automatic tags", "series editor",
            "contributor", "attorney agent", "book author", "cast member", "commenter", "composer",
            "cosponsor", "counsel", "interviewer", "producer", "recipient", "reviewed author",
            "scriptwriter", "words by", "guest", "number", "edition", "running time", "scale", "medium",
            "artwork size", "filing date", "application number", "assignee", "issuing authority",
            "country", "meeting name", "conference name", "court", "references", "reporter",
            "legal status", "priority numbers", "programming language", "version", "system", "code",
            "code number", "section", "session", "committee", "history", "legislative body",
        ])
}
