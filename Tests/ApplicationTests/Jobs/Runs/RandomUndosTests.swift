import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// Random imports and undos, compared with the dumps after each step. A failure names the seed.
@Suite struct RandomUndosTests {
    /// A generator whose sequence is determined by its seed.
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
            return bits ^ bits >> 31
        }
    }

    private static let titles = ["Dune", "Emma", "Ulysses", "Dune Messiah", "Persuasion", "Middlemarch"]
    private static let authors = ["Frank Herbert", "Jane Austen", "James Joyce", "George Eliot"]
    private static let isbns = [
        "9780441172719", "9780141439587", "9780679722762", "9780340960196", "", "", "",
    ]

    /// Rows that share ids, ISBNs, titles and authors at random, so that works are created, updated, merged
    /// and left.
    private static func rows(_ random: inout Random) -> [String] {
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
            let id = Int.random(in: 1...6, using: &random)
            return GoodreadsRows.row(
                "\(id)", titles.randomElement(using: &random) ?? "",
                authors.randomElement(using: &random) ?? "",
                isbns.randomElement(using: &random) ?? "",
                date: "202\(Int.random(in: 0...4, using: &random))/01/01",
                review: ["", "Good", "Bad"].randomElement(using: &random) ?? "")
        }
    }

    private func undo(_ job: String, in store: String, withLater: Bool = false) async throws -> LibraryChange
    {
        try await ResultsStore(store, clock: ManualClock()).undo(
            UndoRequest(jobs: [job], withLater: withLater, name: UUID().uuidString))
    }

    private func check(_ store: String, _ seed: UInt64) throws {
        #expect(try StoreCheck(StoreFile.openForReading(store)).problems().isEmpty, "seed \(seed)")
    }

    private func run(_ seed: UInt64, _ sample: SampleImport) async throws {
        var random = Random(state: seed)
        let store = sample.folder.file("\(seed).sqlite")
        var sample = sample
        var steps: [(job: String, before: String)] = []
        var dump = ""
        for _ in 0..<Int.random(in: 2...6, using: &random) {
            sample.library = ["default", "her"].randomElement(using: &random) ?? ""
            sample.asksCatalog = Bool.random(using: &random)
            sample.files = [try GoodreadsRows.write(Self.rows(&random), to: sample.folder)]
            var request = try sample.request(store: store)
            // Random files have random days.
            request.isSamePerson = true
            let job = try await ImportJob(request, clock: ManualClock()).run().job.name
            steps.append((job, dump))
            dump = try StoreFile.openForReading(store).canonicalDump()
        }
        let last = dump
        // An earlier job: either refused and nothing changes, or undone with those that built on it.
        if let early = steps.dropLast().randomElement(using: &random) {
            do {
                let undone = try await undo(early.job, in: store)
                #expect(undone.undone.count == 1)
                try check(store, seed)
                _ = try await undo(#require(undone.job).name, in: store)
            } catch let failure as ETLError where failure.kind == .conflict {}
            #expect(try StoreFile.openForReading(store).canonicalDump() == last, "seed \(seed)")
            let undone = try await undo(early.job, in: store, withLater: true)
            try check(store, seed)
            _ = try await undo(#require(undone.job).name, in: store)
            #expect(try StoreFile.openForReading(store).canonicalDump() == last, "seed \(seed)")
        }
        for step in steps.reversed() {
            let after = try StoreFile.openForReading(store).canonicalDump()
            let undone = try await undo(step.job, in: store)
            #expect(try StoreFile.openForReading(store).canonicalDump() == step.before, "seed \(seed)")
            try check(store, seed)
            guard Bool.random(using: &random) else { continue }
            _ = try await undo(#require(undone.job).name, in: store)
            #expect(try StoreFile.openForReading(store).canonicalDump() == after, "seed \(seed)")
            _ = try await undo(step.job, in: store)
            #expect(try StoreFile.openForReading(store).canonicalDump() == step.before, "seed \(seed)")
        }
    }

    @Test func `after each undo the library is as before, whatever was imported`() async throws {
        let sample = try await SampleImport()
        let first = ProcessInfo.processInfo.environment["ETL_UNDO_SEED"].flatMap { UInt64($0) }
        let count = UInt64(Dose.count(10, full: 40, variable: "ETL_UNDO_COUNT"))
        for seed in (first ?? 1)..<(first.map { $0 + 1 } ?? count + 1) { try await run(seed, sample) }
    }

    /// Editions that a later job left without entries were once removed for the undo's own job.
    @Test(arguments: [200, 387]) func `sequences that failed once stay right`(seed: UInt64) async throws {
        try await run(seed, SampleImport())
    }
}
