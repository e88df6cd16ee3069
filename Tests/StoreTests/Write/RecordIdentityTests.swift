import Testing

@testable import Books
@testable import Store

/// Deciding which edition a record belongs to.
@Suite struct RecordIdentityTests {
    private static let entrys = RecordIdentity.Edition(id: 3, work: 3)
    private static let other = RecordIdentity.Edition(id: 5, work: 5)

    private static func resolve(
        byISBN: RecordIdentity.Edition? = nil, byEntry: RecordIdentity.Edition? = nil,
        byTitle: RecordIdentity.Edition? = nil, byOpenLibrary: Int64? = nil
    ) -> RecordIdentity {
        RecordIdentity.resolve(
            byISBN: byISBN, byEntry: byEntry, byTitle: byTitle, otherISBNWorks: [],
            byOpenLibrary: byOpenLibrary, hasOpenLibraryKey: byOpenLibrary != nil
        ) { RecordIdentity.Work(id: $0, isSynthetic: false, hasOpenLibraryKey: $0 == byOpenLibrary) }
    }

    @Test func `an ISBN has precedence over the entry, and the entry over the title`() {
        #expect(
            Self.resolve(byISBN: Self.other, byEntry: Self.entrys, byTitle: Self.entrys).edition == Self.other
        )
        #expect(Self.resolve(byEntry: Self.entrys, byTitle: Self.other).edition == Self.entrys)
        #expect(Self.resolve(byTitle: Self.other).edition == Self.other)
    }

    @Test func `a new edition of a known work joins it`() {
        let identity = Self.resolve(byOpenLibrary: 5)
        #expect(identity.edition == nil)
        #expect(identity.work == 5)
    }

    /// Letters stand for ISBNs.
    @Test(arguments: [
        // The record, whether a provider knows its ISBN, the edition, whether it came from a user's row, and
        // the decision.
        ("b", false, "a", true, true), ("b", true, "a", true, true), ("b", true, "a", false, true),
        ("b", false, "a", false, false), ("ab", true, "a", true, false), ("b", true, "ab", true, false),
        ("", false, "a", true, false), ("b", true, "", false, false), ("", false, "", false, false),
    ])
    func `another ISBN is another edition if a user's row or a provider says so`(
        record: String, isISBNMatch: Bool, stored: String, areUsers: Bool, isOther: Bool
    ) {
        #expect(
            RecordIdentity.isOtherEdition(
                isbns: record.map(String.init), isISBNMatch: isISBNMatch, stored: stored.map(String.init),
                areUsers: areUsers) == isOther)
    }
}
