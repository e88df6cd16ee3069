import Books
import Database
import Formats
import Store
package import System

/// A list of duplicates that a user has looked at: the CSV of ``DuplicateList``. Of each group, the entry with `keep`
/// stays and gets the values of those with `join`; other lines change nothing.
package struct DuplicateFile: Sendable {
    private struct Line {
        var number: Int
        var name: EntryName
        var decision: DuplicateList.Decision
    }

    private let path: String
    /// The lines with a decision, by group, in the order of the file.
    private let groups: [(name: String, lines: [Line])]

    /// - Throws: `.unusableInput` for a file that is no such list, or a group without exactly one entry to keep.
    package init(_ path: String) throws(ETLError) {
        self.path = path
        var table = try EditedTable(path, of: .duplicates)
        let names = table.columns.map { $0.lowercased() }
        func column(_ name: String) -> Int? { names.firstIndex(of: name.lowercased()) }
        guard let group = column("group"), let decision = column("decision") else {
            throw EditedTable.Kind.duplicates.refusal(of: path)
        }
        let ids = EditedTable.names.compactMap(column)
        var groups: [(name: String, lines: [Line])] = []
        while let row = try table.next() {
            let text = row.cells[decision].filter { !$0.isWhitespace }.lowercased()
            guard let decision = DuplicateList.Decision(rawValue: text) else {
                throw Self.failure(
                    path, row.number, "`\(text)` is not a decision",
                    advice: "Write `keep` or `join`, or leave the cell empty.")
            }
            guard decision != .leave else { continue }
            let cells = ids.map { row.cells[$0] }
            let line = Line(
                number: row.number,
                name: EntryName(library: cells[0], formatName: cells[1], sourceID: cells[2]),
                decision: decision)
            let name = row.cells[group]
            if let known = groups.firstIndex(where: { $0.name == name }) {
                groups[known].lines.append(line)
            } else {
                groups.append((name, [line]))
            }
        }
        self.groups = groups
        for group in groups {
            let first = group.lines[0]
            guard group.lines.count(where: { $0.decision == .keep }) == 1 else {
                throw Self.failure(
                    path, first.number, "group \(group.name) needs one entry to keep",
                    advice: "Write `keep` next to one entry of the group.")
            }
            guard group.lines.allSatisfy({ $0.name.library == first.name.library }) else {
                throw Self.failure(
                    path, first.number, "group \(group.name) has entries of several libraries",
                    advice: "Join entries of one library.")
            }
        }
    }

    /// The decisions of a user who was asked about each group. They are checked like those of a file.
    package init(_ decided: [DuplicateList.Question]) {
        path = "etl duplicates"
        groups = decided.enumerated().compactMap { number, question in
            guard question.decisions.contains(.join) else { return nil }
            let lines = zip(question.members, question.decisions).filter { $1 != .leave }.map {
                Line(number: number + 1, name: $0.entry.name, decision: $1)
            }
            return ("\(number + 1)", lines)
        }
    }

    /// The entries to join, by library, in the order of the file. Those that were joined before, as the list says, are
    /// left out: a run that was stopped can be repeated.
    ///
    /// - Parameter places: Outcome of entries.
    /// - Returns: The entries, and the number of those that are left out.
    /// - Throws: `.unusableInput` if an entry is not in the store, was joined to another one than the list says, or is in
    ///   two groups.
    func joins(
        _ places: ([EntryName]) async throws(ETLError) -> [EntryPlace]
    ) async throws(ETLError) -> (joins: [(library: String, joins: [EntryJoin])], done: Int) {
        var joins: [(library: String, joins: [EntryJoin])] = []
        var (seen, done): (Set<Int64>, Int) = ([], 0)
        for group in groups where group.lines.count > 1 {
            var join = EntryJoin(kept: 0, dropped: [])
            var before: [(line: Line, into: Int64)] = []
            for (line, place) in zip(group.lines, try await places(group.lines.map(\.name))) {
                switch place {
                case .stored(let row):
                    guard seen.insert(row).inserted else {
                        throw Self.failure(
                            path, line.number, "the entry is in two groups",
                            advice: "Leave it out of one of them.")
                    }
                    if line.decision == .keep { join.kept = row } else { join.dropped.append(row) }
                case .joined(let row) where line.decision == .join: before.append((line, row))
                case .joined: throw joinedElsewhere(line)
                case .none: throw outdated(line, "there is no such entry")
                }
            }
            for (line, into) in before where into != join.kept { throw joinedElsewhere(line) }
            done += before.count
            guard !join.dropped.isEmpty else { continue }
            let library = group.lines[0].name.library
            if let known = joins.firstIndex(where: { $0.library == library }) {
                joins[known].joins.append(join)
            } else {
                joins.append((library, [join]))
            }
        }
        return (joins, done)
    }

    private func joinedElsewhere(_ line: Line) -> ETLError {
        outdated(line, "the entry was joined to another one before")
    }

    private func outdated(_ line: Line, _ sentence: String) -> ETLError {
        Self.failure(
            path, line.number, sentence,
            advice: "The library has changed. Create the list again with \(UserCommand.duplicateTable).")
    }

    private static func failure(
        _ path: String, _ line: Int, _ sentence: String, advice: UserText
    ) -> ETLError {
        ETLError(.unusableInput, "\(path):\(line): \(sentence).", advice: advice)
    }
}

extension EditedTable.Kind {
    /// The output of ``DuplicateList``.
    fileprivate static let duplicates = Self(
        "a list of duplicates", columns: ["group", "decision"] + EditedTable.names,
        advice: "Create one with \(UserCommand.duplicateTable).")
}

/// Outcome of a list of duplicates.
package struct JoinReport: Sendable, Hashable {
    /// Entries that stay, and those that were joined to them.
    package var kept: Int
    package var joined: Int
    /// Entries that had been joined before, as the list says.
    package var alreadyJoined = 0
    /// The names of the jobs, one for each library; none if nothing was changed.
    package var jobs: [String] = []
}

extension LibraryEdits {
    /// Joins the entries of a reviewed list.
    package func join(_ file: DuplicateFile) async throws(ETLError) -> JoinReport {
        let (joins, done) = try await file.joins { (names) throws(ETLError) in try await places(names) }
        var report = JoinReport(
            kept: joins.reduce(0) { $0 + $1.joins.count },
            joined: joins.reduce(0) { $0 + $1.joins.reduce(0) { $0 + $1.dropped.count } }, alreadyJoined: done
        )
        guard !isDryRun else { return report }
        for (library, joins) in joins {
            do throws(ETLError) {
                report.jobs.append(try await join(joins, library: library).name)
            } catch {
                // Joined entries stay joined, so the message names the job to undo.
                guard let last = report.jobs.last else { throw error }
                throw ETLError(
                    error.kind, "\(error.message) The entries of other libraries were joined before.",
                    advice: "To undo that, use \(UserCommand.undo(job: last)).")
            }
        }
        return report
    }
}
