import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import Database
@testable import Formats
@testable import Jobs
@testable import Queries
@testable import Store

/// Libraries are removed, and histories pruned. A kill leaves the library before or after a change.
@Suite struct ForgetTests {
    private let folder: TemporaryFolder
    private let sample: SampleImport

    init() async throws {
        sample = try await SampleImport()
        folder = sample.folder
    }

    private var path: String { folder.file("s.sqlite") }
    private var dump: String { get throws { try sample.dump("s.sqlite") } }

    private static let dune = GoodreadsRows.row(
        "1", "Dune", "Frank Herbert", "9780441172719", date: "2020/01/01", review: "Anna's secret")
    private static let emma = GoodreadsRows.row("2", "Emma", "Jane Austen", "", date: "2020/01/02")

    private func rows(_ rows: [String], as name: String, in library: String) async throws {
        var sample = sample
        sample.library = library
        sample.files = [try GoodreadsRows.write(rows, to: folder)]
        var request = try sample.request(store: path)
        request.jobName = name
        _ = try await ImportJob(request, clock: ManualClock()).run()
    }

    private func forget(_ library: String, as name: String) async throws -> LibraryChange {
        try await ResultsStore(path, clock: ManualClock()).forget(library, as: name)
    }

    private func undo(_ job: String) async throws -> LibraryChange {
        try await ResultsStore(path, clock: ManualClock()).undo(
            UndoRequest(jobs: [job], name: UUID().uuidString))
    }

    private func checkStore() throws {
        #expect(try StoreCheck(StoreFile.openForReading(path)).problems().isEmpty)
    }

    @Test func `a removed library leaves the others' books, and comes back with an undo`() async throws {
        try await rows([Self.emma], as: "bens", in: "ben")
        let bens = try dump
        try await rows([Self.dune, Self.emma], as: "annas", in: "anna")
        let both = try dump
        let change = try await forget("anna", as: "gone")
        #expect(change.undone.map(\.name) == ["annas"])
        #expect(change.rows.entries.deleted == 2 && change.rows.works.deleted == 1)
        #expect(try dump == bens)
        try checkStore()
        _ = try await undo("gone")
        #expect(try dump == both)
        try checkStore()
    }

    @Test func `an unknown library is named, with the libraries that there are`() async throws {
        try await rows([Self.emma], as: "bens", in: "ben")
        let failure = await #expect(throws: ETLError.self) { try await forget("bne", as: "gone") }
        #expect(failure?.kind == .missing)
        #expect(failure?.message == "The store has no library `bne`.")
    }

    @Test func `after pruning, nothing of a removed library is in the file, and it cannot come back`()
        async throws
    {
        try await rows([Self.emma], as: "bens", in: "ben")
        try await rows([Self.dune], as: "annas", in: "anna")
        // A server keeps the store open.
        let searcher = StoreSearcher(path)
        #expect(BookSearch.updateIndex(of: path) == .current)
        #expect(try await searcher.find(.title("dune")).count == 1)
        for (library, shelf) in [("anna", "Anna's secret"), ("carl", "novels")] {
            let rules = try MappingRules(Array("shelves: {\(shelf): drop}".utf8), named: "rules.yaml")
            try LibraryRules(of: library, in: path).set(rules, now: 0)
        }
        _ = try await forget("anna", as: "gone")
        #expect(try LibraryRules(of: "anna", in: path).file() != nil, "an undo brings all of it back")
        let pruning = try Pruning(of: path, olderThan: 0, now: 1 << 42, waiting: LockWaitPolicy())
        #expect(pruning.forgets && !pruning.isInLog)
        try BookSearch.clearIndex(of: path)
        #expect(try LibraryRules(of: "anna", in: path).file() == nil)
        // Those of a library that is not imported yet stay.
        #expect(try LibraryRules(of: "carl", in: path).file() != nil)
        #expect(pruning.undoneJobs == ["annas"] && pruning.images > 0)
        try checkStore()
        for name in folder.names where name.hasPrefix("s.sqlite") {
            let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
            #expect(bytes.range(of: Data("Anna's secret".utf8)) == nil, "\(name)")
            #expect(bytes.range(of: Data("dune".utf8)) == nil, "\(name)")
        }
        for job in ["gone", "bens"] {
            let failure = await #expect(throws: ETLError.self) { try await undo(job) }
            #expect(failure?.kind == .usage)
        }
    }

    @Test func `an undo that is killed leaves the library as it was before or as it is after`() async throws {
        try await rows([Self.emma], as: "first", in: "ben")
        let first = try dump
        try await rows([Self.dune, Self.emma], as: "second", in: "anna")
        let second = try dump
        let copies = Mutex<[String]>([])
        let (folder, path) = (folder, path)
        let store = try ResultsStore(path, clock: ManualClock()) { point in
            let name =
                switch point {
                case .beforeCommit: "before.sqlite"
                case .afterCommit: "after.sqlite"
                case .written: "written.sqlite"
                case .committing: "committing.sqlite"
                }
            SampleImport.copy(path, to: folder.file(name))
            copies.withLock { $0.append(name) }
        }
        _ = try await store.undo(UndoRequest(jobs: ["second"], name: "back"))
        #expect(copies.withLock { $0 }.suffix(3) == ["before.sqlite", "committing.sqlite", "after.sqlite"])
        #expect(try sample.dump("before.sqlite") == second)
        #expect(try sample.dump("committing.sqlite") == second)
        #expect(try sample.dump("after.sqlite") == first)
        for name in ["before.sqlite", "after.sqlite"] {
            #expect(try StoreCheck(StoreFile.openForReading(folder.file(name))).problems().isEmpty)
        }
    }
}
