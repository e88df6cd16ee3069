import Jobs
import Testing

@testable import CommandLineTool
@testable import Store

/// Scripts of keys, and what they join.
@Suite struct DuplicateDialogTests {
    private static func group(_ name: String, _ decisions: [DuplicateList.Decision]) -> DuplicateList.Question
    {
        DuplicateList.Question(
            members: decisions.indices.map { index in
                var entry = ComparedEntry(
                    id: Int64(index), edition: 1, work: 1,
                    name: EntryName(library: "default", formatName: "goodreads", sourceID: "\(name)\(index)"),
                    title: "Poems \(name)")
                entry.rating = index == 0 ? 3.5 : 4
                return DuplicateGroup.Member(
                    entry: entry,
                    match: index == 0
                        ? nil
                        : DuplicateMatch(
                            relation: .sameWork, reading: .unknown, score: 0.99, evidence: ["for:title_same"])
                )
            }, decisions: decisions)
    }

    private static let groups = [
        group("a", [.keep, .join]), group("b", [.leave, .leave, .leave]), group("c", [.keep, .join, .leave]),
    ]

    /// What is joined: `a0<a1` for an entry that gets the values of another.
    private func joined(_ dialog: DuplicateDialog) -> [String] {
        dialog.joined.map { question in
            let names = zip(question.members.map(\.entry.name.sourceID), question.decisions)
            func of(_ decision: DuplicateList.Decision) -> String {
                names.filter { $1 == decision }.map(\.0).joined(separator: "+")
            }
            return of(.keep) + "<" + of(.join)
        }
    }

    @Test(
        arguments: [
            ("j", ["a0<a1"], 1), ("\r", ["a0<a1"], 1), ("s", [], 1), ("js", ["a0<a1"], 2),
            ("sj", ["b0<b1+b2"], 2),
            ("ssj", ["c0<c1"], 3), ("jjj", ["a0<a1", "b0<b1+b2", "c0<c1"], 3), ("kj", ["a1<a0"], 1),
            // Marks: the first marked entry stays, and a group without a mark is joined as a whole.
            ("s j", ["b0<b1"], 2), ("s \u{1B}[B j", ["b0<b1+b2"], 2), ("s  j", ["b0<b1+b2"], 2),
            ("s\u{1B}[Bkj", ["b2<b0+b1"], 2), ("ss\u{1B}[Bkj", ["c2<c0+c1"], 3),
            ("ss\u{1B}[B j", ["c0<c1+c2"], 3),
            // Undo restores the marks, too.
            ("ju", [], 0), ("sju", [], 1), ("sju j", ["b0<b1"], 2), ("juj", ["a0<a1"], 1), ("u", [], 0),
            // All that are proposed; others stay open.
            ("J", ["a0<a1", "c0<c1"], 1), ("sJ", ["c0<c1"], 1), ("Ju", [], 0), ("JJ", ["a0<a1", "c0<c1"], 1),
            ("jpsJ", ["c0<c1"], 1),
        ] as [(String, [String], Int)])
    func `keys join`(keys: String, result: [String], place: Int) {
        var dialog = DuplicateDialog(Self.groups)
        dialog.type(keys)
        #expect(joined(dialog) == result)
        #expect(dialog.place == place)
        #expect(!dialog.isOver)
    }

    @Test(arguments: [("q", false), ("\u{1B}", false), ("\u{4}", false), ("\u{3}", true)])
    func `a key ends it`(key: String, isInterrupted: Bool) {
        var dialog = DuplicateDialog(Self.groups)
        dialog.type(key)
        #expect(dialog.isOver && dialog.isInterrupted == isInterrupted)
    }

    @Test(arguments: [40, 80, 120])
    func `the screen shows two entries beside each other`(columns: Int) {
        var dialog = DuplicateDialog(Self.groups)
        let size = ScreenSize(columns: columns, rows: 24)
        let first = dialog.screen(size, .plain)
        #expect(first.count == 24 && first.allSatisfy { TextWidth.columns($0) <= columns })
        #expect(first[0] == "Group 1 of 3, 0 decided, 0 to join")
        #expect(first.contains { $0.hasPrefix("rating  ≠  3.5") })
        #expect(first.contains("same work, 99.0%; for: title same"))
        #expect(first.contains { $0.hasPrefix("› 2  join   Poems a") })
        dialog.type("j\u{1B}[A\u{1B}[A")
        #expect(dialog.screen(size, .plain).contains { $0.hasPrefix("› 1  apart  Poems b") })
        dialog.type("ss")
        #expect(dialog.screen(size, .plain)[0] == "All 3 groups decided, 1 to join")
    }
}
