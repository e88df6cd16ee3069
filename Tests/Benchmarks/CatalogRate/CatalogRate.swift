import Books
import Bytes
import Foundation
import Sources
import System
import TestSupport

/// `catalog-rate`: how fast a catalog answers, through the code that an import and `etl search` use.
@main
enum CatalogRate {
    static let usage = """
        usage: catalog-rate look-up CATALOG COUNT
               catalog-rate search CATALOG COUNT

          look-up   COUNT lookups by ISBN in random batches of 4,096, four of five of them known
          search    COUNT searches for two or three words of a work's title, one in five with a typo

        """

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]), count > 0 else { return refuse(usage) }
        do {
            switch arguments[1] {
            case "look-up": try await lookUp(arguments[2], count)
            case "search": try await search(arguments[2], count)
            default: refuse(usage)
            }
        } catch {
            refuse("catalog-rate: \(error)\n")
        }
    }

    private static func refuse(_ sentence: String) {
        FileHandle.standardError.write(Data(sentence.utf8))
        exit(64)
    }

    // MARK: Lookup

    /// Batches are answered twice; only the second pass counts, with the catalog in the page cache.
    private static func lookUp(_ path: String, _ count: Int) async throws {
        let known = try KnownISBNs(path)
        let catalog = try Catalog(path)
        let clock = SystemClock()
        for pass in 1...2 {
            var keys = known.keys()
            var hits = 0
            var bytes = 0
            var asking: UInt64 = 0
            var left = count
            while left > 0 {
                let size = min(left, 4_096)
                let queries = (0..<size).compactMap { _ in
                    keys.next().map { BookQueries.Query.isbn($0) }
                }
                left -= size
                let began = clock.nanoseconds()
                let answers = try await catalog.answer(BookQueries(queries: queries))
                asking += clock.nanoseconds() - began
                hits += answers.answers.reduce(0) { $0 + ($1.outcome == .found ? 1 : 0) }
                bytes += answers.arena.byteCount
            }
            let rate = Int(Double(count) / (Double(asking) / 1e9))
            if pass == 2 { print("lookups/s \(rate) hits \(hits) bytes \(bytes)") }
        }
    }

    // MARK: Search

    private static func search(_ path: String, _ count: Int) async throws {
        let known = try KnownISBNs(path)
        let catalog = try Catalog(path)
        let clock = SystemClock()
        var keys = known.keys()
        var queries: [String] = []
        var draws = SeededGenerator(seed: 5)
        while queries.count < count {
            let asked = (0..<512).compactMap { _ in keys.next().map { BookQueries.Query.isbn($0) } }
            let answers = try await catalog.answer(BookQueries(queries: asked))
            for answer in answers.answers where answer.outcome == .found && queries.count < count {
                let title = answers.values[answer.values].first {
                    $0.field == .title || $0.field == .editionTitle
                }
                guard let title else { continue }
                queries.append(Self.words(of: answers.arena[title.value], &draws))
            }
        }
        // One pass to warm up, one to measure.
        var times: [UInt64] = []
        var found = 0
        for pass in 1...2 {
            for query in queries {
                let began = clock.nanoseconds()
                let findings = try await catalog.search(title: query, author: "")
                if pass == 2 {
                    times.append(clock.nanoseconds() - began)
                    if !findings.scores.isEmpty { found += 1 }
                }
            }
        }
        times.sort()
        let milliseconds = [50, 95, 99, 100].map { percent in
            "p\(percent) \(Double(times[max(0, times.count * percent / 100 - 1)] / 1_000) / 1_000) ms"
        }
        print("searches \(count) found \(found) \(milliseconds.joined(separator: " "))")
    }

    /// Two or three words of a title; in one of five titles two neighbouring letters are swapped.
    private static func words(of title: String, _ draws: inout SeededGenerator) -> String {
        var words = title.split(separator: " ").map(String.init)
        words.shuffle(using: &draws)
        words = Array(words.prefix(Int.random(in: 2...3, using: &draws)))
        if Int.random(in: 0..<5, using: &draws) == 0,
            let longest = words.indices.max(by: { words[$0].count < words[$1].count })
        {
            var letters = Array(words[longest])
            if letters.count > 4 { letters.swapAt(1, 2) }
            words[longest] = String(letters)
        }
        return words.joined(separator: " ")
    }
}
