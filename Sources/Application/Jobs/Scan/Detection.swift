package import Contract
import Syntax

/// A book that an image model has read from a photo.
package struct Detection: Sendable, Hashable {
    /// The three texts are empty if the photo does not show them.
    package var title: String
    package var author: String
    package var isbn: String
    /// How sure the model is, 0–1.
    package var confidence: Double
    /// Where the book is; nil if the model did not say it.
    package var box: BoundingBox?

    package init(
        title: String, author: String = "", isbn: String = "", confidence: Double, box: BoundingBox? = nil
    ) {
        self.title = title
        self.author = author
        self.isbn = isbn
        self.confidence = confidence
        self.box = box
    }

    /// Whether there is anything to look up. A model also reports spines that it cannot read.
    package var isReadable: Bool { !title.isEmpty || !isbn.isEmpty }
}

/// What an image model says about a photo.
package enum PhotoReading: Sendable, Hashable {
    case books([Detection])
    /// The model refuses the photo, for this reason in its own word: `SAFETY`.
    case refused(String)
}

extension PhotoReading {
    /// The reading as it is kept: JSON.
    var kept: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            switch self {
            case .refused(let reason): json.field("refused", reason)
            case .books(let books):
                json.field("books", books) { book, json in
                    json.field("title", book.title)
                    json.field("author", book.author)
                    json.field("isbn", book.isbn)
                    json.field("confidence", book.confidence)
                    json.field("boundingBox", book.box)
                }
            }
        }
        return json.bytes
    }

    /// Nil if the bytes are not a kept reading: somebody has changed the file.
    init?(kept: [UInt8]) {
        var (refused, books) = (String?.none, [Detection]?.none)
        do throws(JSONReadError) {
            try JSONReader.read(kept) { (reader) throws(JSONReadError) in
                try reader.forEachKey { (key, reader) throws(JSONReadError) in
                    switch key {
                    case "refused": refused = try reader.string().string
                    case "books": books = try ModelBooks.list(&reader, in: nil)
                    default: break
                    }
                }
                try reader.finish()
            }
        } catch {
            return nil
        }
        if let refused {
            self = .refused(refused)
        } else if let books {
            self = .books(books)
        } else {
            return nil
        }
    }
}
