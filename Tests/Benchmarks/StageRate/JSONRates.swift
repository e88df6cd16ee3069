import Books
import Contract
import Foundation
import Services
import Sources
import Syntax
import System

/// Reading a response of Open Library and writing a result, with etl's code and with Foundation's coders.
struct JSONRates {
    private let answer: [UInt8]
    private let isbns: [String]
    private static let rounds = 7
    private static let turns = 200

    /// - Parameter editions: Uncompressed lines of a dump; the first fifty with an ISBN-13 make up the
    /// response.
    init(editions path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path), let head = try file.read(upToCount: 1 << 20)
        else { throw ETLError(.missing, "\(path) cannot be read.") }
        var (members, isbns): ([String], [String]) = ([], [])
        for line in String(decoding: head, as: UTF8.self).split(separator: "\n") where isbns.count < 50 {
            guard let json = line.split(separator: "\t").last,
                let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any],
                let isbn = (object["isbn_13"] as? [String])?.first
            else { continue }
            isbns.append(isbn)
            members.append("\"ISBN:\(isbn)\": {\"bib_key\": \"ISBN:\(isbn)\", \"details\": \(json)}")
        }
        self.isbns = isbns
        answer = Array("{\(members.joined(separator: ", "))}".utf8)
    }

    func print() throws {
        try printDecoding()
        try printEncoding()
    }

    private func printDecoding() throws {
        let service = OpenLibraryService(ServiceEndpoint("http://localhost"), isIdentified: true)
        let data = Data(answer)
        let decoder = JSONDecoder()
        let known = isbns.count
        try compare("decode", bytes: answer.count) {
            guard case .answers(let parts) = service.read(answer, .isbn, isbns),
                parts.allSatisfy({ if case .found = $0 { true } else { false } })
            else { throw ETLError(.bug, "The response cannot be read.") }
        } peer: {
            guard try decoder.decode([String: CodableEdition.Answer].self, from: data).count == known else {
                throw ETLError(.bug, "The response cannot be read.")
            }
        }
    }

    private func printEncoding() throws {
        let book = Self.book
        var writer = JSONWriter()
        book.write(into: &writer)
        let model = try JSONDecoder().decode(CodableBook.self, from: Data(writer.bytes))
        let encoder = JSONEncoder()
        let length = writer.bytes.count
        var bytes = 0
        try compare("encode", bytes: length) {
            for _ in 0..<50 {
                writer.restart()
                book.write(into: &writer)
                bytes += writer.bytes.count
            }
        } peer: {
            for _ in 0..<50 { bytes += try encoder.encode(model).count }
        }
        guard bytes > 0 else { throw ETLError(.bug, "Nothing was written.") }
    }

    /// Alternates both and prints the median ratio of their CPU time.
    private func compare(_ name: String, bytes: Int, ours: () throws -> Void, peer: () throws -> Void) throws
    {
        var ratios: [Double] = []
        for round in 0...Self.rounds {
            let one = try Self.cost(ours)
            let other = try Self.cost(peer)
            if round > 0 { ratios.append(one / other) }
        }
        ratios.sort()
        Swift.print(
            "\(name), \(bytes) bytes: CPU to Foundation's: median \(ratios[ratios.count / 2])"
                + " (\(ratios[0]) to \(ratios[ratios.count - 1]))")
    }

    private static func cost(_ body: () throws -> Void) throws -> Double {
        let began = ProcessTime.seconds
        for _ in 0..<turns { try body() }
        return ProcessTime.seconds - began
    }

    private static var book: BookDTO {
        var book = BookDTO(
            isbn: "9780441478125", title: "The Map of a Long Summer",
            authors: ["Ada Winterbourne", "José María Peña"], categories: ["Fiction", "Science Fiction"])
        book.isbn13 = "9780441478125"
        book.publisher = "Harbour & Sons"
        book.publishedDate = "1987-03-15"
        book.description = String(
            repeating: "In a town where nobody has ever closed a door, a \"stranger\" asks for the way.\n",
            count: 6)
        book.pageCount = 304
        book.language = "en"
        book.coverUrl = "https://covers.example.org/b/id/777-L.jpg"
        book.averageRating = 4.25
        book.ratingsCount = 1_234
        return book
    }
}
