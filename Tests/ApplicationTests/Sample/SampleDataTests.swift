import Foundation
import Testing

/// The sample must stay as its README describes it: careless edits fail here instead of in a demo.
@Suite struct SampleDataTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Pipelines/sample").standardized

    private static func lines(_ path: String) throws -> [Substring] {
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: true)
    }

    private struct Dump {
        var records: [String: [String: Any]] = [:]
        var redirects: [String: String] = [:]
        var broken: [Int] = []

        init(_ path: String) throws {
            for (index, line) in try SampleDataTests.lines(path).enumerated() {
                let columns = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
                guard columns.count == 5,
                    let object = try? JSONSerialization.jsonObject(with: Data(columns[4].utf8)),
                    let record = object as? [String: Any]
                else {
                    broken.append(index + 1)
                    continue
                }
                switch columns[0] {
                case "/type/redirect": redirects[String(columns[1])] = record["location"] as? String
                case "/type/delete": break
                default: records[String(columns[1])] = record
                }
            }
        }

        func holds(_ key: String) -> Bool { records[redirects[key] ?? key] != nil }
    }

    private static func keys(_ value: Any?) -> [String] {
        (value as? [[String: Any]] ?? []).compactMap { entry in
            if let author = entry["author"] as? [String: Any] { return author["key"] as? String }
            return entry["author"] as? String ?? entry["key"] as? String
        }
    }

    @Test func `the dumps refer only to records they contain, and exactly three lines are broken`() throws {
        let editions = try Dump("catalog/ol_dump_editions.txt")
        let works = try Dump("catalog/ol_dump_works.txt")
        let authors = try Dump("catalog/ol_dump_authors.txt")
        #expect(editions.broken == [41, 96, 121])
        #expect(works.broken.isEmpty && authors.broken.isEmpty)
        #expect(editions.records.count == 165 && works.records.count == 148 && authors.records.count == 127)
        for (key, edition) in editions.records {
            #expect(Self.keys(edition["works"]).allSatisfy(works.holds), "\(key) names no known work")
            #expect(Self.keys(edition["authors"]).allSatisfy(authors.holds), "\(key) names no known author")
        }
        for (key, work) in works.records {
            let named = Self.keys(work["authors"])
            #expect(!named.isEmpty && named.allSatisfy(authors.holds), "\(key) names no known author")
        }
    }

    @Test func `the Wikidata dump has one person per line, and authors name only these`() throws {
        let lines = try Self.lines("catalog/wikidata_humans.json")
        #expect(lines.first == "[" && lines.last == "]")
        let entities = lines.dropFirst().dropLast()
        #expect(entities.dropLast().allSatisfy { $0.hasSuffix(",") } && entities.last?.hasSuffix("}") == true)
        var items: Set<String> = []
        for line in entities {
            let json = line.hasSuffix(",") ? line.dropLast() : line
            let entity = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
            items.insert(try #require(entity?["id"] as? String))
        }
        #expect(items.count == 121)
        for (key, author) in try Dump("catalog/ol_dump_authors.txt").records {
            guard let item = (author["remote_ids"] as? [String: String])?["wikidata"] else { continue }
            #expect(items.contains(item), "\(key) names \(item), which is not there")
        }
    }

    @Test func `the exports keep their line ends and columns`() throws {
        let folder = Self.folder
        let current = try Data(contentsOf: folder.appending(path: "goodreads_library_export.csv"))
        #expect(!current.contains(0x0D) && current.count { $0 == 0x0A } == 141)
        let old = try Data(contentsOf: folder.appending(path: "goodreads_2015.csv"))
        #expect(old.count { $0 == 0x0D } == 9 && old.count { $0 == 0x0A } == 9)
        let header = try Self.lines("goodreads_library_export.csv")[0]
        #expect(header.split(separator: ",").count == 24)
        #expect(try Self.lines("goodreads_newer.csv")[0] == header)
    }
}
