import Books
import Jobs
import Store
import Syntax
import TestSupport

@testable import Server

/// Reads an input as something that a client sends to the server. The first byte chooses what: in the seeds it is a
/// digit.
enum RequestTarget {
    private static let readers: [@Sendable ([UInt8]) -> Void] = [
        readForm, readFrames, readHead, readAddresses, readBooks, readFields, SearchedWords.read,
    ]

    static func read(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        readers[Int(first &- UInt8(ascii: "0")) % readers.count](Array(bytes.dropFirst()))
    }

    // MARK: Forms with files

    /// The first line is the content type. The parts must not depend on where the body is cut.
    private static func readForm(_ bytes: [UInt8]) {
        let type = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
        let body = Array(bytes.dropFirst(type.utf8.count + 1))
        _ = MultipartParser.isForm(type)
        guard let parser = try? MultipartParser(contentType: type) else { return }
        let whole = parts(body, parser, piece: max(1, body.count))
        for piece in [1, 1 + bytes.count % 61] {
            demand(parts(body, parser, piece: piece) == whole, "a form differs when it is cut elsewhere")
        }
    }

    private static func parts(
        _ body: [UInt8], _ parser: MultipartParser, piece: Int
    ) -> Result<[MultipartParser.Event], MultipartParser.Failure> {
        var parser = parser
        var events: [MultipartParser.Event] = []
        do throws(MultipartParser.Failure) {
            for cut in pieces(body, of: piece) {
                for event in try parser.take(cut) {
                    if case .bytes(let more) = event, case .bytes(let before) = events.last {
                        events[events.count - 1] = .bytes(before + more)
                    } else {
                        events.append(event)
                    }
                }
            }
            try parser.finish()
        } catch {
            return .failure(error)
        }
        var isOpen = false
        for event in events {
            if case .begin = event {
                demand(!isOpen, "a part begins in another one")
                isOpen = true
            } else {
                demand(isOpen, "there is something outside of a part")
                if event == .end { isOpen = false }
            }
        }
        return .success(events)
    }

    static func pieces(_ bytes: [UInt8], of size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    // MARK: JSON

    /// The first line is the header field with the key, the rest the body.
    private static func readBooks(_ bytes: [UInt8]) {
        let header = String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
        let body = Array(bytes.dropFirst(header.utf8.count + 1))
        if case .success(let request) = RequestedBooks.read(body) {
            let books = request.books
            let records = ReferenceCSVParser.parse(RequestedBook.table(books)).dropFirst()
            let texts = books.map { [Array($0.isbn.utf8), Array($0.title.utf8), Array($0.author.utf8)] }
            demand(records.map(\.cells) == texts, "a table of requested books says something else")
        }
        if case .success(let request) = BarcodeRequest.read(body, key: header.isEmpty ? nil : header) {
            var json = JSONWriter()
            json.object { json in
                json.field("barcode", request.isbn.isbn13)
                json.field("idempotencyKey", request.key)
                json.field("preferProvider", request.preferred?.contractName)
            }
            let again = BarcodeRequest.read(json.bytes, key: request.key)
            demand((try? again.get()) == request, "a look-up that is asked again is another one")
        }
        var session = SocketSession(job: "job", pipeline: .csvImport, now: 0)
        for action in session.receive(body, now: 1, time: 1) where action == .close(.protocolError) {
            demand(session.receive(body, now: 2, time: 2).isEmpty, "a closed session answers")
        }
    }

    // MARK: Fields

    private static func readFields(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if JobName.isValid(text) { demand(escaped(text) == text, "a job's name needs escapes in a URL") }
        guard let fields = try? EscapedText.fields(bytes) else { return }
        let form = fields.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
        let again = try? EscapedText.fields(Array(form.utf8))
        demand(again?.elementsEqual(fields, by: ==) ?? false, "the fields of a form are not read back")
        var options = ImportOptions(.files, job: "job")
        for (name, value) in fields where options.set(name, value) == nil {
            demand(options.set(name, value) == nil, "a field is refused the second time")
        }
        _ = try? options.reading(of: ["a.csv"], limit: nil)
        for (name, value) in fields {
            guard let field = EditableField(named: name), let values = try? field.values(of: value) else {
                continue
            }
            demand(
                (try? field.values(of: values.joined(separator: "; "))) == values,
                "\(field) is something else as it is shown")
        }
    }

    static func escaped(_ text: String) -> String { PageLink.escaped(text) }
}
