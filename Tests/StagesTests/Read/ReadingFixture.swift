import Foundation
import Pipeline
import Stages
import Synchronization

/// Files of a test's own, gone when the test is.
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

/// All that a reading yields, in words: what two readings are compared by.
struct Reading: Equatable {
    /// A record: where it stands, what its cells are, what was made of it.
    var records: [String] = []
    var rejects: [Reject] = []
    var ends: [Position] = []
    var recordsRead = 0
    /// Of the last batch.
    var columns: ColumnMap?

    var titles: [String] {
        records.map { String($0.split(separator: "\u{1F}", omittingEmptySubsequences: false)[1]) }
    }

    mutating func take(_ rows: LibraryRows, end: Position, recordsRead count: Int, rejects new: [Reject]) {
        for row in rows.rows {
            let people = rows.people[row.people].map { "\(rows.arena[$0.name]) as \($0.role)" }
            let series = rows.series[row.series].map { "\(rows.arena[$0.name])#\(rows.arena[$0.number])" }
            let facts = [
                "\(row.position)", rows.arena[row.title], people.joined(separator: ";"),
                series.joined(separator: ";"), "\(row.format.map(\.contractName) ?? "-")",
                row.notices.map { "\($0.code):\($0.field ?? ""):\($0.value)" }.joined(separator: ";"),
                rows.arena[row.raw], rows.cells[row.cells].map { rows.arena[$0] }.joined(separator: "\u{1E}"),
            ]
            records.append(facts.joined(separator: "\u{1F}"))
        }
        rejects += new
        ends.append(end)
        recordsRead += count
        columns = rows.columns
    }

    /// One of the facts of all records: 2 people, 3 series, 4 format, 5 notices, 6 raw, 7 cells.
    func fact(_ index: Int) -> [String] {
        records.map { String($0.split(separator: "\u{1F}", omittingEmptySubsequences: false)[index]) }
    }

    /// Reads as a run would.
    ///
    /// - Parameter batches: Batches after which nobody listens any more.
    static func of(
        _ settings: ReadSettings, from position: Position = .start, batches: Int = .max
    ) async throws(StageFailure) -> Reading {
        let heard = Mutex(Reading())
        let outlet = Outlet<LibraryRows> { rows, end, count, rejects in
            heard.withLock {
                guard $0.ends.count < batches else { return false }
                $0.take(rows, end: end, recordsRead: count, rejects: rejects)
                return true
            }
        }
        try await ReadLibrary(settings).read(from: position, into: outlet)
        return heard.withLock { $0 }
    }
}

/// The failure of a reading; nil where it succeeds.
func failure(of settings: ReadSettings) async -> StageFailure? {
    do throws(StageFailure) {
        _ = try await Reading.of(settings)
        return nil
    } catch {
        return error
    }
}

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

    /// A record of the 24 column dialect.
    static func row(
        _ id: Int, title: String = "A Title", author: String = "An Author", additional: String = "",
        binding: String = "Paperback", year: String = "1999", read: String = "2020/10/25",
        added: String = "2020/10/21",
        review: String = ""
    ) -> String {
        "\(id),\"\(title)\",\(author),\"Author, An\",\"\(additional)\",\"=\"\"0306406152\"\"\",\"=\"\"9780306406157\"\"\",4,"
            + "4.20,Press,\(binding),300,2001,\(year),\(read),\(added),to-read,to-read (#1),to-read,\"\(review)\",,,1,0"
    }

    /// A library of the 24 column dialect with all that makes resuming hard: records of many lengths, quoted
    /// line ends, blank lines, damage, a record over the limits.
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
