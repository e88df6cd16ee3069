import Syntax

/// A client's book to look up: `{"isbn":…,"title":…,"author":…}`, any of which may be absent.
package struct RequestedBook: Sendable, Hashable {
    /// As the client spells it.
    package var isbn = ""
    package var title = ""
    package var author = ""

    package init() {}

    /// Maximum length of a book's text in characters, as Unicode counts them.
    package static let longest = 1_000
    /// Maximum number of elements of each list; more books can be uploaded as a file.
    package static let most = 100

    fileprivate init(_ reader: inout JSONReader) throws(JSONReadError) {
        self.init()
        try reader.forEachKey { key, value throws(JSONReadError) in
            switch key {
            case "isbn", "barcode":
                let text = try value.string().string
                if !text.isEmpty { self.isbn = text }
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

/// A client's list of books to look up: `{"books":[…]}` or `{"barcodes":["…"]}`, and `jobId`.
package struct RequestedBooks: Sendable, Hashable {
    package var books: [RequestedBook]
    /// The name that the client wants for the job; nil for none.
    package var jobId: String?

    /// Reads a body.
    package static func read(_ body: [UInt8]) -> Result<RequestedBooks, ResponseError> {
        let (most, longest) = (RequestedBook.most, RequestedBook.longest)
        var (books, barcodes): ([RequestedBook], [RequestedBook]) = ([], [])
        var jobId: String?
        do throws(JSONReadError) {
            try JSONReader.read(body) { reader throws(JSONReadError) in
                try reader.forEachKey { key, value throws(JSONReadError) in
                    switch key {
                    case "jobId": jobId = try value.takeNull() ? nil : try value.string().string
                    case "books":
                        try value.forEachElement { element throws(JSONReadError) in
                            books.append(try RequestedBook(&element))
                        }
                    case "barcodes":
                        try value.forEachElement { element throws(JSONReadError) in
                            var book = RequestedBook()
                            book.isbn = try element.string().string
                            barcodes.append(book)
                        }
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
        guard !books.isEmpty || !barcodes.isEmpty, books.count <= most, barcodes.count <= most else {
            return .failure(
                .invalidRequest(
                    "books", value: "\(books.count + barcodes.count)",
                    reason: "A request has 1 to \(most) books or barcodes."))
        }
        books += barcodes
        for (number, book) in books.enumerated() {
            let texts = [book.isbn, book.title, book.author]
            guard texts.allSatisfy({ $0.unicodeScalars.count <= longest }),
                !book.isbn.isEmpty || !book.title.isEmpty
            else {
                return .failure(
                    .invalidRequest(
                        "books[\(number)]", value: "",
                        reason: "A book needs an isbn or a title, each of at most \(longest) characters."))
            }
        }
        return .success(RequestedBooks(books: books, jobId: jobId))
    }
}
