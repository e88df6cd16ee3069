import Foundation
import TestSupport

/// The dumps that Open Library publishes each month, in their proportions: 55 editions to 40 works to 14
/// authors. The counts are estimates; Open Library publishes none.
///
/// Two in five editions have no ISBN. A few works have a thousand editions and most have one. One work in 25
/// is a second record of another. Some lines are cut off, some records redirect or are deleted.
struct OpenLibraryDumps {
    /// Editions in the first month.
    let editions: Int
    let seed: UInt64
    /// 1 or later. Each month one record in fifty is changed, and one edition in 200 is new.
    let month: Int

    private let library: GeneratedLibrary

    init(editions: Int, seed: UInt64, month: Int) {
        self.editions = editions
        self.seed = seed
        self.month = month
        library = GeneratedLibrary(
            records: editions, seed: seed, isbnPercent: 60, isDistinct: true, repeats: nil)
    }

    private var works: Int { max(2, editions * 40 / 55) }
    private var authors: Int { max(1, editions * 14 / 55) }

    /// Writes the dumps into a folder.
    func write(to folder: String) throws(GenerationFailure) {
        let allEditions = editions + editions / 200 * (month - 1)
        try write("editions", allEditions, to: folder) { number, version, line in
            DumpLines.appendEdition(edition(number), version, to: &line)
        }
        try write("works", works, to: folder) { number, version, line in
            DumpLines.appendWork(firstBook(ofWork: number), version, to: &line)
        }
        try write("authors", authors, to: folder) { number, version, line in
            DumpLines.appendAuthor(number, version, to: &line)
        }
        // Keys above those of the works: records that were merged into them.
        try write("redirects", editions / 20, to: folder) { number, version, line in
            DumpLines.appendRedirect(works + number, to: number % works, version, to: &line)
        }
        try write("deletes", editions / 50, to: folder) { number, version, line in
            DumpLines.appendDelete(works + editions / 20 + number, version, to: &line)
        }
    }

    private func write(
        _ name: String, _ count: Int, to folder: String,
        _ append: (_ number: Int, _ version: DumpLines.Version, _ line: inout [UInt8]) -> Void
    ) throws(GenerationFailure) {
        var file = try OutputFile("\(folder)/ol_dump_\(name).txt")
        for number in KeyOrder(count: count) {
            let version = version(of: number)
            try file.write { bytes in
                let start = bytes.count
                append(number, version, &bytes)
                // A line in ten thousand is cut off.
                if let draw = version.draw, draw % 10_000 == 0 {
                    bytes.removeLast((bytes.count - start) / 2)
                    bytes.append(UInt8(ascii: "\n"))
                }
            }
        }
        try file.flush()
    }

    /// The state of a record in this month.
    private func version(of number: Int) -> DumpLines.Version {
        var draws = DumpLines.Version.draws(of: number, seed: seed)
        let draw = draws.upTo(1_000_000)
        var version = DumpLines.Version(revision: 1 + draws.upTo(8), draw: draw)
        version.age(to: month, &draws)
        return version
    }

    private func edition(_ number: Int) -> GeneratedBook {
        var book = library.book(number, ofWork: number < works ? number : popularWork(number))
        book.title = titleWork(book.work)
        return book
    }

    private func firstBook(ofWork work: Int) -> GeneratedBook {
        var book = library.book(work, ofWork: work)
        book.title = titleWork(work)
        return book
    }

    /// The work of an edition that is not the first of its work. The popularity of works follows the law of
    /// Zipf and Mandelbrot: the most popular one has about a thousand of 55 million editions.
    private func popularWork(_ edition: Int) -> Int {
        var draws = SeededGenerator(seed: ~seed &+ UInt64(edition))
        let offset = max(1, Double(works) / 40_000)
        let share = Double(draws.upTo(1 << 30)) / Double(1 << 30)
        return min(works - 1, Int(offset * (pow(Double(works) / offset + 1, share) - 1)))
    }

    /// The work whose title a work has: one in 25 is a second record of the one before.
    private func titleWork(_ work: Int) -> Int { work % 25 == 24 ? work - 1 : work }
}

/// The numbers from 0, ordered by the text of the next number, as the keys in a dump are: 0, 9, 99, 1, 10.
private struct KeyOrder: Sequence, IteratorProtocol {
    let count: Int
    private var current = 0

    init(count: Int) { self.count = count }

    mutating func next() -> Int? {
        guard count > 0 else { return nil }
        if current == 0 {
            current = 1
        } else if current * 10 <= count {
            current *= 10
        } else {
            while current % 10 == 9 || current + 1 > count { current /= 10 }
            current += 1
            // The number after 9 is the end.
            if current == 1 { return nil }
        }
        return current - 1
    }
}
