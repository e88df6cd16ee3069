import Testing

@testable import Books
@testable import Bytes

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
    ]) func spellingsOfOneNameAreOne(a: String, b: String) {
        #expect(name(a) == name(b))
        #expect(name(a) != nil)
    }

    @Test func differentNamesDiffer() {
        #expect(name("A. B. Cook") != name("A. Cook"))
        #expect(name("Ann A Cook") != name("Anna Cook"))
        #expect(name("李白") != name("杜甫"))
        #expect(name("!?") == nil)
        #expect(name("") == nil)
    }

    @Test func aTitleIsTheSameWithItsSubtitleBehindAColonOrApart() {
        #expect(title("Dune: Messiah") == title("Dune", "messiah"))
        #expect(title("Dune", "") == title("Dune"))
        #expect(title("Dune") != title("Dune", "Messiah"))
        #expect(title("...") == nil)
    }

    @Test func aKeyNeedsBothTitleAndAuthor() throws {
        let dune = try #require(title("Dune"))
        let herbert = try #require(name("Frank Herbert"))
        let other = try #require(name("Brian Herbert"))
        #expect(TitleKey(title: dune, author: herbert) != TitleKey(title: dune, author: other))
        #expect(TitleKey(title: dune, author: herbert) != TitleKey(title: herbert, author: dune))
    }

    @Test func keysStandAsTheyAreBecauseCatalogsHoldThem() throws {
        // A change here makes every catalog unreadable: raise CatalogSchema.version with it.
        let key = TitleKey(title: try #require(title("Dune")), author: try #require(name("Frank Herbert")))
        #expect(key.key == 8_258_754_347_096_789_807)
        #expect(key.check == 368_997_472)
    }
}
