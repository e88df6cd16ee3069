import TestSupport
import Testing

@testable import Books

@Suite struct NamesTests {
    @Test(arguments: NameCase.all)
    func `names are read as people write them`(_ known: NameCase) {
        #expect(PeopleCell(known.text).people == known.people)
        let isPlain = Array(known.text.utf8).withUnsafeBytes { PeopleCell.isPlainName($0) }
        #expect(!isPlain || known.people == [.init(name: known.text)])
    }

    @Test func `the table of names is complete`() { #expect(NameCase.all.count > 60) }

    @Test(arguments: [
        ("Salinger, J.D.", "J.D. Salinger"), ("García Márquez, G.J.", "G.J. García Márquez"),
        ("García Márquez, M.A.", "M.A. García Márquez"),
        ("King, Martin Luther, Jr.", "Martin Luther King Jr."),
        ("King, Jr., Martin Luther", "Martin Luther King Jr."),
        ("Jr., Walter M. Miller", "Walter M. Miller Jr."),
        ("Lee, Ana, M.D.", "Ana Lee M.D."), ("Wellesley, Arthur, Duke of", "Arthur, Duke of Wellesley"),
        ("Time-Life Books, Inc.", "Time-Life Books Inc."), ("Homer", "Homer"), ("Homer,", "Homer"),
        (", Homer", "Homer"),
        ("Guin, Ursula K. Le", "Ursula K. Le Guin"),
    ])
    func `a name with the family name first is put into reading order`(_ written: String, _ name: String) {
        #expect(String(decoding: PersonName.readingOrder(Array(written.utf8)), as: UTF8.self) == name)
    }

    @Test(
        arguments: NameCase.all.map(\.text) + [
            "Le Guin, Ursula K.", "O'Brien, Flann", "Márquez, Gabriel García", "Saint-Exupéry, Antoine de",
            "Spiegelman, Art", "McBain, Ed", "Doe, Jane Illustrator", "Doe Jane, Illustrator",
            "Doe Jane, ed.", "Lee Ana, Arthur", "Smith et al., Jane", "Smith, Jane et al.",
            "Simon and Schuster, Inc", "Grimm, Jacob and Wilhelm", "by Jane, Doe Smith", "Lee - Ek, Ana Bo",
            "Lee Roe, Éditeur", "Lee,  Ana  Maria", "Lee, Ana Maria, Bo Ek", "Nelson Roe, Ph.D.",
        ])
    func `the quick way to turn a name agrees with the long one`(_ text: String) {
        let bytes = Array(text.utf8)
        let quick = bytes.withUnsafeBytes { bytes in
            PersonName.plainInversion(bytes).map {
                String(decoding: bytes[$0.given] + [0x20] + bytes[$0.family], as: UTF8.self)
            }
        }
        if let quick {
            let cell = PeopleCell(text, .familyFirst)
            #expect(cell.people == [.init(name: quick)])
            #expect(cell.leftOut.isEmpty)
        }
    }

    @Test(arguments: [("Le Guin, Ursula K.", true), ("Tolkien, J.R.R.", true), ("Lee, Ana, Jr.", false)])
    func `usual names are turned the quick way`(_ name: String, _ isQuick: Bool) {
        #expect(Array(name.utf8).withUnsafeBytes { PersonName.plainInversion($0) != nil } == isQuick)
    }

    @Test(arguments: [
        ("A, B, C", ["A", "B", "C"]), ("Ana Lee, Jr., Bo, M.D., Cy", ["Ana Lee, Jr.", "Bo, M.D.", "Cy"]),
        ("Ana Lee (Author, Illustrator), Bo Ek", ["Ana Lee (Author, Illustrator)", "Bo Ek"]),
        ("Ana (Lee, Bo Ek", ["Ana (Lee", "Bo Ek"]), ("Lee, Ana; Ek, Bo", ["Lee, Ana", "Ek, Bo"]),
    ])
    func `a list is cut outside of brackets, and suffixes stay with their names`(
        _ list: String, _ names: [String]
    ) {
        let bytes = Array(list.utf8)
        bytes.withUnsafeBytes { bytes in
            var parts = NameList(bytes)
            var found: [String] = []
            while let range = parts.next(in: bytes) {
                found.append(String(decoding: bytes[range], as: UTF8.self))
            }
            #expect(found == names)
        }
    }

    @Test func `what stands for people without names is told, and signs are not`() {
        #expect(PeopleCell("AA. VV.").leftOut == ["AA. VV."])
        #expect(PeopleCell("Ana Lee; Anon.").leftOut == ["Anon."])
        #expect(PeopleCell("key=/authors/OL26320A").leftOut == ["key=/authors/OL26320A"])
        for cell in ["-", "N/A", "", "Ana Lee et al."] { #expect(PeopleCell(cell).leftOut.isEmpty) }
    }

    @Test func `in a list at commas each part is a person`() {
        let cell = PeopleCell("Plato, Aristotle, Ana Lee, Ph.D., Van Morrison", .readingOrder)
        #expect(cell.people.map(\.name) == ["Plato", "Aristotle", "Ana Lee Ph.D.", "Van Morrison"])
    }
}
