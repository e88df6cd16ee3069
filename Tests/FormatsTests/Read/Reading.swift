import Books
import Bytes
import Formats
import Pipeline
import Synchronization
import System

/// Everything a reading yields, as text, to compare readings.
struct Reading: Equatable {
    /// A record: its position, its cells, and what was read from them.
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
                row.warnings.map { "\($0.code):\($0.field ?? ""):\($0.value)" }.joined(separator: ";"),
                rows.arena[row.raw], rows.cells[row.cells].map { rows.arena[$0] }.joined(separator: "\u{1E}"),
            ]
            records.append(facts.joined(separator: "\u{1F}"))
        }
        rejects += new
        ends.append(end)
        recordsRead += count
        columns = rows.columns
    }

    /// One part of all records: 2 people, 3 series, 4 format, 5 warnings, 6 raw, 7 cells.
    func fact(_ index: Int) -> [String] {
        records.map { String($0.split(separator: "\u{1F}", omittingEmptySubsequences: false)[index]) }
    }

    /// Reads as a run would.
    ///
    /// - Parameter batches: Number of batches after which the consumer stops.
    static func of(
        _ settings: ReadSettings, from position: Position = .start, batches: Int = .max
    ) async throws(ETLError) -> Reading {
        let heard = Mutex(Reading())
        let emitter = Emitter<LibraryRows> { rows, end, count, rejects in
            heard.withLock {
                guard $0.ends.count < batches else { return false }
                $0.take(rows, end: end, recordsRead: count, rejects: rejects)
                return true
            }
        }
        try await ReadLibrary(settings).read(from: position, into: emitter)
        return heard.withLock { $0 }
    }
}

/// The failure of a reading; nil if it succeeds.
func failure(of settings: ReadSettings) async -> ETLError? {
    do throws(ETLError) {
        _ = try await Reading.of(settings)
        return nil
    } catch {
        return error
    }
}
