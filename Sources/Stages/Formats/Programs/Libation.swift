package import Books
import Bytes

/// The list of an Audible library that Libation exports as CSV.
///
/// Every title is an audiobook. Authors, narrators, categories and series are lists. Episodes of podcasts are set aside.
package struct Libation: TabularFormat {
    package let name = "libation"

    package init() {}

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readPlainTable(&row)
        row.format = .audiobook
        let finished = rows.cell(named: ["Is Finished?", "IsFinished"], of: row)
        if rows.arena[finished].lowercased() == "true" {
            rows.read(.exclusiveShelf, as: rows.arena.append(ReadingStatus.read.rawValue), of: &row)
        }
        if rows.columns[.ownedCopies] == nil {
            let plus = rows.cell(named: ["Is Audible Plus?"], of: row)
            let isOwned = rows.arena[plus].lowercased() != "true"
            rows.read(.ownedCopies, as: rows.arena.append(isOwned ? "1" : "0"), of: &row)
        }
        let type = rows.arena[rows.cell(named: ["Content Type"], of: row)].lowercased()
        if type.hasPrefix("episode") { row.refusal = .notABook }
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .common(.subtitle, "subtitle"), .distinctive(.author, "authors"),
            .distinctive(.narrators, "narrators"), .distinctive(.asin, "audible product id"),
            .common(.publisher, "publisher"), .common(.series, "series names"),
            .common(.seriesNumber, "series order"), .distinctive(.rating, "my rating: overall"),
            .common(.averageRating, "community rating: overall"),
            .distinctive(.dateAdded, "date added to library"), .common(.yearPublished, "date published"),
            .common(.subjects, "categories"), .common(.shelves, "my libation tags"),
            .common(.language, "language"), .distinctive(nil, "book liberated status"),
            .distinctive(nil, "length in minutes"),
            .additional(.exclusiveShelf, "is finished?", "isfinished"),
            .additional(.ownedCopies, "is audible plus?"),
        ],
        unmapped: [
            "account", "absent from last scan?", "locale", "description", "has pdf",
            "community rating: performance", "community rating: story", "cover id", "cover id large",
            "is abridged?", "my rating: performance", "my rating: story", "pdf liberated status",
            "content type", "last downloaded", "lastdownloaded", "last downloaded version",
            "lastdownloadedversion", "is spatial?", "isspatial", "included until",
            "last downloaded file version", "last downloaded codec", "last downloaded sample rate",
            "last downloaded audio channels", "last downloaded bitrate",
        ])
}
