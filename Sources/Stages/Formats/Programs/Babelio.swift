package import Books
import Bytes
import Syntax

/// The export of Babelio: semicolons, windows-1252, the author's family name first and without a comma.
///
/// Only a particle shows that a family name has two words: `Le Carré John`. A character that windows-1252 lacks is
/// written as in HTML, with a comma for its semicolon: `&#268,apek Karel`.
package struct Babelio: TabularFormat {
    package let name = "babelio"

    package init() {}

    package var namesStatuses: Bool { true }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        for field in [LibraryField.title, .author, .publisher] { readReferences(field, of: &row, in: &rows) }
        let author = rows.arena[rows.cell(.author, of: row)]
        rows.read(.author, as: rows.arena.append(Self.givenNameFirst(author)), of: &row)
        rows.readTitle(of: &row)
        rows.readPeople(of: &row)
        rows.readShelf(of: &row)
        rows.readRating(of: &row)
        rows.checkDatesAndCounts(of: &row)
        rows.readKind(of: &row)
    }

    /// `&#268,apek` becomes `Čapek`.
    private func readReferences(_ field: LibraryField, of row: inout LibraryRow, in rows: inout LibraryRows) {
        let cell = rows.cell(field, of: row)
        guard rows.arena.withBytes(cell, { $0.contains(UInt8(ascii: "&")) }) else { return }
        var bytes = rows.arena.bytes(cell)
        for start in bytes.indices where bytes[start] == UInt8(ascii: "&") {
            let end = bytes[(start + 1)...].firstIndex {
                !$0.isLetter && !$0.isDigit && $0 != UInt8(ascii: "#")
            }
            if let end, end > start + 2, bytes[end] == UInt8(ascii: ",") { bytes[end] = UInt8(ascii: ";") }
        }
        let plain = bytes.withUnsafeBytes { HTMLReferences.resolved($0) } ?? bytes
        rows.read(field, as: rows.arena.append(plain), of: &row)
    }

    /// The name in reading order: `Zask Joëlle` becomes `Joëlle Zask`.
    static func givenNameFirst(_ name: String) -> String {
        let words = name.split(separator: " ").map(String.init)
        guard words.count > 1, !name.contains(","), !name.contains(";") else { return name }
        // `Bruycker Daniel de`
        if let last = words.last, words.count > 2, last.first?.isLowercase == true, particles.contains(last) {
            return (words[1..<(words.count - 1)] + [last, words[0]]).joined(separator: " ")
        }
        let family = 1 + words.dropLast(2).prefix { particles.contains($0.lowercased()) }.count
        return (words[family...] + words[..<family]).joined(separator: " ")
    }

    private static let particles: Set = [
        "le", "la", "les", "de", "du", "des", "da", "das", "do", "dos", "di", "del", "della", "van", "von",
        "der", "den", "el", "al", "ben", "mac", "mc", "saint", "san",
    ]

    package static let columns = FormatColumns([
        // Any French table has the first ones.
        .common(.isbn13, "isbn"), .common(.title, "titre"), .common(.author, "auteur"),
        .common(.publisher, "editeur", "éditeur"), .common(.yearPublished, "date de publication"),
        .distinctive(
            .dateAdded, "date d`entrée dans babelio", "date d'entrée dans babelio",
            "date d’entrée dans babelio"),
        .common(.exclusiveShelf, "statut"), .common(.rating, "note"), .common(.review, "critique"),
    ])
}
