/// What a person did for a book.
public enum ContributorRole: UInt8, Sendable, CaseIterable, Hashable {
    case author
    /// Named beside the author without saying for what, as Goodreads' Additional Authors: co-author, translator,
    /// illustrator, editor.
    case contributor
    case translator, illustrator, editor, narrator
}
