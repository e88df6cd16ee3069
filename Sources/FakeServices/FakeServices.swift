import Books
import Bytes
import System

/// Fakes of Open Library, Google Books, ISBNdb and Wikidata below one base URL: `/openlibrary`,
/// `/google-books`, `/isbndb`, `/wikidata`, of a service that computes vectors, `/embeddings`, and of a model that reads photos,
/// `/vision`. Their records come from a folder of files, or without a folder from ``FakeLibrary``.
///
/// The folder has `openlibrary/books/9780000000000.json` (by ISBN-13), `openlibrary/works/OL1W.json`,
/// `openlibrary/authors/OL1A.json`, `google-books/9780000000000.json`, `isbndb/9780000000000.json` and
/// `wikidata/Q1.json`: records as the services send them.
package final class FakeServices: Sendable {
    package static let names = ["openlibrary", "google-books", "isbndb", "wikidata"]

    /// The name of the service that computes vectors, which is none of the providers of books.
    package static let embeddings = "embeddings"

    /// The name of the model that reads photos, which is none of them either.
    package static let vision = "vision"

    private let folder: String?
    private let model: FakeVision
    private let faults: [String: FakeFaults]
    private let sent = Guarded<[String: Int]>([:])
    let library = FakeLibrary()

    /// - Parameter faults: Faults by service. Other services have none.
    package init(folder: String? = nil, faults: [String: FakeFaults] = [:]) {
        self.folder = folder
        model = FakeVision(folder: folder)
        self.faults = faults
    }

    /// Answers a request, possibly with a fault.
    package func answer(_ request: FakeRequest) -> FakeReply {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard let service = parts.first else { return .json(#"{"services":["openlibrary"]}"#, status: 404) }
        let name =
            ([request.path] + request.query.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })
            .joined(separator: "&") + String(decoding: request.body, as: UTF8.self)
        let attempt = sent.withLock { sent in
            sent[name, default: 0] += 1
            return sent[name] ?? 1
        }
        let (kind, delay) = (faults[service] ?? FakeFaults()).fault(name, attempt: attempt)
        var reply = kind == .mismatch ? wrong(service, parts, request) : answer(service, parts, request)
        if let kind { spoil(&reply, kind) } else { tag(&reply, request) }
        reply.delayMilliseconds = delay
        reply.fault = kind
        return reply
    }

    private func answer(_ service: String, _ parts: [String], _ request: FakeRequest) -> FakeReply {
        switch service {
        case "openlibrary": openLibrary(parts, request)
        case "google-books": googleBooks(request)
        case "isbndb": isbndb(parts, request)
        case "wikidata": wikidata(request)
        case Self.embeddings: FakeEmbeddings.answer(parts, request)
        case Self.vision: model.answer(parts, request)
        default: .json(#"{"error":"no such service"}"#, status: 404)
        }
    }

    /// Gives a response an `ETag`, and no body if the client has that response already.
    private func tag(_ reply: inout FakeReply, _ request: FakeRequest) {
        guard reply.status == 200, request.method == "GET" else { return }
        let tag = "\"\(KeyHash.hash(reply.body))\""
        if request.fields["if-none-match"] == tag { reply = FakeReply(304) }
        reply.fields["ETag"] = tag
    }

    private func spoil(_ reply: inout FakeReply, _ kind: FakeFaults.Kind) {
        switch kind {
        case .throttled: reply = .json(#"{"status":429,"message":"Too Many Requests."}"#, status: 429)
        case .throttledWithPause:
            reply = .json(#"{"message":"slow down"}"#, status: 429)
            reply.fields["Retry-After"] = "2"
        case .serverError: reply = .json(#"{"error":{"message":"backendFailed"}}"#, status: 503)
        case .cutOff: reply.manner = .cutOff
        case .brokenJSON: reply.body = Array(reply.body.prefix(reply.body.count / 2))
        case .page:
            reply = FakeReply(
                200, Array("<html>Please log in</html>".utf8), fields: ["Content-Type": "text/html"])
        case .reset: reply.manner = .reset
        case .dripping: reply.manner = .dripping
        case .silent: reply.manner = .silent
        case .mismatch: break
        case .limit403:
            reply = .json(#"{"error":{"errors":[{"reason":"userRateLimitExceeded"}]}}"#, status: 403)
        case .blocked403: reply = FakeReply(403, Array("<html>Forbidden</html>".utf8))
        }
    }

    /// A response whose ISBNs and keys are those of other books.
    private func wrong(_ service: String, _ parts: [String], _ request: FakeRequest) -> FakeReply {
        var reply = answer(service, parts, request)
        guard service != "wikidata", parts.last != "search.json" else {
            spoil(&reply, .brokenJSON)
            return reply
        }
        // The keys by which the client finds its queries stay; the records below them are changed.
        var text = String(decoding: reply.body, as: UTF8.self)
        text = text.replacing("/works/OL", with: "/works/OL9")
            .replacing("/authors/OL", with: "/authors/OL9")
        text = text.replacing(#/("isbn_13":\["|"isbn13":"|"identifier":")(978\d{10})"/#) { match in
            "\(match.1)\(Self.another(String(match.2)))\""
        }
        reply.body = Array(text.utf8)
        return reply
    }

    /// Another valid ISBN.
    private static func another(_ isbn: String) -> String {
        guard let known = ISBN(isbn) else { return isbn }
        let body = known.value / 10 + 1_000
        return ISBN(number: body * 10 + Int64(ISBNCheckDigit.ofThirteen(body)))?.isbn13 ?? isbn
    }

    /// A record from the folder; nil if there is none, or no folder.
    func file(_ path: String) -> String? {
        guard let folder, !path.contains("..") else { return nil }
        return try? ReadableFile.text(of: "\(folder)/\(path).json")
    }

    /// Whether records are invented, because there is no folder.
    var isSynthetic: Bool { folder == nil }
}

// Open Library.
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
        case "search.json": return .json(search(request.query))
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
        guard isSynthetic, let isbn = ISBN(isbn), let book = library.book(isbn) else { return nil }
        return #"""
            {"key":"/books/OL\#(book.body)M","type":{"key":"/type/edition"},"title":"\#(book.title)",
            "works":[{"key":"/works/OL\#(book.work)W"}],"authors":[{"key":"/authors/OL\#(book.author)A"}],
            "isbn_13":["\#(isbn.isbn13)"],"publishers":["\#(book.publisher)"],"publish_date":"\#(book.year)",
            "number_of_pages":\#(book.pages),"languages":[{"key":"/languages/eng"}],
            "physical_format":"\#(book.isHardcover ? "Hardcover" : "Paperback")","covers":[\#(book.body % 1_000_000 + 1)]}
            """#
    }

    private static func number(_ key: String) -> Int64? { Int64(key.dropFirst(2).dropLast()) }

    private func work(_ key: String) -> String? {
        if let file = file("openlibrary/works/\(key)") { return file }
        guard isSynthetic, let work = Self.number(key) else { return nil }
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
        guard isSynthetic, let author = Self.number(key), let item = FakeLibrary.item(ofAuthor: author)
        else { return nil }
        let remote = author % 3 == 0 ? "" : #","remote_ids":{"wikidata":"Q\#(item)"}"#
        return #"""
            {"key":"/authors/\#(key)","type":{"key":"/type/author"},"name":"\#(FakeLibrary.name(ofAuthor: author))",
            "birth_date":"\#(FakeLibrary.birthYear(ofAuthor: author))"\#(remote)}
            """#
    }

    /// Like the real service, it sends only fields that were requested, and of the editions the one that fits best.
    private func search(_ query: [String: String]) -> String {
        let works = works(title: query["title"] ?? "", author: query["author"] ?? "")
        let fields = Set((query["fields"] ?? "").split(separator: ","))
        let docs = works.map { work in
            let by = FakeLibrary.author(ofWork: work)
            var members = [
                #""key":"/works/OL\#(work)W","title":"\#(FakeLibrary.title(ofWork: work))""#,
                #""author_name":["\#(FakeLibrary.name(ofAuthor: by))"],"author_key":["OL\#(by)A"],"edition_count":3"#,
            ]
            if fields.contains("subject") { members.append(#""subject":["Fiction"]"#) }
            if fields.contains("editions"), let edition = fittingEdition(ofWork: work, fields) {
                members.append(
                    #""editions":{"numFound":3,"start":0,"numFoundExact":true,"docs":[\#(edition)]}"#)
            }
            return "{\(members.joined(separator: ","))}"
        }
        return #"{"numFound":\#(docs.count),"start":0,"docs":[\#(docs.joined(separator: ","))]}"#
    }

    private func fittingEdition(ofWork work: Int64, _ fields: Set<Substring>) -> String? {
        guard let book = FakeLibrary.edition(ofWork: work).flatMap({ library.book($0) }) else { return nil }
        let members = [
            ("key", #""/books/OL\#(book.body)M""#), ("title", #""\#(book.title)""#),
            ("isbn", #"["\#(book.isbn.isbn13)"]"#), ("language", #"["eng"]"#),
            ("publisher", #"["\#(book.publisher)"]"#), ("publish_date", #"["\#(book.year)"]"#),
            ("cover_i", "\(book.body % 1_000_000 + 1)"),
        ]
        .filter { fields.contains("editions.\($0.0)") }.map { "\"\($0.0)\":\($0.1)" }
        return "{\(members.joined(separator: ","))}"
    }

    /// The works with a title, or some of an author. Invented titles end with their work's number, from which the work is
    /// found.
    func works(title: String, author: String) -> [Int64] {
        guard isSynthetic else { return [] }
        guard title.isEmpty else {
            guard let number = title.split(separator: " ").last, let work = Int64(number),
                FakeLibrary.title(ofWork: work).lowercased() == title.lowercased()
            else { return [] }
            return [work]
        }
        return FakeLibrary.works(byAuthor: author)
    }
}
