import Books
import Syntax
package import System

/// Recognizes content that is not delimited text by its first bytes, and says what to do about it.
package enum UnsupportedContent {
    /// The file's type and advice; nil if it may be a table.
    ///
    /// - Parameters:
    ///   - head: The first bytes of the file, decompressed once.
    ///   - isWide: Whether the encoding itself uses zero bytes (UTF-16).
    package static func recognized(head: [UInt8], isWide: Bool) -> (sentence: String, advice: UserText)? {
        for kind in kinds where head.starts(with: kind.magic) {
            return (kind.sentence, UserText(kind.advice))
        }
        if let type = ImageType(head) {
            return (
                "is an image (\(type.name))",
                "If it is a photo of a shelf, import the books in it: \(UserCommand.scan). Otherwise export the library as CSV and use that file."
            )
        }
        // A tar archive starts with the name of its first file; its signature comes later.
        if head.count > tarMark.upperBound, head[tarMark].elementsEqual("ustar".utf8) {
            return ("is a tar archive", "Extract it with tar -xf, and use the export inside it.")
        }
        if let markup = markup(head) { return markup }
        // A damaged export may contain one or two stray NUL bytes. Text never has one in every hundred bytes.
        // Nor has it many other control characters.
        let zeros = head.count { $0 == 0 }
        let controls = head.count { $0 < 0x20 && !(0x09...0x0D).contains($0) }
        if !isWide, zeros > 2 && zeros * 100 > head.count || controls > 8 && controls * 50 > head.count {
            return ("is not text", UserText(exportAsCSV))
        }
        return nil
    }

    /// Type of JSON records that are no books, as far as the beginning shows it, and advice; nil if they may be
    /// books.
    package static func entity(in head: [UInt8]) -> (sentence: String, advice: UserText)? {
        let bare = head.filter { $0 > 0x20 }
        func has(_ text: String) -> Bool { bare.firstRange(of: Array(text.utf8)) != nil }
        let isEntity = has(#""type":"item""#) || has(#""type":"property""#) || has(#""type":"lexeme""#)
        if isEntity,
            has(#""labels":"#) || has(#""claims":"#) || has(#""statements":"#) || has(#""entities":"#)
        {
            return (
                "is an entity of Wikidata, not a list of books",
                "Import an export of your library. To look people up in Wikidata's dump, make a catalog of it: \(UserCommand.buildCatalog(path: "catalog.sqlite"))."
            )
        }
        if has(#""type":{"key":"/type/author"}"#) {
            return (
                "is an author of Open Library, not a list of books",
                "Import an export of your library. To look authors up, make a catalog of Open Library's dumps: \(UserCommand.buildCatalog(path: "catalog.sqlite"))."
            )
        }
        return nil
    }

    private static let tarMark = 257..<262
    private static let exportAsCSV = "Export the library as CSV and use that file."

    private static let kinds: [(magic: [UInt8], sentence: String, advice: String)] = [
        (
            Array("PK\u{03}\u{04}".utf8),
            "is a ZIP archive, or a spreadsheet, in another archive or compressed file", "Extract it first."
        ),
        (
            [0xD0, 0xCF, 0x11, 0xE0], "is an Excel workbook of the format before 2007",
            "Save it as .xlsx, or save the sheet as CSV in UTF-8."
        ),
        ([0x1F, 0x8B], "is compressed with gzip twice", "Decompress it once with gunzip."),
        ([0x28, 0xB5, 0x2F, 0xFD], "is compressed twice", "Decompress it once."),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "is compressed twice", "Decompress it once."),
        (Array("BZh9".utf8), "is compressed with bzip2", "Decompress it first with bunzip2."),
        (
            [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "is a 7z archive",
            "Extract it, and use the export inside it."
        ),
        (Array("Rar!".utf8), "is a RAR archive", "Extract it, and use the export inside it."),
        (Array("%PDF".utf8), "is a PDF document", exportAsCSV),
        (Array("SQLite format 3".utf8), "is an SQLite database", exportAsCSV),
        (
            Array("{\\rtf".utf8), "is a text document (RTF)",
            "Save the table as CSV in UTF-8, or export the library as CSV, and use that file."
        ),
    ]

    private static func markup(_ head: [UInt8]) -> (sentence: String, advice: UserText)? {
        let start = head.prefix(512).drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        let text = String(decoding: start.prefix(64), as: UTF8.self).lowercased()
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
            return (
                "is a web page",
                "Sign in, download the export again, and check that the file contains a table."
            )
        }
        if text.hasPrefix("<?xml") || isUndeclaredXML(head) {
            return (
                "is XML in an unsupported format",
                "The supported XML formats are MARCXML and ONIX. Export the library as one of them or as CSV."
            )
        }
        let marks = String(text.filter { !$0.isWhitespace }.prefix(2))
        if text.hasPrefix("{") || ["[", "[{", "[]", "[[", "[\""].contains(marks) {
            if head.count < InputFile.headBytes, JSONBrackets(head).areOpen {
                return (
                    "is JSON that ends before its last bracket is closed: it is not complete",
                    "Download or export it again."
                )
            }
            return (
                "is JSON, but none of its objects has a title or an ISBN",
                "Name the keys that have them with \(UserSetting.columns("title=KEY,isbn13=KEY"))."
            )
        }
        return nil
    }

    /// Whether it has elements and no XML declaration. Columns of a table may be named `<Title>`, but they are
    /// separated.
    private static func isUndeclaredXML(_ head: [UInt8]) -> Bool {
        guard XMLProlog(head: head) != nil, head.firstRange(of: Array("</".utf8)) != nil else { return false }
        return !head.prefix { $0 != 0x0A }.contains {
            [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains($0)
        }
    }
}
