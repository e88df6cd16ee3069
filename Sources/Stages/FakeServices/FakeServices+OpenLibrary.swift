import Books

/// Open Library's side of the fake services (providers.md section 1).
extension FakeServices {
    func openLibrary(_ parts: [String], _ request: FakeRequest) -> FakeReply {
        switch parts.count > 1 ? parts[1] : "" {
        case "api":
            var found: [String] = []
            for key in (request.query["bibkeys"] ?? "").split(separator: ",") {
                guard let record = edition(String(key.drop { $0 != ":" }.dropFirst())) else { continue }
                found.append(#""\#(key)":{"bib_key":"\#(key)","details":\#(record)}"#)
            }
            return .json("{\(found.joined(separator: ","))}")
        case "works" where parts.count == 3: return record(work(Self.key(parts[2])))
        case "authors" where parts.count == 3: return record(author(Self.key(parts[2])))
        case "search.json": return .json(search(request.query["title"] ?? "", request.query["author"] ?? ""))
        default: return record(nil)
        }
    }

    private func record(_ json: String?) -> FakeReply {
        json.map { .json($0) } ?? .json(#"{"error":"notfound"}"#, status: 404)
    }

    private static func key(_ name: String) -> String {
        name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    }

    private func edition(_ isbn: String) -> String? {
        if let file = file("openlibrary/books/\(isbn)") { return file }
        guard makesThingsUp, let isbn = ISBN(isbn), let book = library.book(isbn) else { return nil }
        return #"""
            {"key":"/books/OL\#(book.stem)M","type":{"key":"/type/edition"},"title":"\#(book.title)",
            "works":[{"key":"/works/OL\#(book.work)W"}],"authors":[{"key":"/authors/OL\#(book.author)A"}],
            "isbn_13":["\#(isbn.isbn13)"],"publishers":["\#(book.publisher)"],"publish_date":"\#(book.year)",
            "number_of_pages":\#(book.pages),"languages":[{"key":"/languages/eng"}],
            "physical_format":"\#(book.isHardcover ? "Hardcover" : "Paperback")","covers":[\#(book.stem % 1_000_000 + 1)]}
            """#
    }

    private static func number(_ key: String) -> Int64? { Int64(key.dropFirst(2).dropLast()) }

    private func work(_ key: String) -> String? {
        if let file = file("openlibrary/works/\(key)") { return file }
        guard makesThingsUp, let work = Self.number(key) else { return nil }
        let author = FakeLibrary.author(ofWork: work)
        return #"""
            {"key":"/works/\#(key)","type":{"key":"/type/work"},"title":"\#(FakeLibrary.title(ofWork: work))",
            "authors":[{"type":{"key":"/type/author_role"},"author":{"key":"/authors/OL\#(author)A"}}],
            "description":{"type":"/type/text","value":"A made-up book, number \#(work)."},
            "subjects":["Fiction","\#(FakeLibrary.pick(["Mystery", "Fantasy", "History", "Poetry"], work))"],
            "first_publish_date":"\#(1940 + work % 60)"}
            """#
    }

    private func author(_ key: String) -> String? {
        if let file = file("openlibrary/authors/\(key)") { return file }
        guard makesThingsUp, let author = Self.number(key) else { return nil }
        let remote =
            author % 3 == 0 ? "" : #","remote_ids":{"wikidata":"Q\#(FakeLibrary.item(ofAuthor: author))"}"#
        return #"""
            {"key":"/authors/\#(key)","type":{"key":"/type/author"},"name":"\#(FakeLibrary.name(ofAuthor: author))",
            "birth_date":"\#(FakeLibrary.birthYear(ofAuthor: author))"\#(remote)}
            """#
    }

    /// Made-up titles end in their work's number: that leads back to it.
    private func search(_ title: String, _ author: String) -> String {
        guard makesThingsUp, let number = title.split(separator: " ").last, let work = Int64(number),
            FakeLibrary.title(ofWork: work).lowercased() == title.lowercased()
        else { return #"{"numFound":0,"start":0,"docs":[]}"# }
        let by = FakeLibrary.author(ofWork: work)
        return #"""
            {"numFound":1,"start":0,"docs":[{"key":"/works/OL\#(work)W","title":"\#(FakeLibrary.title(ofWork: work))",
            "author_name":["\#(FakeLibrary.name(ofAuthor: by))"],"author_key":["OL\#(by)A"],"edition_count":3}]}
            """#
    }
}
