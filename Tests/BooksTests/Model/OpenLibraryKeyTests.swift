import TestSupport
import Testing

@testable import Books
@testable import Bytes
@testable import Sources

@Suite struct OpenLibraryKeyTests {
    @Test func `current and old keys are read, with or without path`() {
        #expect(OpenLibraryKey("/works/OL45804W") == OpenLibraryKey(.work, 45_804))
        #expect(OpenLibraryKey("OL7353617M") == OpenLibraryKey(.edition, 7_353_617))
        #expect(OpenLibraryKey("/a/OL34184A") == OpenLibraryKey(.author, 34_184))
        #expect(OpenLibraryKey("/b/OL1M")?.name == "OL1M")
    }

    @Test func `text that is not a key is rejected`() {
        for text in [
            "", "OL", "OLW", "OL0W", "OL12", "OL12X", "OL1 2W", "QL12W", "/languages/eng", "OL_space_M",
            "OL1234567890123456W", "OL99999999999999999999W", "OL12W/x",
        ] {
            #expect(OpenLibraryKey(text) == nil, "\(text)")
        }
    }
}

@Suite struct TitleKeyTests {
    private func name(_ text: String) -> FoldedHash? { Array(text.utf8).lend { FoldedHash.name($0) } }

    private func title(_ text: String, _ subtitle: String? = nil) -> FoldedHash? {
        Array(text.utf8).lend { title in
            guard let subtitle else { return FoldedHash.title(title) }
            return Array(subtitle.utf8).lend { FoldedHash.title(title, $0) }
        }
    }

    @Test(arguments: [
        ("J. R. R. Tolkien", "J.R.R. Tolkien"), ("JRR Tolkien", "Tolkien, J. R. R."),
        ("Le Guin, Ursula K.", "Ursula K. Le Guin"),
        ("Walter M. Miller, Jr.", "Walter M. Miller Jr"),
        ("Gabriel García Márquez", "GABRIEL GARCIA MARQUEZ"),
        ("Stanisław Lem", "Stanislaw Lem"),
    ]) func `spellings of one name have the same hash`(a: String, b: String) {
        #expect(name(a) == name(b))
        #expect(name(a) != nil)
    }

    @Test func `different names have different hashes`() {
        #expect(name("A. B. Cook") != name("A. Cook"))
        #expect(name("Ann A Cook") != name("Anna Cook"))
        #expect(name("李白") != name("杜甫"))
        #expect(name("!?") == nil)
        #expect(name("") == nil)
    }

    @Test func `a subtitle after a colon equals a separate one`() {
        #expect(title("Dune: Messiah") == title("Dune", "messiah"))
        #expect(title("Dune", "") == title("Dune"))
        #expect(title("Dune") != title("Dune", "Messiah"))
        #expect(title("...") == nil)
    }

    @Test func `a key needs both title and author`() throws {
        let dune = try #require(title("Dune"))
        let herbert = try #require(name("Frank Herbert"))
        let other = try #require(name("Brian Herbert"))
        #expect(TitleKey(title: dune, author: herbert) != TitleKey(title: dune, author: other))
        #expect(TitleKey(title: dune, author: herbert) != TitleKey(title: herbert, author: dune))
    }

    @Test func `keys are stable because catalogs store them`() throws {
        // A change here makes every catalog unreadable: raise CatalogSchema.version with it.
        let key = TitleKey(title: try #require(title("Dune")), author: try #require(name("Frank Herbert")))
        #expect(key.key == -7_742_967_818_589_245_967)
        #expect(key.check == 368_997_472)
    }
}

@Suite struct NumberListTests {
    private func pack(_ numbers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        NumberList.pack(numbers, onto: &bytes)
        return bytes
    }

    @Test func `packing and unpacking round-trips`() {
        var draws = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let numbers = (0..<Int.random(in: 0...20, using: &draws)).map { _ in
                Int64.random(in: 0...Int64.max >> Int64.random(in: 1...62, using: &draws), using: &draws)
            }
            #expect(pack(numbers).withUnsafeBytes { NumberList.unpack($0) } == numbers)
        }
    }

    @Test func `damaged bytes end the list`() {
        let cut = Array(pack([5, 300]).dropLast())
        #expect(cut.withUnsafeBytes { NumberList.unpack($0) } == [5])
        #expect([UInt8](repeating: 0xFF, count: 40).withUnsafeBytes { NumberList.unpack($0) } == [])
    }
}
