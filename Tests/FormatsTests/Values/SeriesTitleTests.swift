import Formats
import System
import Testing

@testable import Books
@testable import Bytes

@Suite
struct SeriesTitleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var written: String
        var title: String
        var series: [String]
        var testDescription: String { written }

        init(_ written: String, _ title: String, _ series: String...) {
            self.written = written
            self.title = title
            self.series = series
        }
    }

    static let numbered = [
        Case("Hyperion (Hyperion Cantos, #1)", "Hyperion", "Hyperion Cantos|1"),
        Case("Gideon the Ninth (The Locked Tomb #1)", "Gideon the Ninth", "The Locked Tomb|1"),
        Case("The Year of the Flood  (MaddAddam, #2)", "The Year of the Flood", "MaddAddam|2"),
        Case("Equal Rites (Discworld, #3; Witches, #1)", "Equal Rites", "Discworld|3", "Witches|1"),
        Case("Before (A Cycle, #0.5)", "Before", "A Cycle|0.5"),
        Case("Half (A Cycle, #½)", "Half", "A Cycle|0.5"),
        Case("Shorts (A Cycle, #.5)", "Shorts", "A Cycle|.5"),
        Case("Omnibus (A Cycle, #1-3)", "Omnibus", "A Cycle|1-3"),
        Case("Tales (A Cycle, #0.1-0.5)", "Tales", "A Cycle|0.1-0.5"),
        Case("Tales (A Cycle, #1–3)", "Tales", "A Cycle|1–3"),
        Case("Both (A Cycle, #1, #2)", "Both", "A Cycle|1, 2"),
        Case("Steel (Storm, #3, Part 1 of 2)", "Steel", "Storm|3, Part 1 of 2"),
        Case("Mort(e) (War with No Name, #1)", "Mort(e)", "War with No Name|1"),
        Case("Deep (Ring (of Fire), #2)", "Deep", "Ring (of Fire)|2"),
        Case("Post (The #Love Chronicles, #4)", "Post", "The #Love Chronicles|4"),
        Case("Mixed (Discworld, #8; City Watch)", "Mixed", "Discworld|8", "City Watch|"),
        Case("Mixed (Discworld; City Watch, #1;)", "Mixed", "Discworld|", "City Watch|1"),
        Case("Tod (Reihe, #2) (German Edition)", "Tod (German Edition)", "Reihe|2"),
        Case("  Wide \u{A0} blanks\t(A  Cycle ,  # 7 ) ", "Wide blanks", "A Cycle|7"),
        Case("三体 (地球往事, #1)", "三体", "地球往事|1"),
        Case("Pippi (Pippi Långstrump, #1)", "Pippi", "Pippi Långstrump|1"),
    ]

    static let plain = [
        Case("La sombra del viento (Spanish Edition)", "La sombra del viento (Spanish Edition)"),
        Case("The Gulag Archipelago (Abridged)", "The Gulag Archipelago (Abridged)"),
        Case("Dune (Paperback)", "Dune (Paperback)"),
        Case("Pattern Recognition (Blue Ant)", "Pattern Recognition (Blue Ant)"),
        Case("The Golden Apple (Illuminatus 2)", "The Golden Apple (Illuminatus 2)"),
        Case("East of West #1", "East of West #1"),
        Case("Mort[e]", "Mort[e]"),
        Case("Voices (the #MeToo years)", "Voices (the #MeToo years)"),
        Case("Charts (Top #100 hits of the eighties)", "Charts (Top #100 hits of the eighties)"),
        Case("Odd (#1)", "Odd (#1)"),
        Case("Odd (, #1)", "Odd (, #1)"),
        Case("Open (Series, #1", "Open (Series, #1"),
        Case("Closed Series, #1)", "Closed Series, #1)"),
        Case("Middle (Series, #1) of it", "Middle (Series, #1) of it"),
        Case("()", "()"),
        Case("", ""),
        Case(" \t ", ""),
        Case("#", "#"),
        Case("Vol. 7:  Brief   Lives", "Vol. 7: Brief Lives"),
    ]

    @Test(arguments: numbered + plain)
    func `a title is split only if the series is certain`(_ expected: Case) {
        let (title, series) = Self.read(expected.written)
        #expect(title == expected.title)
        #expect(series == expected.series)
    }

    @Test func `a title that is only its series keeps it`() {
        let (title, series) = Self.read("(Saga, #1)")
        #expect(title == "(Saga, #1)")
        #expect(series == ["Saga|1"])
    }

    @Test func `hostile brackets cost no more than their length`() {
        for unit in ["(", ")", "()", "(a, #1) ", "#", ";", "(#1;"] {
            let (title, _) = Self.read(String(repeating: unit, count: 100_000) + ")")
            #expect(!title.isEmpty)
        }
    }

    /// Reads one title as a row does.
    static func read(_ written: String) -> (title: String, series: [String]) {
        var rows = LibraryRows(columns: ColumnMap(formatName: "test", names: ["Title"], fields: [.title: 0]))
        rows.cells = [rows.arena.append(written)]
        var row = LibraryRow(position: .start, raw: .none, cells: 0..<1)
        rows.readTitle(of: &row)
        let series = rows.series[row.series].map { "\(rows.arena[$0.name])|\(rows.arena[$0.number])" }
        return (rows.arena[row.title], series)
    }
}
