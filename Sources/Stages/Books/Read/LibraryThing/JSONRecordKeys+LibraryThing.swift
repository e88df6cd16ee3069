package import Syntax

extension JSONRecordKeys {
    /// A book of LibraryThing. Each begins with its number; where that is damaged, other keys tell of it.
    package static let libraryThing = JSONRecordKeys(
        [
            Key("books_id"), Key("book_id"), Key("title", isCertain: false), Key("Title", isCertain: false),
            Key("sortcharacter", isCertain: false), Key("workcode", isCertain: false),
            Key("entrydate", isCertain: false),
        ], holdRecords: false)
}
