import Testing

@testable import Books

@Suite struct PeopleCellTests {
    private func people(_ cell: String, _ order: NameOrder = .unknown) -> [String] {
        PeopleCell(cell, order).people.map { person in
            person.role.map { "\(person.name) (\($0))" } ?? person.name
        }
    }

    @Test func `a role in brackets ends a name, also where the family name comes first`() {
        let cell = "Ursula K. Le Guin (Author), Ruth Robbins (Illustrator)"
        for order in [NameOrder.familyFirst, .unknown] {
            #expect(people(cell, order) == ["Ursula K. Le Guin (author)", "Ruth Robbins (illustrator)"])
        }
        #expect(people("Le Guin, Ursula K. (Author)", .familyFirst) == ["Ursula K. Le Guin (author)"])
    }

    @Test(arguments: [
        "Ana Lee - translator", "Ana Lee (translator)", "Ana Lee, translator", "Ana Lee [transl.]",
        "Ana Lee (Übersetzer)", "Ana Lee (U\u{308}bersetzerin)", "Ana Lee – Übersetzerin", "Ana Lee — trad.",
        "Ana Lee {traductora}", "Ana Lee <traducteur>", "Ana Lee -tradutor", "Ana Lee / traduttore",
        "Ana Lee - vertaler", "Translator: Ana Lee", "Übersetzer: Ana Lee", "Lee, Ana (translator)",
        "Lee, Ana - translator", "Lee, Ana, translator", "Lee, Ana [trad.]", "Ana Lee, tr.",
        "Ana Lee: translator",
    ])
    func `a role after a dash or a comma, in brackets, or before a colon is a role`(_ cell: String) {
        #expect(people(cell) == ["Ana Lee (translator)"])
    }

