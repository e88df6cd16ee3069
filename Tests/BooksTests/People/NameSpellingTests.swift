import Testing

@testable import Books

@Suite struct NameSpellingTests {
    private func replaces(_ name: String, _ other: String) -> Bool {
        Array(name.utf8).withUnsafeBytes { name in
            Array(other.utf8).withUnsafeBytes { NameSpelling.replaces($0, by: name) }
        }
    }

    @Test(arguments: [
        ("Ana Lee", "ANA LEE"), ("Ana Lee", "ana lee"), ("Ana Lee", "Ana LEE"), ("Ana García", "Ana Garcia"),
        ("Ana García", "ANA GARCÍA"), ("Ana Garcia", "ANA GARCÍA"), ("J.R.R. Tolkien", "J R R Tolkien"),
        ("J.R.R. Tolkien", "J. R. R. Tolkien"), ("JRR Tolkien", "JRR TOLKIEN"), ("AE Housman", "AE HOUSMAN"),
        ("Ursula K. Le Guin", "ursula k. le guin"), ("Ludwig van Beethoven", "LUDWIG VAN BEETHOVEN"),
        ("Martin Luther King III", "MARTIN LUTHER KING III"), ("Bell Hooks", "bell hooks"),
        ("Фёдор Достоевский", "ФЁДОР ДОСТОЕВСКИЙ"), ("Bo Ek", "BO EK"),
    ])
    func `of two spellings the better one replaces the other, and not the reverse`(
        _ better: String, _ worse: String
    ) {
        #expect(replaces(better, worse))
        #expect(!replaces(worse, better))
    }

    @Test(arguments: [
        ("Ana Lee", "Ana Lee"), ("Ana Lee", "Bo Lee"), ("JRR Tolkien", "J.R.R. Tolkien"), ("Ana Lee", ""),
    ])
    func `equal names and other words replace nothing`(_ one: String, _ other: String) {
        #expect(!replaces(one, other) && !replaces(other, one))
    }

    @Test func `the order of spellings is total`() {
        let names = [
            "Ana García", "ANA GARCIA", "ana garcia", "Ana Garcia", "Ana  Garcia", "Ana GARCIA",
            "Ana. García",
        ]
        for a in names {
            for b in names where a != b { #expect(replaces(a, b) != replaces(b, a), "\(a), \(b)") }
        }
    }
}
