import Testing

@testable import CommandLineTool

@Suite struct KeyTests {
    @Test(
        arguments: [
            ("a", [.character("a")]), ("é5 ", [.character("é"), .character("5"), .character(" ")]),
            ("\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]), ("\u{1B}", [.escape]),
            ("\u{3}\u{4}\r\n\u{7F}\u{8}", [.interrupt, .end, .enter, .enter, .backspace, .backspace]),
            // Delete, F5 with a modifier, Ctrl-G: keys without a meaning.
            ("\u{1B}[3~\u{1B}[15;2~\u{7}q", [.character("q")]), ("\u{1B}[1", []),
        ] as [(String, [Key])])
    func `keys are read from what a terminal sends`(text: String, keys: [Key]) {
        #expect(Key.keys(in: Array(text.utf8)) == keys)
    }

    @Test func `bytes that are not UTF-8 are no key`() {
        #expect(Key.keys(in: [0xC3, 0x28, 0x0D]) == [.enter])
    }
}

@Suite struct SideBySideTests {
    @Test func `fields stand beside each other and say whether they differ`() {
        var sides = SideBySide(["one", "two"])
        sides.add("title", ["A long title of many words", "A long title"])
        sides.add("author", ["Ana", "Ana"])
        sides.add("year", ["", "1999"])
        sides.add("ISBN", ["", ""])
        #expect(
            sides.lines(width: 44, .plain) == [
                "           one              two", "title   ≠  A long title of  A long title",
                "           many words",
                "author  =  Ana              Ana", "year                        1999",
            ])
    }

    @Test func `a screen keeps its keys at the bottom and cuts its body`() {
        let layout = ScreenLayout(head: ["head", ""], body: ["1", "2", "3", "4"], foot: ["keys"])
        #expect(layout.lines(rows: 9) == ["head", "", "1", "2", "3", "4", "", "", "keys"])
        #expect(layout.lines(rows: 7) == ["head", "", "1", "2", "…", "", "keys"])
    }

    @Test func `hints break between keys`() {
        let hints = KeyHints(["a": "accept", "q": "quit"])
        #expect(hints.lines(width: 80, .plain) == ["a accept   q quit"])
        #expect(hints.lines(width: 12, .plain) == ["a accept", "q quit"])
    }
}
