import Books
package import Database
package import Queries
package import Store
import Syntax
package import System

/// Lists entries that are about one book, for the user to look at: `etl duplicates`.
package struct DuplicateList: Sendable {
    /// The formats for programs. CSV is what ``DuplicateFile`` reads.
    package enum Format: String, Sendable, CaseIterable { case csv, json }

    /// Action of ``DuplicateFile`` for an entry.
    package enum Decision: String, Sendable {
        /// The entry that stays.
        case keep
        /// Its values go to the entry that stays.
        case join
        /// Nothing.
        case leave = ""
    }

    private let proposals: [JoinProposal]

    package var groups: [DuplicateGroup] { proposals.map(\.group) }

    /// Reads the entries of a store and compares them. Entries of different libraries are different people's.
    ///
    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - library: The library; nil for each.
    ///   - includesSimilar: Whether pairs that are not certain are listed.
    /// - Throws: `.missing` if there is no such library.
    package init(
        _ connection: Connection, of library: String?, includesSimilar: Bool
    ) throws(ETLError) {
        proposals = try connection.snapshot { () throws(ETLError) in
            if let library { _ = try LibraryNames(connection).id(of: library) }
            var proposals: [JoinProposal] = []
            let libraries = try connection.query("SELECT id, name FROM libraries ORDER BY id")
            while try libraries.next() {
                let (id, name) = (libraries.integer(0), libraries.string(1))
                guard library == nil || name == library else { continue }
                let entries = try Self.entries(of: id, named: name, connection)
                proposals += DuplicateSearch(entries).groups(includesSimilar: includesSimilar).map {
                    JoinProposal($0)
                }
            }
            return proposals
        }
    }

    private static func entries(
        of library: Int64, named name: String, _ connection: Connection
    ) throws(ETLError) -> [ComparedEntry] {
        let rows = try connection.query(
            """
            SELECT e.id, d.id, w.id, y.format, e.source_id, ifnull(\(ShownTitle.sql), ''),
                iif(d.title IS NULL, w.subtitle, d.subtitle), d.isbn, d.isbns, w.first_publication_year, d.language,
                w.series, e.date_started, e.date_read, e.earlier_readings, e.rating,
                \(EditableField.copyDetails.compactMap(\.column).map { "e.\($0)" }.joined(separator: ", ")),
                (SELECT json_group_array(name) FROM (SELECT a.name FROM contributors c JOIN authors a ON a.id = c.author
                    WHERE \(ContributorIDs.condition(work: "w.id", alias: "c."))
                    AND c.role IN (\(ContributorRole.author.rawValue), \(ContributorRole.contributor.rawValue))
                    ORDER BY c.id))
            FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
                JOIN layouts y ON y.id = e.layout WHERE e.library = ?1 ORDER BY e.id
            """, library)
        let joined = try JoinedFormats(connection, of: library)
        var entries: [ComparedEntry] = []
        while try rows.next() {
            var row = RowCursor(rows)
            let (id, edition, work) = (row.integer(), row.integer(), row.integer())
            let source = EntryName(library: name, formatName: row.text() ?? "", sourceID: row.text() ?? "")
            var entry = ComparedEntry(
                id: id, edition: edition, work: work, name: source, title: row.text() ?? "")
            entry.subtitle = row.text() ?? ""
            // Other numbers in the column do not identify a book.
            let numbers = [row.text()].compactMap(\.self) + row.list()
            entry.isbns = Set(numbers.compactMap { ISBN($0)?.isbn13 })
            entry.firstYear = row.optionalInteger().flatMap { Int32(exactly: $0) }
            entry.language = row.text()
            entry.series = row.text().map(StoredSeries.read) ?? []
            entry.readings = StoredReadings(
                started: row.text() ?? "", finished: row.text() ?? "", earlier: row.list())
            entry.rating = row.optionalNumber()
            entry.details = EditableField.copyDetails.map { _ in row.text() ?? "" }
            entry.authors = row.list()
            entry.formats.formUnion(joined[id])
            entries.append(entry)
        }
        return entries
    }

    // MARK: Decisions

    /// Entries of one book with the proposed decisions, as a user decides about them.
    package struct Question: Sendable {
        package var members: [DuplicateGroup.Member]
        /// The decision for each member. At most one keeps its entry.
        package var decisions: [Decision]

        /// A question with a decision for each member.
        package init(members: [DuplicateGroup.Member], decisions: [Decision]) {
            self.members = members
            self.decisions = decisions
        }
    }

    /// The groups as questions. A group of which several copies are joined is a question for each of them, as it is several
    /// groups in the list for programs.
    package var questions: [Question] {
        proposals.flatMap { proposal -> [Question] in
            let (members, decisions) = (proposal.group.members, proposal.decisions)
            let joined = proposal.copies.filter { $0.count > 1 }
            guard joined.count > 1 else { return [Question(members: members, decisions: decisions)] }
            return joined.map { Question(members: Array(members[$0]), decisions: Array(decisions[$0])) }
        }
    }

    /// The entries that are joined if all proposals are followed.
    var joins: [EntryJoin] { proposals.flatMap(\.joins) }

    // MARK: Writing

    /// The columns of the CSV. Those that name an entry are ``EditedTable/names``.
    static let columns = [
        "group", "decision", "match", "score", "reading", "library", "sourceFormat", "sourceId", "title",
        "authors", "isbn13",
        "dateRead", "rating", "evidence",
    ]

    package func write(as format: Format, to sink: ByteSink) throws(ETLError) {
        switch format {
        case .csv:
            var out = CSVWriter()
            out.record(Self.columns)
            for (number, proposal) in proposals.enumerated() {
                let names = proposal.names(ofGroup: number + 1)
                for (index, decision) in proposal.decisions.enumerated() {
                    out.record(Self.cells(of: proposal.group.members[index], decision, inGroup: names[index]))
                    try out.flush(to: sink)
                }
            }
            try out.flush(to: sink, isEnd: true)
        case .json:
            var json = JSONWriter()
            json.array { json in
                for (number, proposal) in proposals.enumerated() {
                    proposal.group.write(
                        into: &json, names: proposal.names(ofGroup: number + 1),
                        decisions: proposal.decisions.map(\.rawValue))
                }
            }
            json.endLine()
            try json.flush(to: sink, isEnd: true)
        }
    }

    private static func cells(
        of member: DuplicateGroup.Member, _ decision: Decision, inGroup group: String
    ) -> [String] {
        let (entry, match) = (member.entry, member.match)
        return [
            group, decision.rawValue, match?.relation.rawValue ?? "",
            match.map { "\($0.score)" } ?? "", match?.reading.rawValue ?? "", entry.name.library,
            entry.name.formatName, entry.name.sourceID, entry.title, entry.authors.joined(separator: "; "),
            entry.isbns.min() ?? "", entry.readings.finished, entry.rating.map { "\($0)" } ?? "",
            (match?.evidence ?? []).joined(separator: "; "),
        ]
    }
}
