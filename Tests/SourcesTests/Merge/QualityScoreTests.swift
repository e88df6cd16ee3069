import Testing

@testable import Books
@testable import Sources

@Suite struct QualityScoreTests {
    static func evidence(
        _ fields: [Field] = [], authors: Bool = false, isbn: Bool = false, providers: Int = 1
    )
        -> QualityScore.Evidence
    {
        var evidence = QualityScore.Evidence()
        for field in fields { evidence.fields.insert(field) }
        evidence.hasAuthors = authors
        evidence.matchedByISBN = isbn
        evidence.providers = providers
        return evidence
    }

    @Test func `a complete record scores 100, an empty one 0`() {
        #expect(
            QualityScore.score(Self.evidence(Field.allCases, authors: true, isbn: true, providers: 4)) == 100)
        #expect(QualityScore.score(Self.evidence()) == 0)
    }

    @Test func `a record without a match scores 0, whatever it has`() {
        #expect(QualityScore.score(Self.evidence(Field.allCases, authors: true, providers: 0)) == 0)
    }

    @Test func `the weights add up to 100`() {
        let fields = QualityScore.weights.reduce(0) { $0 + $1.points }
        #expect(
            fields + QualityScore.authors + QualityScore.isbn + QualityScore.agreement.reduce(0, +) == 100)
    }

    @Test func `each part counts once`() {
        #expect(QualityScore.score(Self.evidence([.workCover])) == 15)
        #expect(QualityScore.score(Self.evidence([.workCover, .editionCover])) == 15)
        #expect(QualityScore.score(Self.evidence(authors: true)) == 10)
        #expect(QualityScore.score(Self.evidence(isbn: true)) == 10)
        #expect(QualityScore.score(Self.evidence(providers: 2)) == 3)
        #expect(QualityScore.score(Self.evidence(providers: 3)) == 5)
    }

    @Test func `a field set has the inserted fields in order`() {
        var set = FieldSet()
        for field in Field.allCases.shuffled() { set.insert(field) }
        set.remove(.title)
        set.remove(.authorName)
        var taken: [Field] = []
        while let field = set.popFirst() { taken.append(field) }
        #expect(taken == Field.allCases.filter { $0 != .title && $0 != .authorName })
    }
}
