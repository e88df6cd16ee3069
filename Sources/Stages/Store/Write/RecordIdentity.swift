/// Decides which stored edition and work a record belongs to, without a database (Decision 0006).
///
/// The edition is the first of these: an edition with one of the record's ISBNs; the edition of the user's
/// entry, unless the record's ISBN belongs to another edition; if the record has no ISBN, the edition with
/// the same title, author and language that nothing contradicts (``TitleIdentity``). The entry counts because the
/// source id is stable, while its ISBN may be found later. The work is that of the edition, or the one with the
/// same Open Library key.
struct RecordIdentity: Equatable {
    /// A stored edition.
    struct Edition: Equatable {
        var id: Int64
        var work: Int64
    }

    /// Known facts about a stored work.
    struct Work: Equatable {
        var id: Int64
        var isSynthetic: Bool
        var hasOpenLibraryKey: Bool
    }

    /// The record's edition; nil for a new one.
    var edition: Edition?
    /// The record's work; nil for a new one.
    var work: Int64?
    /// Works that turn out to be the same as ``work`` and are merged into it.
    var merged: [Int64] = []
    /// Whether ``work`` gets its Open Library key from this record.
    var gainsOpenLibraryKey = false

    /// - Parameters:
    ///   - byISBN: The first edition found by one of the record's ISBNs.
    ///   - byEntry: The edition of the entry, if the entry is known and the record is not about another
    ///     edition.
    ///   - byTitle: The edition with that title, for a record without an ISBN.
    ///   - otherISBNWorks: Works of further editions with the record's other ISBNs.
    ///   - byOpenLibrary: The work with the record's Open Library key.
    ///   - hasOpenLibraryKey: Whether the record has an Open Library work key.
    ///   - workOfTitle: The work of another edition with that title, for a record whose own edition is new.
    ///   - work: Looks up a work.
    static func resolve<Failure: Error>(
        byISBN: Edition?, byEntry: Edition?, byTitle: Edition?, otherISBNWorks: [Int64],
        byOpenLibrary: Int64?, hasOpenLibraryKey: Bool, workOfTitle: Int64? = nil,
        work: (Int64) throws(Failure) -> Work?
    ) throws(Failure) -> RecordIdentity {
        var identity = RecordIdentity(edition: byISBN ?? byEntry ?? byTitle)
        guard let edition = identity.edition, let own = try work(edition.work) else {
            identity.edition = nil
            if let byOpenLibrary {
                identity.work = try work(byOpenLibrary)?.id
            } else if let workOfTitle, let own = try work(workOfTitle),
                !(hasOpenLibraryKey && own.hasOpenLibraryKey)
            {
                identity.work = own.id
                identity.gainsOpenLibraryKey = hasOpenLibraryKey
            }
            return identity
        }
        var same = [own]
        if let byOpenLibrary, byOpenLibrary != own.id {
            // A work with another Open Library key is a different work, even if they share an ISBN.
            if !own.hasOpenLibraryKey, let other = try work(byOpenLibrary) { same.append(other) }
        } else if byOpenLibrary == nil && hasOpenLibraryKey && !own.hasOpenLibraryKey {
            identity.gainsOpenLibraryKey = true
        }
        for id in otherISBNWorks where !same.contains(where: { $0.id == id }) {
            // A shared ISBN only merges synthetic works. Works that a provider knows are kept apart.
            if own.isSynthetic, let other = try work(id), other.isSynthetic { same.append(other) }
        }
        // The earliest work is kept.
        let survivor = same.map(\.id).min() ?? own.id
        identity.work = survivor
        identity.merged = same.map(\.id).filter { $0 != survivor }.sorted()
        return identity
    }

    /// Whether a record with an ISBN is about another edition than the one of its entry.
    ///
    /// An edition without ISBNs takes the record's ISBN. An edition with other ISBNs does not if they come
    /// from the user, or if a provider knows the record's ISBN and does not list them with it. If a provider
    /// found the edition by title, and no provider knows the record's ISBN, there is no contradiction.
    ///
    /// - Parameters:
    ///   - isbns: The record's own ISBN-13 and those of its edition.
    ///   - isISBNMatch: Whether a provider knows the record's own ISBN.
    ///   - stored: The ISBNs of the entry's edition.
    ///   - areUsers: Whether the stored ISBNs come from the user's row, not from a provider.
    static func isOtherEdition(
        isbns: [String], isISBNMatch: Bool, stored: [String], areUsers: Bool
    ) -> Bool {
        !isbns.isEmpty && !stored.isEmpty && (areUsers || isISBNMatch)
            && !isbns.contains(where: stored.contains)
    }
}
