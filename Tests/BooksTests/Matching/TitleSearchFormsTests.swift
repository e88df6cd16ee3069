import TestSupport
import Testing

@testable import Books
@testable import Bytes

@Suite struct TitleSearchFormsTests {
    /// All titles under which a title is looked up, in their form.
    static func forms(of title: String) -> [String] {
        var forms = TitleSearchForms()
        Array(title.utf8).withUnsafeBytes { forms.begin($0) }
        forms.addOthers()
        return forms.forms.map { form in forms.withForm(form) { String(decoding: $0, as: UTF8.self) } }
    }

    @Test func `a title is looked up whole, without brackets, and by its first and last part`() {
        #expect(
            Self.forms(of: "The Lord of the Rings: The Two Towers (Illustrated)") == [
                "lordoftheringsthe2towersillustrated", "lordoftheringsthe2towers", "lordoftherings",
                "2towers",
            ])
        #expect(Self.forms(of: "The Hobbit") == ["hobbit"])
        #expect(Self.forms(of: "Hobbit, The") == ["hobbit"])
        #expect(Self.forms(of: "") == [""])
    }

    @Test func `a single word behind a separator is too little, and a second title is not looked up`() {
        #expect(Self.forms(of: "Star Wars: Thrawn") == ["starwarsthrawn", "starwars", "thrawn"])
        var forms = TitleSearchForms()
        Array("Star Wars: Thrawn".utf8).withUnsafeBytes { forms.begin($0) }
        forms.addOthers()
        #expect(forms.forms.map(\.isWeak) == [false, false, true])
        #expect(Self.forms(of: "Dune / Dune Messiah") == ["dunedunemessiah", "dune"])
        #expect(Self.forms(of: "Dune; Dune Messiah") == ["dunedunemessiah", "dune"])
    }

    @Test(arguments: [
        ("Ashfall, Book 2", ["ashfall2", "ashfall"]),
        ("Ashfall, 3rd Edition", ["ashfall3rdedition", "ashfall"]),
        ("Ashfall 2nd ed.", ["ashfall2nded", "ashfall"]), ("The Jungle Book", ["junglebook"]),
        ("The Second Edition", ["secondedition"]),
    ])
    func `a title is looked up without an edition or a number at its end`(title: String, forms: [String]) {
        #expect(Self.forms(of: title).prefix(2) == forms.prefix(2))
        #expect(Self.forms(of: title).count == forms.count)
    }

    @Test func `a volume of the series with the title's name is looked up first`() {
        var forms = TitleSearchForms()
        Array("Naruto".utf8).withUnsafeBytes { forms.begin($0) }
        forms.addVolume(3)
        forms.addOthers()
        #expect(
            forms.forms.map { form in forms.withForm(form) { String(decoding: $0, as: UTF8.self) } } == [
                "naruto", "naruto3",
            ])
    }

    @Test func `a title as long as a book has no other forms`() {
        #expect(Self.forms(of: String(repeating: "a & b: ", count: 1 << 17)).count == 1)
    }

    @Test func `forms are few and distinct, whatever the title`() {
        var random = SeededGenerator(seed: 23)
        let pieces = [
            "the ", "The ", "a ", "and", " and ", "&", "(", ")", "[", "]", ":", ": ", ";", ", or ", " - ",
            " / ", " – ", ",", ", The", "'", "’", "! ", " ", "und", "sea", "Sea ", "é", "ß", "Œuvre", "漢",
            "жизнь ", "½", "7", "#3", "Vol. ", "🙂", "\u{0}", "house. A",
        ]
        for _ in 0..<4_000 {
            let title = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let forms = Self.forms(of: title)
            #expect(forms.count <= TitleSearchForms.most, "\(title.debugDescription)")
            #expect(Set(forms).count == forms.count, "\(title.debugDescription)")
        }
    }
}
