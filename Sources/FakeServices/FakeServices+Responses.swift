import Books

// Google Books, ISBNdb and Wikidata.
extension FakeServices {
    // MARK: Google Books

    func googleBooks(_ request: FakeRequest) -> FakeReply {
        let none = #"{"kind":"books#volumes","totalItems":0}"#
        let query = request.query["q"] ?? ""
        guard query.hasPrefix("isbn:"), let isbn = ISBN(String(query.dropFirst(5))) else {
            let volumes = googleWorks(query).compactMap { FakeLibrary.edition(ofWork: $0).flatMap(volume) }
            return .json(
                volumes.isEmpty
                    ? none
                    : #"{"kind":"books#volumes","totalItems":\#(volumes.count),"items":[\#(volumes.joined(separator: ","))]}"#
            )
        }
        guard let volume = file("google-books/\(isbn.isbn13)") ?? volume(isbn) else { return .json(none) }
        return .json(#"{"kind":"books#volumes","totalItems":1,"items":[\#(volume)]}"#)
    }

    /// The works that fit `intitle:"…"` or `inauthor:"…"`. To both at once it has no answer.
    private func googleWorks(_ query: String) -> [Int64] {
        func words(_ name: String) -> String? {
            guard query.hasPrefix("\(name):\""), query.hasSuffix("\"") else { return nil }
            let words = query.dropFirst(name.count + 2).dropLast()
            return words.contains("\"") ? nil : String(words)
        }
        if let title = words("intitle") { return works(title: title, author: "") }
        return words("inauthor").map { works(title: "", author: $0) } ?? []
    }

    private func volume(_ isbn: ISBN) -> String? {
        guard isSynthetic, let book = library.book(isbn) else { return nil }
        return #"""
            {"kind":"books#volume","id":"gb\#(book.body)","volumeInfo":{"title":"\#(book.title)",
            "authors":["\#(book.authorName)"],"publisher":"\#(book.publisher)","publishedDate":"\#(book.year)-03",
            "description":"A much longer account of the made-up book that bears the number \#(book.work).",
            "industryIdentifiers":[{"type":"ISBN_13","identifier":"\#(isbn.isbn13)"}],"pageCount":\#(book.pages),
            "categories":["Fiction"],"language":"en","imageLinks":{"thumbnail":"http://books.google.com/books/content?id=gb\#(book.body)&zoom=1&edge=curl"}}}
            """#
    }

    // MARK: ISBNdb

    func isbndb(_ parts: [String], _ request: FakeRequest) -> FakeReply {
        guard parts.count == 2, parts[1] == "books", request.method == "POST" else {
            return .json(#"{"errorMessage":"Not Found"}"#, status: 404)
        }
        guard request.fields["authorization"]?.isEmpty == false else {
            return .json(#"{"message":"Unauthorized"}"#, status: 401)
        }
        let digits = String(decoding: request.body, as: UTF8.self).split { !$0.isNumber }
        // In another order than in the request.
        let books = digits.reversed().compactMap { isbndbBook(String($0)) }
        return .json(
            #"{"total":\#(books.count),"requested":\#(digits.count),"data":[\#(books.joined(separator: ","))]}"#
        )
    }

    private func isbndbBook(_ digits: String) -> String? {
        if let file = file("isbndb/\(digits)") { return file }
        guard isSynthetic, let isbn = ISBN(digits), let book = library.book(isbn) else { return nil }
        return #"""
            {"title":"\#(book.title)","title_long":"\#(book.title): a Novel","isbn13":"\#(isbn.isbn13)",
            "binding":"\#(book.isHardcover ? "Hardcover" : "Paperback")","publisher":"\#(book.publisher)","language":"en",
            "date_published":"\#(book.year)-03-05","pages":\#(book.pages),"authors":["\#(book.authorName)"],
            "subjects":["Fiction"],"synopsis":"<p>A made-up book.</p>"}
            """#
    }

    // MARK: Wikidata

    func wikidata(_ request: FakeRequest) -> FakeReply {
        switch request.query["action"] {
        case "wbgetentities":
            let ids = (request.query["ids"] ?? "").split(separator: "|")
            guard ids.count <= 50 else { return .json(#"{"error":{"code":"toomanyvalues"}}"#) }
            // One invalid id makes the whole request fail.
            guard ids.allSatisfy({ $0.hasPrefix("Q") && (Int64($0.dropFirst()) ?? 0) > 0 }) else {
                return .json(#"{"error":{"code":"no-such-entity"}}"#)
            }
            let items = ids.map { id in
                #""\#(id)":\#(entity(String(id)) ?? #"{"id":"\#(id)","missing":""}"#)"#
            }
            return .json(#"{"entities":{\#(items.joined(separator: ","))},"success":1}"#)
        case "query":
            let search = request.query["srsearch"] ?? ""
            guard search.count <= 300 else {
                return .json(#"{"error":{"code":"cirrussearch-query-too-long"}}"#)
            }
            let keys = search.split { !$0.isLetter && !$0.isNumber }
            let found = keys.compactMap { key -> String? in
                guard isSynthetic, key.hasPrefix("OL"), key.hasSuffix("A"),
                    let author = Int64(key.dropFirst(2).dropLast()),
                    let item = FakeLibrary.item(ofAuthor: author)
                else { return nil }
                return #"{"ns":0,"title":"Q\#(item)"}"#
            }
            return .json(#"{"batchcomplete":true,"query":{"search":[\#(found.joined(separator: ","))]}}"#)
        case "wbsearchentities": return .json(#"{"search":[],"success":1}"#)
        default: return .json(#"{"error":{"code":"badvalue"}}"#)
        }
    }

    private func entity(_ id: String) -> String? {
        if let file = file("wikidata/\(id)") { return file }
        guard isSynthetic, let item = Int64(id.dropFirst()), let author = FakeLibrary.author(ofItem: item)
        else { return nil }
        let isWoman = author % 2 == 0
        return #"""
            {"type":"item","id":"\#(id)",
            "labels":{"en":{"language":"en","value":"\#(FakeLibrary.name(ofAuthor: author))"}},
            "claims":{"P31":[\#(Self.statement(item: 5))],"P27":[\#(Self.statement(item: 30))],
            "P21":[\#(Self.statement(item: isWoman ? 6_581_072 : 6_581_097))],
            "P569":[{"mainsnak":{"snaktype":"value","datavalue":{"type":"time","value":
            {"time":"+\#(FakeLibrary.birthYear(ofAuthor: author))-00-00T00:00:00Z","precision":9}}},"rank":"normal"}],
            "P648":[{"mainsnak":{"snaktype":"value","datavalue":{"type":"string","value":"OL\#(author)A"}},
            "rank":"normal"}]}}
            """#
    }

    private static func statement(item: Int) -> String {
        #"""
        {"mainsnak":{"snaktype":"value","datavalue":{"type":"wikibase-entityid","value":
        {"entity-type":"item","id":"Q\#(item)"}}},"type":"statement","rank":"normal"}
        """#
    }
}
