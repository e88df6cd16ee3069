import TestSupport
import Testing

@testable import Books
@testable import Store

@Suite struct DuplicateSearchTests {
    /// An entry that shares no work and no edition with others.
    private func entry(
        _ id: Int64, _ title: String, _ authors: String..., isbn: String = "",
        from format: String = "goodreads"
    ) -> ComparedEntry {
        var entry = ComparedEntry(
            id: id, edition: id, work: id,
            name: EntryName(library: "default", formatName: format, sourceID: "\(id)"), title: title)
        entry.authors = authors.filter { !$0.isEmpty }
        if !isbn.isEmpty { entry.isbns = [isbn] }
        return entry
    }

    private func groups(_ entries: [ComparedEntry], similar: Bool = false) -> [[Int64]] {
        DuplicateSearch(entries).groups(includesSimilar: similar).map { $0.members.map(\.entry.id) }
    }

    @Test func `of a labeled pair of exports, at least 95 % are found and 99.5 % of those found are right`() {
        let rows = LabelledTable("duplicates.tsv").rows
        #expect(rows.count >= 300 && rows.count { $0["expected"] == "other" } >= 100)
        var entries: [ComparedEntry] = []
        for (number, row) in rows.enumerated() {
            let id = Int64(number * 2)
            entries.append(entry(id, row["title_a"], row["author_a"], isbn: row["isbn_a"]))
            entries.append(
                entry(id + 1, row["title_b"], row["author_b"], isbn: row["isbn_b"], from: "storygraph"))
        }
        let groups = DuplicateSearch(entries).groups(includesSimilar: false)
        var groupOf: [Int64: Int] = [:]
        for (number, group) in groups.enumerated() {
            for member in group.members { groupOf[member.entry.id] = number }
        }
        var (found, wrong, missed) = (0, [String](), [String]())
        for (number, row) in rows.enumerated() {
            let (first, second) = (groupOf[Int64(number * 2)], groupOf[Int64(number * 2 + 1)])
            let isOne = first != nil && first == second
            let pair =
                "\(row["kind"]): \(row["title_a"]), \(row["author_a"]) | \(row["title_b"]), \(row["author_b"])"
            switch (row["expected"] == "same", isOne) {
            case (true, true): found += 1
            case (true, false): missed.append(pair)
            case (false, true): wrong.append(pair)
            case (false, false): break
            }
        }
        let precision = Double(found) / Double(found + wrong.count)
        let recall = Double(found) / Double(found + missed.count)
        #expect(precision >= 0.995, "\(precision)\n\(wrong.joined(separator: "\n"))")
        #expect(recall >= 0.95, "\(recall)\n\(missed.joined(separator: "\n"))")
    }

    @Test func `a work, an edition or an ISBN in common is certain`() {
        var german = entry(2, "Der Wüstenplanet", "Frank Herbert", isbn: "9783453186835")
        german.work = 1
        var copy = entry(3, "Dune", "Frank Herbert")
        copy.edition = 1
        copy.work = 1
        let dune = entry(1, "Dune", "Frank Herbert", isbn: "9780441172719")
        let found = DuplicateSearch([dune, german, copy]).groups(includesSimilar: false)
        #expect(found.map { $0.members.map(\.entry.id) } == [[1, 2, 3]] && found[0].isCertain)
        #expect(found[0].members.map { $0.match?.relation } == [nil, .otherEdition, .sameEdition])
    }

    @Test func `another volume of a series is another book, whatever the titles are`() {
        var (one, two) = (entry(1, "Saga", "Brian K. Vaughan"), entry(2, "Saga", "Brian K. Vaughan"))
        one.series = [StoredSeries("Saga #1")]
        two.series = [StoredSeries("saga #2")]
        #expect(groups([one, two], similar: true).isEmpty)
        two.series = one.series
        #expect(groups([one, two]) == [[1, 2]])
    }

    @Test func `uncertain pairs are listed if they are asked for, and never join groups`() {
        let pair = [entry(1, "Poems", "J. Smith"), entry(2, "Poems", "")]
        #expect(groups(pair).isEmpty)
        let listed = DuplicateSearch(pair).groups(includesSimilar: true)
        #expect(listed.map(\.isCertain) == [false] && listed[0].score < Matcher.threshold)
    }

    @Test func `dates tell whether two entries are about one reading`() {
        func reading(_ mine: [String], _ theirs: [String]) -> DuplicateMatch.Reading? {
            var (one, two) = (entry(1, "Dune", "Frank Herbert"), entry(2, "Dune", "Frank Herbert"))
            one.readings = StoredReadings(mine.map { ReadingDates($0) })
            two.readings = StoredReadings(theirs.map { ReadingDates($0) })
            return DuplicateSearch([one, two]).groups(includesSimilar: false).first?.members.last?.match?
                .reading
        }
        #expect(reading(["2024-05-01"], ["2024-04-01/2024-05-01"]) == .same)
        #expect(reading(["2024"], ["2020-01-01", "2024-05-01"]) == .same)
        #expect(reading(["2023-05-01"], ["2024-05-01"]) == .other)
        #expect(reading([], ["2024-05-01"]) == .unknown)
    }

    @Test func `thousands of books of one author, or with one title, are compared with few others`() {
        var entries = (1...4_000).map { entry(Int64($0), "Volume of Night \($0)", "Prolific Author") }
        entries += (5_001...9_000).map { entry(Int64($0), "Poems", "Author\($0) Name\($0)") }
        entries.append(entry(10_000, "Poems", "Author7000 Name7000", from: "storygraph"))
        #expect(groups(entries) == [[7_000, 10_000]])
    }
}
