import Bytes
import Contract
import Syntax

/// Reads the list of books in a model's words. Models keep to a schema only mostly, so what can be understood is, and anything
/// else is an error: a title that is not text, or no confidence.
enum ModelBooks {
    /// Size of a photo in pixels.
    struct PixelSize: Sendable, Hashable {
        var width: Int
        var height: Int
    }

    /// Books of one photo. A model that repeats itself has no end.
    static let most = 500
    /// Maximum length of a text, in characters as Unicode counts them.
    private static let longest = 500

    /// The books of an answer: a list, or an object with one; with or without a fence of Markdown around it.
    ///
    /// - Parameter size: Size of the photo, for boxes in pixels.
    /// - Returns: Nil if it is something else.
    static func books(in words: String, of size: PixelSize) -> [Detection]? {
        let json = Array(unfenced(words).utf8)
        do throws(JSONReadError) {
            return try JSONReader.read(json) { (reader) throws(JSONReadError) in
                var books: [Detection]?
                if try reader.peek() == .object {
                    try reader.forEachKey { (_, reader) throws(JSONReadError) in
                        if books == nil, try reader.peek() == .array {
                            books = try list(&reader, in: size)
                        }
                    }
                } else {
                    books = try list(&reader, in: size)
                }
                try reader.finish()
                return books
            }
        } catch {
            return nil
        }
    }

    /// The text between the fences of a block of code, or the text itself.
    private static func unfenced(_ words: String) -> Substring {
        let fence = "```"
        var text = words[...]
        guard let start = text.firstRange(of: fence) else { return text }
        text = text[start.upperBound...]
        // The name of the language.
        if let line = text.firstIndex(of: "\n") { text = text[line...] }
        if let end = text.ranges(of: fence).last { text = text[..<end.lowerBound] }
        return text
    }

    /// Reads a list of books.
    ///
    /// - Parameter size: Nil for boxes that are fractions already.
    static func list(_ reader: inout JSONReader, in size: PixelSize?) throws(JSONReadError) -> [Detection] {
        var books: [Detection] = []
        try reader.forEachElement { (reader) throws(JSONReadError) in
            let book = try book(&reader, in: size)
            if books.count < most { books.append(book) }
        }
        return books
    }

    private static func book(
        _ reader: inout JSONReader, in size: PixelSize?
    ) throws(JSONReadError) -> Detection {
        var book = Detection(title: "", confidence: -1)
        try reader.forEachKey { (key, reader) throws(JSONReadError) in
            switch key {
            case "title": book.title = try text(&reader)
            case "author", "authors": book.author = try text(&reader)
            case "isbn": book.isbn = try text(&reader)
            case "confidence": book.confidence = try confidence(&reader)
            case "box_2d": book.box = try ModelBox.list(&reader, in: size)
            case "boundingBox", "bounding_box", "box": book.box = try ModelBox.any(&reader, in: size)
            default: break
            }
        }
        guard book.confidence >= 0 else { throw JSONReadError(.syntax, at: reader.offset) }
        return book
    }

    /// A text, or a list of texts, without line ends and control characters; empty for `null`.
    private static func text(_ reader: inout JSONReader) throws(JSONReadError) -> String {
        switch try reader.peek() {
        case .null:
            try reader.skip()
            return ""
        case .array:
            var texts: [String] = []
            try reader.forEachElement { (reader) throws(JSONReadError) in
                let one = cleaned(try reader.string().string)
                if !one.isEmpty { texts.append(one) }
            }
            return texts.joined(separator: ", ")
        default: return cleaned(try reader.string().string)
        }
    }

    private static func cleaned(_ text: String) -> String {
        let words = text.split { $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.value < 0x20 } }
        let cleaned = words.joined(separator: " ")
        return String(String.UnicodeScalarView(cleaned.unicodeScalars.prefix(longest)))
    }

    /// A number from 0 to 1, or a percentage, or either of them as text.
    private static func confidence(_ reader: inout JSONReader) throws(JSONReadError) -> Double {
        guard var value = try ModelBox.number(&reader), value >= 0 else {
            throw JSONReadError(.syntax, at: reader.offset)
        }
        if value > 1 { value /= 100 }
        return min(1, value)
    }
}
