import Testing

@testable import Books

@Suite struct NameAgreementTests {
    private func score(_ a: String, _ b: String) -> MatchScore {
        NameAgreement.score(ParsedName(a), ParsedName(b))
    }

    @Test(arguments: [
        ("J.R.R. Tolkien", "J. R. R. Tolkien", MatchEvidence.authorSame),
        ("Tolkien, J. R. R.", "JRR Tolkien", .authorSame),
        ("Murakami Haruki", "Haruki Murakami", .authorOtherOrder),
        ("Ursula Le Guin", "Ursula K. Le Guin", .authorInitials),
        ("J. K. Rowling", "Joanne Kathleen Rowling", .authorInitials),
        ("Fyodor Dostoyevsky", "Fjodor Dostojewski", .authorTransliterated),
        ("Gabriel García Márquez", "Gabriel Garcia-Marquez", .authorSame),
        ("Sir Arthur Conan Doyle", "Arthur Conan Doyle", .authorSame),
        ("Johann Wolfgang von Goethe", "Johann Wolfgang Goethe", .authorSame),
        ("Ursula K. LeGuin", "Ursula K. Le Guin", .authorSame),
        ("JK Rowling", "Joanne Kathleen Rowling", .authorInitials),
        ("E. B. White", "Elwyn Brooks White", .authorInitials),
        ("Milne, A. A.", "Alan Alexander Milne", .authorInitials),
        ("White, E. B.", "EB White", .authorSame),
        ("Lew Tolstoy", "Lev Tolstoy", .authorTransliterated),
        ("Nikolay Gogol", "Nikolai Gogol", .authorTransliterated),
        ("Bram Stoker", "Abraham Stoker", .authorTransliterated),
    ])
    func `spellings of one name agree`(a: String, b: String, evidence: MatchEvidence) {
        for score in [score(a, b), score(b, a)] {
            #expect(score.evidence == [evidence])
            #expect(score.value >= 0.9)
        }
    }

    @Test(arguments: [
        ("Brian Herbert", "Frank Herbert"), ("Martin Amis", "Kingsley Amis"),
        ("Emily Brontë", "Charlotte Brontë"),
        ("Stephen King", "Laurie R. King"), ("Jane Austen", "Ann Austen"), ("A. Smith", "Zadie Smith"),
        ("Ed Jones", "Ellen Jones"), ("Jo Walton", "John Walton"),
        ("Alexandre Dumas père", "Alexandre Dumas fils"), ("", "Jane Austen"), ("Ian Fleming", "Ann Fleming"),
    ])
    func `relatives and unrelated people do not agree`(a: String, b: String) {
        #expect(score(a, b).value == 0)
        #expect(score(b, a).value == 0)
    }

    @Test(arguments: [
        ("Paul Smith", "Paula Smith"), ("Daniel Steel", "Danielle Steel"), ("Carl Shields", "Carol Shields"),
        ("Mario Rossi", "Maria Rossi"), ("Tim Brown", "Tom Brown"),
        ("J. Ronald Smith", "Jane P. Smith"),
    ])
    func `similar given names are left to the user, whatever else agrees`(
        a: String, b: String
    ) {
        #expect(score(a, b).evidence == [.authorSimilar])
        #expect(score(a, b) == score(b, a))
        var book = MatchCandidate(record: "1", title: "Collected Stories")
        book.authors = [[b]]
        book.year = 1990
        book.language = "en"
        let wanted = MatchQuery(title: "Collected Stories", author: a, firstYear: 1990, language: "en")
        #expect(Matcher(wanted).decide(among: [book]).verdict == .abstain(.notSure))
    }

    @Test(arguments: [
        ("Dante", "Dante Alighieri"), ("Saint-Exupéry", "Antoine de Saint-Exupéry"),
        ("Alexandre Dumas", "Alexandre Dumas, fils"), ("Miguel de Cervantes", "Miguel de Cervantes Saavedra"),
    ])
    func `half of a name is not enough alone`(a: String, b: String) {
        #expect(score(a, b).value > 0)
        #expect(score(a, b).value < 0.95)
    }
}
