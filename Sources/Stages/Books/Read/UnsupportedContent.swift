package import Pipeline

/// What a file is that is no table of text, by its first bytes, and what to do about it.
package enum UnsupportedContent {
    /// The verdict on a file's head as it lies on disk; nil for what may be a table.
    ///
    /// - Parameter isWide: Whether the encoding has zero bytes of its own (UTF-16).
    package static func recognized(head: [UInt8], isWide: Bool) -> (sentence: String, advice: UserText)? {
        for kind in kinds where head.starts(with: kind.magic) {
            return (kind.sentence, UserText(kind.advice))
        }
        // The name of the first file stands first: only what is behind it says what this is.
        if head.count > tarMark.upperBound, head[tarMark].elementsEqual("ustar".utf8) {
            return ("is a tar archive", "Unpack it first, with tar -xf, and name the export that was in it.")
        }
        if let markup = markup(head) { return markup }
        // A damaged export may hold a stray NUL or two; where every hundredth byte is one, nobody wrote it as
        // text.
        let zeros = head.count { $0 == 0 }
        if !isWide, zeros > 2, zeros * 100 > head.count {
            return ("is not text", "Export the library as CSV and name that file.")
        }
        return nil
    }

    private static let tarMark = 257..<262
    private static let ofPictures = "A library is read from text: export it as CSV and name that file."

    private static let kinds: [(magic: [UInt8], sentence: String, advice: String)] = [
        (
            Array("PK\u{03}\u{04}".utf8), "is a ZIP archive or a spreadsheet document",
            "Unpack it, or save the sheet as CSV in UTF-8."
        ),
        ([0xD0, 0xCF, 0x11, 0xE0], "is an Excel workbook", "Save the sheet as CSV in UTF-8."),
        ([0x1F, 0x8B], "is packed with gzip twice", "Unpack it first, with gunzip."),
        ([0x28, 0xB5, 0x2F, 0xFD], "is compressed with zstd", "Unpack it first."),
        (Array("%PDF".utf8), "is a PDF document", "Export the library as CSV and name that file."),
        (
            Array("SQLite format 3".utf8), "is an SQLite database",
            "Export the library as CSV and name that file."
        ),
        ([0x89] + Array("PNG\r\n".utf8), "is a picture (PNG)", ofPictures),
        ([0xFF, 0xD8, 0xFF], "is a picture (JPEG)", ofPictures),
        (Array("GIF87a".utf8), "is a picture (GIF)", ofPictures),
        (Array("GIF89a".utf8), "is a picture (GIF)", ofPictures),
        (
            Array("{\\rtf".utf8), "is a text document (RTF)",
            "Save the table as CSV in UTF-8, or export the library as CSV, and name that file."
        ),
    ]

    private static func markup(_ head: [UInt8]) -> (sentence: String, advice: UserText)? {
        let start = head.prefix(512).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        let text = String(decoding: start.prefix(64), as: UTF8.self).lowercased()
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
            return (
                "is a web page", "Sign in, download the export again and check that the file holds a table."
            )
        }
        if text.hasPrefix("<?xml") {
            return (
                "is an XML document",
                "Of XML, MARCXML and ONIX are read. Export the library as one of them or as CSV."
            )
        }
        let marks = String(text.filter { !$0.isWhitespace }.prefix(2))
        if text.hasPrefix("{") || ["[", "[{", "[]", "[[", "[\""].contains(marks) {
            return (
                "is a JSON document",
                """
                LibraryThing's JSON and MARC in JSON can be read. Export the library as one of them or as CSV. To read \
                back what etl exported, write it with \(UserCommand.exportTable).
                """
            )
        }
        return nil
    }
}
