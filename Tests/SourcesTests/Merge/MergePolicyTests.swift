import Testing

@testable import Books
@testable import Sources

@Suite struct MergePolicyTests {
    static func error(_ overrides: [String: String]) -> PolicyError? {
        do {
            _ = try MergePolicy(overrides: overrides)
            return nil
        } catch { return error }
    }

    @Test func `rule names round-trip`() {
        let rules: [FieldRule] =
            [.priority, .longest, .majority, .earliest, .newest, .union]
            + Provider.allCases.map { .prefer($0) }
        for rule in rules { #expect(FieldRule(name: rule.name) == rule) }
        #expect(FieldRule(name: "prefer:amazon") == nil)
        #expect(FieldRule(name: "Longest") == nil)
        #expect(FieldRule(name: "") == nil)
    }

    @Test func `the default policy is as documented`() {
        let policy = MergePolicy()
        #expect(policy[.workKey] == .prefer(.openLibrary))
        #expect(policy[.workCover] == .prefer(.googleBooks))
        #expect(policy[.description] == .longest)
        #expect(policy[.subject] == .union)
        #expect(policy[.publisher] == .priority)
        #expect(policy[.authorName] == .priority)
        #expect(Self.error([:]) == nil)
    }

    @Test(arguments: [
        ("colour", "longest", PolicyError.Kind.unknownField), ("title", "loudest", .unknownRule),
        ("title", "prefer:nobody", .unknownRule), ("title", "union", .unfitRule),
        ("title", "newest", .unfitRule),
        ("subject", "longest", .unfitRule), ("isbn13", "priority", .unfitRule),
        ("seriesNumber", "priority", .unfitRule),
        ("authorKey", "priority", .unfitRule), ("authorName", "longest", .unfitRule),
        ("seriesName", "union", .unfitRule),
    ])
    func `an invalid override is rejected by name`(field: String, rule: String, kind: PolicyError.Kind) {
        let error = Self.error([field: rule])
        #expect(error?.kind == kind)
        #expect(error?.description.contains("`\(kind == .unknownField ? field : rule)`") == true)
    }

    @Test func `overrides in a pipeline file set the policy`() throws {
        let policy = try MergePolicy(lines: [
            "description=priority", "description=prefer:google-books", "title=longest",
        ])
        #expect(policy[.description] == .prefer(.googleBooks))
        #expect(policy[.title] == .longest)
        #expect(policy[.workKey] == .prefer(.openLibrary))
        do {
            _ = try MergePolicy(lines: ["title"])
            Issue.record("a line without a rule was accepted")
        } catch {
            #expect(error == PolicyError(.unknownRule, field: "title", rule: ""))
        }
    }

    @Test func `of several mistakes always the same one is reported`() {
        for _ in 0..<20 { #expect(Self.error(["b": "x", "a": "x", "c": "x"])?.field == "a") }
    }

    @Test func `an override takes effect`() async throws {
        let answers = [
            Answer(
                .openLibrary, "O",
                [
                    (.title, "A"), (.description, "long enough"), (.publicationDate, "2001"), (.subject, "X"),
                    (.firstPublicationYear, "-20"), (.publisher, "Q"), (.seriesName, "S1"),
                    (.seriesNumber, "1"),
                ]),
            Answer(
                .googleBooks, "G",
                [
                    (.title, "BBB"), (.description, "short"), (.publicationDate, "2001-05-06"),
                    (.subject, "Y"),
                    (.firstPublicationYear, "1999"), (.publisher, "P"), (.seriesName, "S2"),
                    (.seriesNumber, "2"),
                ]),
            Answer(
                .isbndb, "I",
                [
                    (.title, "CC"), (.publicationDate, "1999"), (.firstPublicationYear, "-30"),
                    (.publisher, "P"),
                ]),
        ]
        let policy = try MergePolicy(overrides: [
            "title": "longest", "description": "prefer:google-books", "publicationDate": "newest",
            "subject": "priority", "firstPublicationYear": "earliest", "publisher": "majority",
            "seriesName": "prefer:google-books",
        ])
        let book = try await MergeFixture.merge(UserRow(), answers, policy: policy)
        #expect(book[.title] == "BBB")
        #expect(book[.description] == "short")
        #expect(book[.publicationDate] == "2001-05-06")
        #expect(book.all(.subject) == ["X"])
        #expect(book[.firstPublicationYear] == "-30")
        #expect(book[.publisher] == "P")
        #expect(book.all(.seriesName) == ["S2"])
        #expect(book.all(.seriesNumber) == ["2"])
        #expect(book.rule(.publisher) == .majority)
        #expect(book.rule(.publicationDate) == .newest)
        #expect(book.rule(.firstPublicationYear) == .earliest)
        #expect(book.rule(.description) == .preferredProvider)
    }

    @Test func `stored raw values of rules never change`() {
        #expect(MergeRule.allCases.map(\.rawValue) == Array(1...14))
        #expect(MergeRule.repaired.rawValue == 10)
    }
}
