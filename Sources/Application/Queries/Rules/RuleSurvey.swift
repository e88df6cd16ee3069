import Books
package import Database
package import Formats
import Store
package import System

/// Counts what library files or a library's entries say, for proposing rules: `etl rules suggest`.
package enum RuleSurvey {
    /// Counts the records of files. Nothing is written.
    package static func counts(of settings: ReadSettings) async throws(ETLError) -> RuleCounts {
        var reading = settings
        try reading.expandArchives()
        let survey = try await ReadLibrary(reading).surveyLibrary()
        reading.dateOrders = survey.dateOrders
        reading.surveyed = survey.surveyed
        var counts = RuleCounts()
        for (index, path) in reading.files.enumerated() {
            let file = try LibraryFile(path, index: index, settings: reading)
            var reader = try LibraryFileReader(file, settings: reading)
            while let chunk = try reader.next() { counts.add(chunk.rows) }
        }
        return counts
    }

    /// Counts the entries of a library. Shelves and ratings are as they were stored, people as the rows have them.
    ///
    /// - Throws: `.missing` if the store has no such library.
    package static func counts(
        of library: String, in connection: Connection
    ) throws(ETLError) -> RuleCounts {
        let id = try LibraryNames(connection).id(of: library)
        let layouts = try EntryLayouts(connection)
        let entries = try connection.query(
            "SELECT layout, cells, review, shelf, shelves, rating FROM entries WHERE library = ?1", id)
        var counts = RuleCounts()
        while try entries.next() {
            let layout = try layouts.layout(entries.integer(0))
            var row = RuleCounts.Row(formatName: layout.formatName)
            row.status = entries.string(3)
            row.tags = ShelfList.names(in: entries.string(4))
            if let reader = layout.reader {
                let review = entries.string(2)
                let cells = entries.withBytes(1) { PackedCells.cells($0, keptApart: review) }
                let read = reader.read(cells, .dayFirst)
                row.people = read.people.map(\.name)
                let column = reader.cells.firstIndex { $0.field == .rating }
                if let column, cells.indices.contains(column) { row.rating = cells[column] }
                // The reader of rows reads no stars from other texts than ratings.
                row.isRatingRead = !entries.isNull(5) || read.values[.rating] == row.rating
            }
            counts.add(row)
        }
        return counts
    }
}
