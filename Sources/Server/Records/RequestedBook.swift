package import Contract
import Syntax

/// A client's book to look up: `{"isbn":…,"title":…,"author":…}`, any of which may be absent.
package struct RequestedBook: Sendable, Hashable {
    /// As the client spells it.
    package var isbn = ""
    package var title = ""
    package var author = ""

    package init() {}

    /// Maximum length of a book's text in bytes.
    private static let textBytes = 1_000

    /// Reads `{"books":[…]}` or `{"barcodes":["…"]}`.
    ///
    /// - Parameter most: Maximum number of books.
    package static func list(_ body: [UInt8], most: Int) -> Result<[RequestedBook], ResponseError> {
        var books: [RequestedBook]?
        do throws(JSONReadError) {
            try JSONReader.read(body) { reader throws(JSONReadError) in
                try reader.forEachKey { key, value throws(JSONReadError) in
                    switch key {
                    case "books":
                        var list: [RequestedBook] = books ?? []
                        try value.forEachElement { element throws(JSONReadError) in
                            list.append(try RequestedBook(&element))
                        }
                        books = list
                    case "barcodes":
                        var list: [RequestedBook] = books ?? []
                        try value.forEachElement { element throws(JSONReadError) in
                            var book = RequestedBook()
                            book.isbn = try element.string().string
                            list.append(book)
                        }
                        books = list
                    default: break
                    }
                }
                try reader.finish()
            }
        } catch {
            return .failure(
                .invalidRequest(
                    "body", value: "", reason: "The body must be a JSON object with books or barcodes."))
        }
        guard let books else {
            return .failure(
                .invalidRequest("books", value: "", reason: "The body has no books and no barcodes."))
        }
        guard (1...most).contains(books.count) else {
            return .failure(
                .invalidRequest("books", value: "\(books.count)", reason: "A request has 1 to \(most) books.")
            )
        }
        for (number, book) in books.enumerated() {
            let texts = [book.isbn, book.title, book.author]
            guard texts.allSatisfy({ $0.utf8.count <= textBytes }), !book.isbn.isEmpty || !book.title.isEmpty
            else {
                return .failure(
                    .invalidRequest(
                        "books[\(number)]", value: "",
                        reason: "A book needs an isbn or a title, each of at most \(textBytes) bytes."))
            }
        }
        return .success(books)
    }

    private init(_ reader: inout JSONReader) throws(JSONReadError) {
        self.init()
        try reader.forEachKey { key, value throws(JSONReadError) in
            switch key {
            case "isbn", "barcode": self.isbn = try value.string().string
            case "title": self.title = try value.string().string
            case "author": self.author = try value.string().string
            default: break
            }
        }
    }

    /// The books as a table that an import reads.
    package static func table(_ books: [RequestedBook]) -> [UInt8] {
        var out = CSVWriter()
        out.record(["ISBN", "Title", "Author"])
        for book in books { out.record([book.isbn, book.title, book.author]) }
        return out.bytes
    }
}