    @Test(arguments: [
        ("Wharton, Edith", "Edith Wharton"), ("Spiegelman, Art", "Art Spiegelman"),
        ("McBain, Ed", "Ed McBain"), ("Louis, Édouard", "Édouard Louis"), ("Singh, Kartik", "Kartik Singh"),
        ("Musgrave, Story", "Story Musgrave"), ("Tran, Mapuana", "Mapuana Tran"),
        ("Lee, Ill", "Ill Lee"),
    ])
    func `a given name that is like the word for a role is a name`(_ cell: String, _ expected: String) {
        for order in [NameOrder.unknown, .familyFirst] { #expect(people(cell, order) == [expected]) }
    }

    @Test func `roles between commas belong to the names before them`() {
        #expect(people("Bo Ek, Ana Lee, illustrator") == ["Bo Ek", "Ana Lee (illustrator)"])
        #expect(
            people("Bo Ek, author, Ana Lee, illustrator") == ["Bo Ek (author)", "Ana Lee (illustrator)"])
        #expect(
            people("Bo Ek (Author) Ana Lee (Translator)") == ["Bo Ek (author)", "Ana Lee (translator)"])
        #expect(people("Bo Ek; Ana Lee - ill.") == ["Bo Ek", "Ana Lee (illustrator)"])
        #expect(people("Mouly, Françoise, Spiegelman, Art") == ["Françoise Mouly", "Art Spiegelman"])
    }

    @Test(arguments: [
        ("Ana Lee", ["Ana Lee"]),
        ("Ana Lee; Bo Ek", ["Ana Lee", "Bo Ek"]),
        ("Ana Lee|Bo Ek", ["Ana Lee", "Bo Ek"]),
        ("Ana Lee\nBo Ek", ["Ana Lee", "Bo Ek"]),
        ("Ana Lee and Bo Ek", ["Ana Lee", "Bo Ek"]),
        ("Ana Lee & Bo Ek", ["Ana Lee", "Bo Ek"]),
        ("Ana Lee, Bo Ek", ["Ana Lee", "Bo Ek"]),
        ("Ana Lee, Bo Ek and Kim Ro", ["Ana Lee", "Bo Ek", "Kim Ro"]),
        ("Ana Lee, Bo Ek, and Kim Ro", ["Ana Lee", "Bo Ek", "Kim Ro"]),
        ("Ana Lee / Bo Ek", ["Ana Lee", "Bo Ek"]),
        ("Ana Lee et Bo Ek", ["Ana Lee", "Bo Ek"]),
        ("Ana Lee und Bo Ek", ["Ana Lee", "Bo Ek"]),
        ("[\"Ana Lee\", \"Bo Ek\"]", ["Ana Lee", "Bo Ek"]),
        ("['Ana Lee', \"Bo O'Ek\"]", ["Ana Lee", "Bo O'Ek"]),
        ("Lee, Ana; Ek, Bo", ["Ana Lee", "Bo Ek"]),
        ("Lee, Ana & Ek, Bo", ["Ana Lee", "Bo Ek"]),
        ("King, Stephen, Straub, Peter", ["Stephen King", "Peter Straub"]),
        ("Ana Lee, et al.", ["Ana Lee"]),
        ("Ana Lee; et al.", ["Ana Lee"]),
        ("test author,author2 name", ["test author", "author2 name"]),
    ])
    func `several people are separated in many ways`(_ cell: String, _ expected: [String]) {
        #expect(people(cell) == expected)
    }

    @Test(arguments: [
        ("King, Stephen", "Stephen King"), ("Le Guin, Ursula K.", "Ursula K. Le Guin"),
        ("García Márquez, Gabriel", "Gabriel García Márquez"),
        ("von Goethe, Johann Wolfgang", "Johann Wolfgang von Goethe"),
        ("Simon & Schuster", "Simon & Schuster"),
        ("Research and Education Association", "Research and Education Association"),
        ("U.S. Department of Health and Human Services", "U.S. Department of Health and Human Services"),
        ("Martin Luther King, Jr.", "Martin Luther King Jr."), ("Madonna", "Madonna"),
        ("José Ortega y Gasset", "José Ortega y Gasset"),
        ("King, Stephen, 1947-", "Stephen King"), ("Ana Lee (1947-2001)", "Ana Lee"),
        ("Prince (musician)", "Prince (musician)"),
        ("AC/DC", "AC/DC"), ("by Ana Lee", "Ana Lee"),
        ("Jane Smith,Bo", "Jane Smith,Bo"), ("Wellington, Duke of", "Duke of Wellington"),
        ("Beatles, The", "The Beatles"), ("Random House, Inc", "Random House Inc"),
        ("Time Life, Group", "Time Life, Group"), ("Le Guin,Ursula K.", "Ursula K. Le Guin"),
        ("Ana Lee et al.", "Ana Lee"), ("Ana Lee et al", "Ana Lee"), ("Ana Lee [u.a.]", "Ana Lee"),
        ("Ana Lee u.a.", "Ana Lee"), ("Ana Lee and others", "Ana Lee"), ("Ana Lee (et al.)", "Ana Lee"),
        ("Smith, Jane, et al.", "Jane Smith"), ("Ana Lee & others", "Ana Lee"),
        ("Ana Lee e altri", "Ana Lee"),
    ])
    func `one person stays one person`(_ cell: String, _ expected: String) {
        let found = PeopleCell(cell).people
        #expect(found.map(\.name) == [expected])
    }

    @Test(arguments: [
        ("Ana Lee (Author)", ["Ana Lee (author)"]), ("Ana Lee (Goodreads Author)", ["Ana Lee (author)"]),
        (
            "Ana Lee, Bo Ek (Translator), Kim Ro (Illustrator)",
            ["Ana Lee", "Bo Ek (translator)", "Kim Ro (illustrator)"]
        ),
        ("Ana Lee (Foreword)", ["Ana Lee (editor)"]), ("Ana Lee [Übersetzer]", ["Ana Lee (translator)"]),
        ("Ana Lee (Author, Illustrator)", ["Ana Lee (author)"]),
        ("Ana Lee (Introduction) (Translator)", ["Ana Lee (translator)"]),
        ("illustrated by Ana Lee", ["Ana Lee (illustrator)"]),
        ("Ana Lee, illustrator", ["Ana Lee (illustrator)"]),
        ("Ana Lee with Bo Ek", ["Ana Lee", "Bo Ek (contributor)"]),
        ("Ana Lee (Erzählerin)", ["Ana Lee (narrator)"]),
        ("[{\"name\": \"Ana Lee\", \"role\": \"Editor\"}]", ["Ana Lee (editor)"]),
        ("Roald Dahl, illus. Quentin Blake", ["Roald Dahl", "Quentin Blake (illustrator)"]),
        ("Jane Smith, trans. by Bo Ek", ["Jane Smith", "Bo Ek (translator)"]),
        (
            "Jane Smith, trans. by Bo Ek and Kim Ro",
            ["Jane Smith", "Bo Ek (translator)", "Kim Ro (translator)"]
        ),
        (
            "Jane Smith, ill. by Bo Ek, trans. Kim Ro",
            ["Jane Smith", "Bo Ek (illustrator)", "Kim Ro (translator)"]
        ),
        ("Smith, Jane, tr. Bo Ek", ["Jane Smith", "Bo Ek (translator)"]),
        ("Jane Smith illustrated by Bo Ek", ["Jane Smith", "Bo Ek (illustrator)"]),
        ("Jane Smith; illustrated by Bo Ek", ["Jane Smith", "Bo Ek (illustrator)"]),
        ("Jane Smith, ed. Bo Ek", ["Jane Smith", "Bo Ek (editor)"]),
        ("Jane Smith, übers. von Bo Ek", ["Jane Smith", "Bo Ek (translator)"]),
        ("Jane Smith, traduit par Bo Ek", ["Jane Smith", "Bo Ek (translator)"]),
        ("Jane Smith, introd. by Bo Ek", ["Jane Smith", "Bo Ek (editor)"]),
        ("Jane Smith, read by Bo Ek", ["Jane Smith", "Bo Ek (narrator)"]),
        ("written and illustrated by Ana Lee", ["Ana Lee (author)"]),
        ("Art Lee", ["Art Lee"]), ("Ed Lee", ["Ed Lee"]), ("Notes Lee, Bo Ek", ["Notes Lee", "Bo Ek"]),
    ])
    func `roles are never part of a name`(_ cell: String, _ expected: [String]) {
        #expect(people(cell) == expected)
    }

    @Test func `a column with the family name first is not split at commas`() {
        #expect(people("García Márquez, Gabriel José", .familyFirst) == ["Gabriel José García Márquez"])
        #expect(people("García Márquez, Gabriel José") == ["García Márquez", "Gabriel José"])
    }

    @Test func `hostile cells take little time and give few people`() {
        let many = (0..<100_000).map { "N\($0)" }.joined(separator: ";")
        #expect(PeopleCell(many).people.count <= PeopleCell.maxPeople + 1)
        for text in [
            String(repeating: "(", count: 200_000), String(repeating: " and ", count: 50_000),
            "[" + String(repeating: "'", count: 200_000) + "]", String(repeating: "A B, ", count: 50_000),
            "x" + String(repeating: "(author)", count: 30_000),
        ] {
            #expect(PeopleCell(text).people.count <= PeopleCell.maxPeople + 1)
        }
    }

    @Test func `any text gives people without empty names`() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "Ana", "Lee", ",", ";", "|", " and ", "&", "(", ")", "[", "]", "\"", "'", " ", "Jr.",
            "translator", "/", "é", "\u{0}",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            #expect(PeopleCell(text).people.allSatisfy { !$0.name.isEmpty }, "\(text)")
        }
    }
}
