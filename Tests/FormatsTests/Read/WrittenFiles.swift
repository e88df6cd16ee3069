import Foundation
import System

@testable import Books
@testable import Bytes
@testable import Formats

/// Temporary files of one test.
final class WrittenFiles {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "reading-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Writes a file and returns its path.
    func write(_ bytes: some Collection<UInt8>, as name: String = "library.csv") throws -> String {
        let url = directory.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        return url.path
    }

    func write(_ text: String, as name: String = "library.csv") throws -> String {
        try write(Array(text.utf8), as: name)
    }
}

/// The values of given fields for each row, readings before cells.
enum RowFacts {
    /// The fields of each row that was kept.
    static func of(
        _ path: String, _ fields: [LibraryField], settings: (inout ReadSettings) -> Void = { _ in }
    ) throws(ETLError) -> (formatName: String, rows: [[String]], rejects: [String]) {
        var reading = ReadSettings(files: [path])
        settings(&reading)
        let file = try LibraryFile(path, index: 0, settings: reading)
        var reader = try LibraryFileReader(file, settings: reading)
        var rows: [[String]] = []
        var rejects: [String] = []
        while let chunk = try reader.next() {
            rejects += chunk.rejects.map(\.code)
            for row in chunk.rows.rows {
                rows.append(fields.map { chunk.rows.string($0, of: row) })
            }
        }
        return (file.format.name, rows, rejects)
    }

    /// The series of all rows as `name#number`.
    static func series(_ path: String) throws(ETLError) -> [String] {
        let reading = ReadSettings(files: [path])
        var reader = try LibraryFileReader(LibraryFile(path, index: 0, settings: reading), settings: reading)
        var series: [String] = []
        while let chunk = try reader.next() {
            for mention in chunk.rows.rows.flatMap({ chunk.rows.series[$0.series] }) {
                series.append("\(chunk.rows.arena[mention.name])#\(chunk.rows.arena[mention.number])")
            }
        }
        return series
    }

    /// Title and people of each row, with roles.
    static func people(_ path: String) throws(ETLError) -> [String] {
        let reading = ReadSettings(files: [path])
        var reader = try LibraryFileReader(LibraryFile(path, index: 0, settings: reading), settings: reading)
        var rows: [String] = []
        while let chunk = try reader.next() {
            for row in chunk.rows.rows {
                let people = chunk.rows.people[row.people].map {
                    "\(chunk.rows.arena[$0.name]) (\($0.role))"
                }
                rows.append("\(chunk.rows.arena[row.title]): \(people.joined(separator: ", "))")
            }
        }
        return rows
    }
}

/// Goodreads exports as text.
enum GoodreadsFixture {
    static let header31 =
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
        + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
        + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Recommended For,"
        + "Recommended By,Owned Copies,Original Purchase Date,Original Purchase Location,Condition,"
        + "Condition Description,BCID"
    static let header24 =
        "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,"
        + "Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,"
        + "Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies"

    /// A record of the 24-column layout.
    static func row(
        _ id: Int, title: String = "A Title", author: String = "An Author", additional: String = "",
        binding: String = "Paperback", year: String = "1999", read: String = "2020/10/25",
        added: String = "2020/10/21",
        review: String = ""
    ) -> String {
        "\(id),\"\(title)\",\(author),\"Author, An\",\"\(additional)\",\"=\"\"0306406152\"\"\",\"=\"\"9780306406157\"\"\",4,"
            + "4.20,Press,\(binding),300,2001,\(year),\(read),\(added),to-read,to-read (#1),to-read,\"\(review)\",,,1,0"
    }

    /// A 24-column library with everything that makes resuming hard: records of many lengths, quoted line
    /// ends, blank lines, damage, a record over the limits.
    static func library(records: Int) -> String {
        var text = header24 + "\n"
        for id in 1...records {
            switch id % 11 {
            case 3:
                text += row(
                    id, title: "Über \(id) (Ein Zyklus, #\(id))", review: "first\nsecond \"\"quoted\"\" line")
            case 5: text += "\n" + row(id, binding: "Kindle Edition", read: "########")
            case 7: text += row(id, additional: "B Name, C Name, Jr.") + ",,extra"
            case 9: text += row(id, review: String(repeating: "x", count: 3_000))
            case 10: text += "\(id),Short"
            default: text += row(id)
            }
            text += id % 4 == 0 ? "\r\n" : "\n"
        }
        return text
    }
}
