import Books
import Store
import Testing

@testable import CommandLineTool

/// Scripts of keys, and what they decide.
@Suite struct ReviewDialogTests {
    private static func option(_ record: String, _ score: Double) -> ReviewCandidate {
        ReviewCandidate(
            provider: "openlibrary", record: record, title: "Poems", authors: ["Ada Example"], year: 1910,
            score: score, evidence: ["for:title_same", "against:year_differs"])
    }

    private static func review(_ row: Int, _ title: String, _ options: [ReviewCandidate]) -> Review {
        Review(
            place: RecordPlace(file: 0, row: row), title: title, author: "Ada Example", options: options)
    }

    /// Two candidates, one, two that are equally good, and the title of the second again.
    private static let reviews = [
        review(2, "Poems", [option("A1", 0.9), option("A2", 0.8)]), review(3, "Prose", [option("B1", 0.95)]),
        review(4, "Plays", [option("C1", 0.97), option("C2", 0.97)]),
        review(5, "Prose", [option("B1", 0.95)]),
    ]

    /// The effects of keys, as `row=record`, `row=none` and `row=` for an undone decision.
    private func effects(_ keys: String, in dialog: inout ReviewDialog) -> [String] {
        dialog.type(keys).joined().map { decided in
            switch decided.decision {
            case .accepted(let chosen): "\(decided.place.row)=\(chosen.record)"
            case .refused: "\(decided.place.row)=none"
            case nil: "\(decided.place.row)="
            }
        }
    }

    @Test(
        arguments: [
            ("a", ["2=A1"], 1), ("\r", ["2=A1"], 1), ("2a", ["2=A2"], 1), ("\u{1B}[Ba", ["2=A2"], 1),
            ("9ja", ["2=A2"], 1),
            ("jka", ["2=A1"], 1), ("r", ["2=none"], 1), ("n", ["2=none"], 1), ("s", [], 1),
            ("s\u{1B}[D", [], 0),
            ("ps", [], 1), ("x", [], 0), ("u", [], 0),
            // Two records with one title and author are one decision.
            ("sa", ["3=B1"], 2), ("saa", ["3=B1", "4=C1"], 0), ("saaa", ["3=B1", "4=C1", "2=A1"], 4),
            ("aru", ["2=A1", "3=none", "3="], 1), ("aruu", ["2=A1", "3=none", "3=", "2="], 0),
            ("rpa", ["2=none", "2=A1"], 1), ("rpau", ["2=none", "2=A1", "2=none"], 0),
            // All that are as certain as the one shown, but none of two that are equally good.
            ("A", ["2=A1", "3=B1"], 2), ("sA", ["3=B1"], 2), ("ssA", [], 2),
            ("AuA", ["2=A1", "3=B1", "2=", "3=", "2=A1", "3=B1"], 2),
            ("Arar", ["2=A1", "3=B1", "4=none"], 4),
        ] as [(String, [String], Int)])
    func `keys decide`(keys: String, effects: [String], place: Int) {
        var dialog = ReviewDialog(Self.reviews)
        #expect(self.effects(keys, in: &dialog) == effects)
        #expect(dialog.place == place)
        #expect(!dialog.isOver)
    }

    @Test(arguments: [("q", false), ("\u{1B}", false), ("\u{4}", false), ("\u{3}", true)])
    func `a key ends it`(key: String, isInterrupted: Bool) {
        var dialog = ReviewDialog(Self.reviews)
        #expect(effects("ar" + key, in: &dialog).count == 2)
        #expect(dialog.isOver && dialog.isInterrupted == isInterrupted)
        #expect(dialog.counts == (1, 1) && dialog.open == 1)
    }

    @Test func `earlier decisions are known, and the first open record is shown`() {
        var reviews = Self.reviews
        reviews[0].decision = .refused
        var dialog = ReviewDialog(reviews)
        #expect(dialog.place == 1 && dialog.open == 3 && dialog.counts == (0, 0))
        #expect(effects("pau", in: &dialog) == ["2=A1", "2=none"])
    }

    @Test(arguments: [40, 80, 120])
    func `the screen shows the record beside the candidate`(columns: Int) {
        var dialog = ReviewDialog(Self.reviews)
        let size = ScreenSize(columns: columns, rows: 24)
        let first = dialog.screen(size, .plain)
        #expect(first.count == 24 && first.allSatisfy { TextWidth.columns($0) <= columns })
        #expect(first[0] == "Record 1 of 4, 0 decided")
        #expect(first.contains { $0.hasPrefix("title") && $0.contains("=  Poems") })
        #expect(first.contains("for: title same") && first.contains("against: year differs"))
        #expect(first.contains { $0.hasPrefix("› 1   90%  1910  Poems") })
        _ = effects("aaaap", in: &dialog)
        #expect(dialog.screen(size, .plain).contains { $0.hasPrefix("Decided: ") })
        _ = effects("s", in: &dialog)
        #expect(dialog.screen(size, .plain)[0] == "All 4 records decided")
    }
}

extension Dialog {
    /// Presses the keys that a terminal sends as a text. Returns what has to be done.
    @discardableResult
    mutating func type(_ keys: String) -> [Effect] {
        var effects: [Effect] = []
        for key in Key.keys(in: Array(keys.utf8)) { if let effect = press(key) { effects.append(effect) } }
        return effects
    }
}
