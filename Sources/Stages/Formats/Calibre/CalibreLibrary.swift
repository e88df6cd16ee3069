package import Books
import Bytes
import Syntax
import System

/// A library of calibre as a folder that has a folder with a `metadata.opf` for each book.
///
/// calibre keeps such files as a backup of its database, and makes the database from them (`calibredb
/// restore_database`), in whatever version is installed. Fields without a column in calibre get a custom column, such
/// as `#status`; ``CalibreCustomFields`` defines their meaning.
package struct CalibreLibrary: ExportLayout {
    static let layout = CalibreLibrary()

    package let name = "calibre-library"
    package let title = "calibre"
    package let isFolder = true
    package let fields: Set<EntryField> = [
        .title, .authors, .contributors, .series, .isbn, .asin, .oclcNumber, .lccn, .goodreadsBook,
        .publisher,
        .publishedDate, .firstPublicationYear, .pageCount, .format, .language, .originalLanguage, .categories,
        .rating, .shelf, .shelves, .dateStarted, .dateRead, .dateAdded, .readCount, .ownedCopies, .review,
        .notes,
        .purchaseDate, .location, .lentTo, .price, .condition, .barcode, .copies,
    ]

    package func makeWriter() -> any LayoutWriter { CalibreWriter(self) }
}

/// Writes a ``CalibreLibrary``. Books that came from a calibre library keep their numbers, by which a later import
/// recognizes them. The others are numbered after them, in the order of the export.
final class CalibreWriter: LayoutWriter {
    private let layout: CalibreLibrary
    /// The highest number that a book brings along, and later the last one that was given.
    private var last = 0
    /// Numbers that books have brought along. Those of two libraries can be the same.
    private var kept: Set<Int> = []
    private let spellings = CalibreSpellings()
    private var out: [UInt8] = []
    private var unread = EntryLosses()
    private(set) var file = ""

    init(_ layout: CalibreLibrary) { self.layout = layout }

    func survey(_ entry: LibraryEntry, losses: inout EntryLosses) {
        let book = CalibreBook(entry, number: 0, spellings, &losses)
        if let number = Self.number(of: entry) { last = max(last, number) }
        layout.noteMissing(in: entry, keeping: book.keptCells, losses: &losses)
    }

    func begin() {}

    func write(_ entry: LibraryEntry) {
        let number = nextNumber(for: entry)
        unread.removeAll()
        out += CalibreBook(entry, number: number, spellings, &unread).document
        let author = Self.folder(entry.people.first?.name ?? "")
        file = "\(author)/\(Self.folder(entry[.title])) (\(number))/metadata.opf"
    }

    func end() {}

    private func nextNumber(for entry: LibraryEntry) -> Int {
        if let number = Self.number(of: entry), kept.insert(number).inserted { return number }
        last += 1
        return last
    }

    /// The number that the entry's book has in calibre; nil if it is from elsewhere.
    private static func number(of entry: LibraryEntry) -> Int? {
        guard entry.formatName == CalibreBook.database, let cell = entry.cells["id"],
            let number = Int(cell.text),
            (1..<1_000_000_000).contains(number)
        else { return nil }
        return number
    }

    func take() -> [UInt8] {
        defer { out = [] }
        return out
    }

    /// Maximum length of a folder's name in bytes. calibre shortens names too.
    private static let longest = 120

    /// A name that every file system accepts, made of a name or title.
    private static func folder(_ text: String) -> String {
        var name = ""
        for character in text {
            let isPlain = character.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.value != 0x7F && !"\\/:*?\"<>|".unicodeScalars.contains($0)
            }
            // A character that stands for a byte in names of files would become that byte.
            name.append(isPlain && FileName.isText(String(character)) ? character : "_")
            if name.utf8.count > longest {
                name.removeLast()
                break
            }
        }
        // A name that begins with a dot is hidden, and one that ends with a dot or blank is refused by Windows.
        let isEdge = { (character: Character) in character == "." || character.isWhitespace }
        let bare = String(name.drop(while: isEdge).reversed().drop(while: isEdge).reversed())
        return bare.isEmpty ? "Unknown" : bare
    }
}
