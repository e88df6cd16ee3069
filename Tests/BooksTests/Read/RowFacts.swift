import Pipeline

@testable import Books
@testable import Bytes

/// What the rows of a file say for given fields, readings before cells: what tests of profiles compare.
enum RowFacts {
    /// The fields of each row that was kept.
    static func of(
        _ path: String, _ fields: [LibraryField], settings: (inout ReadSettings) -> Void = { _ in }
    ) throws(StageFailure) -> (profile: String, rows: [[String]], rejects: [String]) {
        var reading = ReadSettings(files: [path])
        settings(&reading)
        let file = try LibraryFile(path, index: 0, settings: reading)
        var reader = try LibraryFileReader(file, settings: reading)
        var rows: [[String]] = []
        var rejects: [String] = []
        while let portion = try reader.next() {
            rejects += portion.rejects.map(\.code)
            for row in portion.rows.rows {
                rows.append(fields.map { portion.rows.string($0, of: row) })
            }
        }
        return (file.format.name, rows, rejects)
    }

    /// Title and people of each row, each with the role.
    static func people(_ path: String) throws(StageFailure) -> [String] {
        let reading = ReadSettings(files: [path])
        var reader = try LibraryFileReader(LibraryFile(path, index: 0, settings: reading), settings: reading)
        var rows: [String] = []
        while let portion = try reader.next() {
            for row in portion.rows.rows {
                let people = portion.rows.people[row.people].map {
                    "\(portion.rows.arena[$0.name]) (\($0.role))"
                }
                rows.append("\(portion.rows.arena[row.title]): \(people.joined(separator: ", "))")
            }
        }
        return rows
    }
}
