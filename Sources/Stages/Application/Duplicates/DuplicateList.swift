package import Books
package import Database
package import Pipeline
import Syntax

/// Lists entries that are about one book, for a reader to look at: `etl duplicates`.
package struct DuplicateList: Sendable {
    /// The formats for programs. CSV is what ``DuplicateFile`` reads.
    package enum Format: String, Sendable, CaseIterable { case csv, json }

    /// What ``DuplicateFile`` does with an entry.
    enum Decision: String, Sendable {
        /// The entry that stays.
        case keep
        /// Its values go to the entry that stays.
        case join
        /// Nothing.
        case leave = ""
    }

    package let groups: [DuplicateGroup]

    /// Reads the entries of a store and compares them. Entries of different libraries are different people's.
    ///
    /// - Parameters:
    ///   - connection: A store opened for reading.
    ///   - library: The library; nil for each.
    ///   - includesSimilar: Whether pairs that are not certain are listed.
    /// - Throws: `.missing` if there is no such library.
    package init(
        _ connection: Connection, of library: String?, includesSimilar: Bool
    ) throws(StageFailure) {
        groups = try connection.snapshot { () throws(StageFailure) in
            if let library { _ = try LibraryNames(connection).id(of: library) }
            var groups: [DuplicateGroup] = []
            let libraries = try connection.query("SELECT id, name FROM libraries ORDER BY id")
            while try libraries.next() {
                let (id, name) = (libraries.integer(0), libraries.string(1))
                guard library == nil || name == library else { continue }
                let entries = try Self.entries(of: id, named: name, connection)
                groups += DuplicateSearch(entries).groups(includesSimilar: includesSimilar)
            }
            return groups
        }
    }

    private static func entries(
        of library: Int64, named name: String, _ connection: Connection
    ) throws(StageFailure) -> [ComparedEntry] {
        let rows = try connection.query(
            """
            SELECT e.id, d.id, w.id, y.profile, e.source_id, coalesce(d.title, w.title, ''),
                iif(d.title IS NULL, w.subtitle, d.subtitle), d.isbn, d.isbns, w.first_publication_year, d.language,
                w.series, e.date_started, e.date_read, e.earlier_readings, e.rating,
                (SELECT json_group_array(name) FROM (SELECT a.name FROM contributors c JOIN authors a ON a.id = c.author
                    WHERE \(ContributorIDs.condition(work: "w.id", alias: "c."))
                    AND c.role IN (\(ContributorRole.author.rawValue), \(ContributorRole.contributor.rawValue))
                    ORDER BY c.id))
            FROM entries e JOIN editions d ON d.id = e.edition JOIN works w ON w.id = d.work
                JOIN layouts y ON y.id = e.layout WHERE e.library = ?1 ORDER BY e.id
            """)
        rows.bind(1, library)
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
            entry.authors = row.list()
            entries.append(entry)
        }
        return entries
    }

    // MARK: Decisions

    /// What the list proposes for a member of a group: join what is certainly one book, if it came from another program
    /// or is the same edition. A second edition in one program can be a second copy.
    static func proposal(for index: Int, of group: DuplicateGroup) -> Decision {
        guard group.isCertain else { return .leave }
        func joins(_ index: Int) -> Bool {
            let member = group.members[index]
            guard let match = member.match else { return false }
            let (format, edition) = (member.entry.name.formatName, member.entry.edition)
            // The editions that this program has in the group already.
            let others = group.members[..<index].filter { $0.entry.name.formatName == format }.map(
                \.entry.edition)
            return others.isEmpty || match.relation == .sameEdition && others.contains(edition)
        }
        guard index > 0 else {
            return group.members.indices.dropFirst().contains(where: joins) ? .keep : .leave
        }
        return joins(index) ? .join : .leave
    }

    /// The entries that are joined if all proposals are followed.
    var joins: [EntryJoin] {
        groups.compactMap { group in
            let dropped = group.members.indices.filter { Self.proposal(for: $0, of: group) == .join }
            guard let kept = group.members.first, !dropped.isEmpty else { return nil }
            return EntryJoin(kept: kept.entry.id, dropped: dropped.map { group.members[$0].entry.id })
        }
    }

    // MARK: Writing

    /// The columns of the CSV. Those that name an entry are ``EditedTable/names``.
    static let columns = [
        "group", "decision", "match", "score", "reading", "library", "profile", "sourceId", "title",
        "authors", "isbn13",
        "dateRead", "rating", "evidence",
    ]

    package func write(as format: Format, to sink: ByteSink) throws(StageFailure) {
        switch format {
        case .csv:
            var out = CSVWriter()
            out.record(Self.columns)
            for number in groups.indices {
                for index in groups[number].members.indices {
                    out.record(cells(of: index, inGroup: number))
                    try out.flush(to: sink)
                }
            }
            try out.flush(to: sink, isEnd: true)
        case .json:
            var json = JSONWriter()
            json.array { json in
                for group in groups {
                    let decisions = group.members.indices.map { Self.proposal(for: $0, of: group).rawValue }
                    group.write(into: &json, decisions: decisions)
                }
            }
            json.endLine()
            try json.flush(to: sink, isEnd: true)
        }
    }

    private func cells(of index: Int, inGroup number: Int) -> [String] {
        let group = groups[number]
        let (entry, match) = (group.members[index].entry, group.members[index].match)
        return [
            "\(number + 1)", Self.proposal(for: index, of: group).rawValue, match?.relation.rawValue ?? "",
            match.map { "\($0.score)" } ?? "", match?.reading.rawValue ?? "", entry.name.library,
            entry.name.formatName, entry.name.sourceID, entry.title, entry.authors.joined(separator: "; "),
            entry.isbns.min() ?? "", entry.readings.finished, entry.rating.map { "\($0)" } ?? "",
            (match?.evidence ?? []).joined(separator: "; "),
        ]
    }
}
