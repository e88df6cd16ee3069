/// Which stored edition and work a record belongs to: the decision of contract.md section 5 and 5a, without a database.
///
/// Editions: one that has one of the record's ISBNs, else the one the reader's entry already points at (the source's
/// own id is the stable key: its ISBN may be found later) unless the record's ISBN is of another, else, without an
/// ISBN, the one of that title, author and language. Works: the edition's, and the one of that Open Library key.
struct RecordIdentity: Equatable {
    /// A stored edition.
    struct Edition: Equatable {
        var id: Int64
        var work: Int64
    }

    /// What is known of a stored work.
    struct Work: Equatable {
        var id: Int64
        var isSynthetic: Bool
        var hasOpenLibraryKey: Bool
    }

    /// The record's edition; nil: a new one.
    var edition: Edition?
    /// The record's work; nil: a new one.
    var work: Int64?
    /// Works that turn out to be the same as ``work`` and are folded into it.
    var folded: [Int64] = []
    /// Whether ``work`` comes to its Open Library key with this record.
    var gainsOpenLibraryKey = false

    /// - Parameters:
    ///   - byISBN: The first edition found by one of the record's ISBNs.
    ///   - byEntry: The edition of the entry, where the entry is known and the record not about another edition.
    ///   - byTitle: The edition of that title, for a record without an ISBN.
    ///   - otherISBNWorks: Works of further editions that the record's other ISBNs lead to.
    ///   - byOpenLibrary: The work of the record's Open Library key.
    ///   - isSynthetic: Whether the record's own work is synthetic.
    ///   - hasOpenLibraryKey: Whether the record knows its Open Library work.
    ///   - work: Looks a work up.
    static func resolve<Failure: Error>(
        byISBN: Edition?, byEntry: Edition?, byTitle: Edition?, otherISBNWorks: [Int64],
        byOpenLibrary: Int64?, hasOpenLibraryKey: Bool, work: (Int64) throws(Failure) -> Work?
    ) throws(Failure) -> RecordIdentity {
        var identity = RecordIdentity(edition: byISBN ?? byEntry ?? byTitle)
        guard let edition = identity.edition, let own = try work(edition.work) else {
            identity.edition = nil
            if let byOpenLibrary { identity.work = try work(byOpenLibrary)?.id }
            return identity
        }
        var same = [own]
        if let byOpenLibrary, byOpenLibrary != own.id {
            // A work of another Open Library key is another work, whatever ISBN they share.
            if !own.hasOpenLibraryKey, let other = try work(byOpenLibrary) { same.append(other) }
        } else if byOpenLibrary == nil && hasOpenLibraryKey && !own.hasOpenLibraryKey {
            identity.gainsOpenLibraryKey = true
        }
        for id in otherISBNWorks where !same.contains(where: { $0.id == id }) {
            // Sharing an ISBN folds synthetic works only (contract.md section 5).
            if own.isSynthetic, let other = try work(id), other.isSynthetic { same.append(other) }
        }
        // The earliest record survives.
        let survivor = same.map(\.id).min() ?? own.id
        identity.work = survivor
        identity.folded = same.map(\.id).filter { $0 != survivor }.sorted()
        return identity
    }

    /// Whether a record with an ISBN is about another edition than the one that its entry points at.
    ///
    /// An edition without an ISBN takes the record's. One with others does not where they are a reader's word, or where a
    /// provider knows the record's ISBN and does not name them with it. What a provider made of a title and an ISBN that
    /// none knows are no contradiction.
    ///
    /// - Parameters:
    ///   - isbns: The record's own ISBN-13 and those of its edition.
    ///   - isISBNMatch: Whether a provider knows the record's own.
    ///   - stored: The ISBNs of the entry's edition.
    ///   - areReaders: Whether those come from a reader's row, not from a provider.
    static func isOtherEdition(
        isbns: [String], isISBNMatch: Bool, stored: [String], areReaders: Bool
    ) -> Bool {
        !isbns.isEmpty && !stored.isEmpty && (areReaders || isISBNMatch)
            && !isbns.contains(where: stored.contains)
    }
}
