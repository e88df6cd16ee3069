import Testing

@testable import Bytes

@Suite struct ArenaTests {
    @Test func `texts stay valid while the arena grows`() {
        var arena = Arena(capacity: 4)
        let texts = (0..<1_000).map { arena.append("text \($0)") }
        #expect(texts.enumerated().allSatisfy { arena[$1] == "text \($0)" })
        #expect(arena.byteCount == texts.reduce(0) { $0 + Int($1.length) })
    }

    @Test func `an empty text is absent, however it was made`() {
        var arena = Arena()
        let empty: [UInt8] = []
        #expect(arena.append("") == .none)
        #expect(arena.append(empty) == .none)
        #expect(empty.withUnsafeBytes { arena.append($0) } == .none)
        #expect(arena.append(writing: { _ in }) == .none)
        #expect(arena[.none] == "" && Text.none.isEmpty)
        #expect(arena.append("abc").part(1..<1) == .none)
    }

    @Test func `a part counts bytes from the start of its text`() {
        var arena = Arena()
        _ = arena.append("before")
        let text = arena.append("The Dispossessed")
        #expect(arena[text.part(4..<16)] == "Dispossessed")
        #expect(arena[text.part(0..<3)] == "The")
        #expect(arena.bytes(text.part(4..<5)) == [UInt8(ascii: "D")])
    }

    @Test func `a copy does not change with the original`() {
        var arena = Arena()
        let text = arena.append("one")
        let copy = arena
        arena.removeAll()
        _ = arena.append("two")
        #expect(copy[text] == "one")
        #expect(arena[text] == "two", "removing invalidates texts: this one points to other bytes")
    }

    @Test func `texts are equal if their bytes are, wherever they are`() {
        var arena = Arena()
        let texts = ["dune", "dune", "Dune", "dun", ""].map { arena.append($0) }
        #expect(arena.equal(texts[0], texts[1]))
        for other in texts[2...] { #expect(!arena.equal(texts[0], other)) }
        #expect(arena.equal(texts[4], .none))
    }

    @Test func `invalid UTF-8 becomes U+FFFD in a string and stays in the bytes`() {
        var arena = Arena()
        let text = arena.append([0x61, 0xFF, 0x62] as [UInt8])
        #expect(arena[text] == "a\u{FFFD}b")
        #expect(arena.bytes(text) == [0x61, 0xFF, 0x62])
    }
}
