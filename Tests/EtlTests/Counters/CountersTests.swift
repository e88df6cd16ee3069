import Books
import Foundation
import TestSupport
import Testing

/// Limits for the cost of an import per record and per batch, in counts that do not depend on the load of the
/// machine. Two files are imported, and the difference is divided by the difference of their records, so that
/// start and end of a run do not count.
@Suite(
    .serialized,
    .enabled(
        if: CountedRun.isPossible, "needs the built tool and the library that counts, without a sanitizer"))
struct CountersTests {
    /// An optimized tool allocates once where a debug build allocates hundreds of times. Counts vary by less
    /// than a tenth of a percent from run to run.
    private static let isOptimized = CountedRun.tool != ProjectFiles.tool

    private let folder: TemporaryFolder
    private let few = 2_048
    private let many = 6_144

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `new records cost few statements, bytes and allocations`() throws {
        let cost = try cost { (file: String, store: String) in
            try CountedRun(["import", "--quiet", "--offline", "--db", store, file], in: folder)
        }
        #expect(cost.statements < 0.1)
        // A transaction ends after five seconds, which on a busy machine a debug build needs for few batches.
        #expect(cost.bytes < (Self.isOptimized ? 900 : 1_600))
        #expect(cost.allocations < (Self.isOptimized ? 0.6 : 739))
        // A batch passes through eight tasks; the sink's task resumes up to five times: for the batch, to and
        // from writing, and to and from committing.
        #expect(cost.jobsOfBatch < 16)
    }

    @Test func `unchanged records cost almost no writes`() throws {
        let cost = try cost { (file: String, store: String) in
            let arguments = ["import", "--quiet", "--offline", "--db", store, file]
            _ = try CountedRun(arguments, in: folder)
            return try CountedRun(arguments, in: folder)
        }
        #expect(cost.statements < 0.5)
        // A sink that keeps up commits each batch: two pages of 16 KiB for 512 records, and a header of the
        // log.
        #expect(cost.bytes < 140)
        #expect(cost.allocations < (Self.isOptimized ? 3 : 596))
        #expect(cost.jobsOfBatch < 16)
    }

    @Test func `changed records write each of their pages a few times`() throws {
        let cost = try cost { (file: String, store: String) in
            let arguments = ["import", "--quiet", "--offline", "--db", store]
            _ = try CountedRun(arguments + [file], in: folder)
            let newer = try String(contentsOfFile: file, encoding: .utf8)
                .replacing(",to-read\n", with: ",read\n").replacing(",House ", with: ",Publishing House ")
            return try CountedRun(arguments + [folder.write(newer, to: "newer.csv")], in: folder)
        }
        // Statements that fire triggers copied up to fourteen pages of 16 KiB to a temporary file.
        #expect(cost.bytes < 5_000)
        #expect(cost.statements < 14.2)
        #expect(cost.allocations < (Self.isOptimized ? 210 : 1_157))
    }

    /// The cost of one more record, and of one more batch of 512.
    private struct Cost {
        let allocations, statements, bytes, jobsOfBatch: Double
    }

    private func cost(of run: (_ file: String, _ store: String) throws -> CountedRun) throws -> Cost {
        let runs = try [few, many].map { count in
            try run(
                folder.write(Self.export(records: count), to: "\(count).csv"),
                folder.file("\(count)-\(UUID().uuidString).sqlite"))
        }
        func each(_ count: KeyPath<CountedRun, Int>) -> Double {
            Double(runs[1][keyPath: count] - runs[0][keyPath: count]) / Double(many - few)
        }
        return Cost(
            allocations: each(\.allocations), statements: each(\.statements), bytes: each(\.bytes),
            jobsOfBatch: each(\.jobs) * 512)
    }

    /// A Goodreads export of distinct books.
    private static func export(records: Int) -> String {
        var text =
            "Book Id,Title,Author,ISBN13,My Rating,Publisher,Year Published,Bookshelves,Exclusive Shelf\n"
        for number in 1...records {
            let twelve = 978_000_000_000 + 7 * number
            let check = ISBNCheckDigit.ofThirteen(Int64(twelve))
            text +=
                "\(number),The Book of \(number) Days,Author \(number / 3) Surname,\(twelve)\(check),"
                + "\(number % 6),House \(number % 50),\(1_950 + number % 70),\"to-read, fantasy\",to-read\n"
        }
        return text
    }
}
