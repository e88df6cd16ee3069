import Formats
import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// Private libraries share a store and no book: each is as if it had a store of its own (Decision 0042).
@Suite struct PrivateLibrariesTests {
    private static let books = [
        ("Dune", "Frank Herbert"), ("Emma", "Jane Austen"), ("Ulysses", "James Joyce"),
        ("Persuasion", "Jane Austen"), ("Middlemarch", "George Eliot"), ("Beloved", "Toni Morrison"),
    ]
    private static let names = ["anna", "ben"]

    private let sample: SampleImport

    init() async throws { sample = try await SampleImport() }

    /// A store with libraries, and what can be done with each of them.
    private struct Store {
        let path: String
        let sample: SampleImport

        func connection() throws -> Connection { try StoreFile.openForReading(path) }

        /// The books of a library as they are exported.
        func books(of library: String) throws -> String {
            let text = Guarded("")
            try Export(connection()).write(.books, as: .json, of: library) { bytes in
                text.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            }
            return text.withLock { $0 }
        }

        func importing(_ rows: [String], into library: String, asking: Bool) async throws -> String {
            var sample = sample
            (sample.library, sample.asksCatalog, sample.batchRecords) = (library, asking, 2)
            sample.files = [try GoodreadsRows.write(rows, to: sample.folder)]
            var request = try sample.request(store: path)
            request.isPrivate = true
            return try await ImportJob(request, clock: ManualClock()).run().job.name
        }

        func set(
            _ field: EditableField, _ value: String, of book: String, in library: String
        ) async throws -> String? {
            try await LibraryEdits(path).edit(
                BookReference(book), library: library, pipeline: "set", [(field, .set([value]))]
            ).job
        }

        func refresh() async throws {
            let request = try RefreshRuns.request(
                path, RefreshOptions(mode: .replace), catalogs: [sample.catalog], name: UUID().uuidString,
                batchRecords: 1)
            _ = try await ImportJob(request, clock: ManualClock()).run()
        }

        func undo(_ job: String) async throws {
            _ = try await ResultsStore(path, clock: ManualClock()).undo(
                UndoRequest(jobs: [job], name: UUID().uuidString))
        }
    }

    private static func row(_ id: Int, title: String? = nil, review: String = "") -> String {
        let book = books[id - 1]
        return GoodreadsRows.row(
            "\(id)", title ?? book.0, book.1, id % 2 == 1 ? GoodreadsRows.isbn(id) : "", date: "2020/01/01",
            review: review)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `a library beside another is what it is alone, after any changes`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let shared = Store(path: sample.folder.file("shared.sqlite"), sample: sample)
        let alone = Dictionary(
            uniqueKeysWithValues: Self.names.map {
                ($0, Store(path: sample.folder.file("\($0).sqlite"), sample: sample))
            })
        /// The last job of each library, in the shared store and in its own.
        var last: [String: (String, String)] = [:]
        for step in 1...12 {
            let library = Self.names[Int.random(in: 0...1, using: &random)]
            let own = try #require(alone[library])
            let id = Int.random(in: 1...6, using: &random)
            switch Int.random(in: 0...6, using: &random) {
            case 0...2,
                _ where last[library] == nil:
                let rows = (1...6).shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random)).map
                {
                    Self.row($0, review: "\(library) \(step)")
                }
                let asking = Bool.random(using: &random)
                last[library] = (
                    try await shared.importing(Array(rows), into: library, asking: asking),
                    try await own.importing(Array(rows), into: library, asking: asking)
                )
            case 3, 4:
                let (field, value) =
                    step % 2 == 0
                    ? (EditableField.title, "\(library)'s \(step)") : (.isbn, GoodreadsRows.isbn(id + 20))
                guard
                    let first = try? await shared.set(field, value, of: "id:\(id)", in: library),
                    let second = try await own.set(field, value, of: "id:\(id)", in: library)
                else { continue }
                last[library] = (first, second)
            case 5:
                try await shared.refresh()
                for store in alone.values where FileManager.default.fileExists(atPath: store.path) {
                    try await store.refresh()
                }
                // A refresh is of all libraries.
                last = last.filter { _ in false }
            default:
                guard let jobs = last.removeValue(forKey: library) else { continue }
                try await shared.undo(jobs.0)
                try await own.undo(jobs.1)
            }
            for (name, store) in alone where FileManager.default.fileExists(atPath: store.path) {
                #expect(
                    try shared.books(of: name) == store.books(of: name), "seed \(seed), step \(step): \(name)"
                )
            }
        }
        #expect(try StoreCheck(shared.connection()).problems().isEmpty)
    }

    @Test func `books are found in their own library, also after the keys were written again`() async throws {
        let store = Store(path: sample.folder.file("shared.sqlite"), sample: sample)
        let isbn = GoodreadsRows.isbn(1)
        for name in Self.names {
            _ = try await store.importing([Self.row(1, title: "\(name)'s Dune")], into: name, asking: false)
        }
        let connection = try StoreFile.openForWriting(store.path)
        try LibraryIndexes.clear(in: connection)
        func work(_ library: String?) throws -> Int64? {
            try BookLocator(store.connection(), library: library).find(key: "isbn:\(isbn)")?.work
        }
        // Read from the rows first, then from the keys.
        for round in 1...2 {
            let (hers, his) = (try work("anna"), try work("ben"))
            #expect(hers != nil && his != nil && hers != his, "\(round)")
            #expect(try work(nil) == hers)
            #expect(try work("default") == nil, "libraries that share books do not find private ones")
            for name in Self.names {
                _ = try await store.importing([Self.row(1, review: "Again.")], into: name, asking: false)
            }
            #expect(try store.connection().number("SELECT count(*) FROM editions") == 2)
        }
    }

    @Test func `a library that shares books stays one, and finds no private ones`() async throws {
        let store = Store(path: sample.folder.file("shared.sqlite"), sample: sample)
        _ = try await store.importing([Self.row(1, title: "Her Diary")], into: "anna", asking: false)
        var request = try sample.request(store: store.path)
        request.reading.files = [try GoodreadsRows.write([Self.row(1)], to: sample.folder)]
        request.catalogPaths = []
        for library in ["default", "second"] {
            request.library = library
            request.freshName = UUID().uuidString
            _ = try await ImportJob(request, clock: ManualClock()).run()
        }
        // A later request does not make it private.
        _ = try await store.importing([Self.row(1), Self.row(3)], into: "second", asking: false)
        #expect(try store.connection().number("SELECT count(*) FROM works") == 3)
        #expect(try !store.books(of: "default").contains("Diary"))
        #expect(try store.books(of: "anna").contains("Her Diary"))
        let edits = try LibraryEdits(store.path)
        let failure = await #expect(throws: ETLError.self) {
            try await edits.merge([BookReference("id:1"), BookReference("isbn:\(GoodreadsRows.isbn(3))")])
        }
        #expect(failure?.kind == .usage, "\(String(describing: failure))")
    }

    @Test func `a library that was removed becomes private when it is imported again`() async throws {
        let store = Store(path: sample.folder.file("shared.sqlite"), sample: sample)
        var request = try sample.request(store: store.path)
        request.reading.files = [try GoodreadsRows.write([Self.row(1)], to: sample.folder)]
        (request.catalogPaths, request.library) = ([], "anna")
        _ = try await ImportJob(request, clock: ManualClock()).run()
        _ = try await ResultsStore(store.path).forget("anna", as: "removal")
        _ = try await store.importing([Self.row(1)], into: "anna", asking: false)
        #expect(try LibraryNames(store.connection()).privateKeyspaces().count == 1)
    }

    @Test func `former keys of works are those of one library`() async throws {
        let store = Store(path: sample.folder.file("shared.sqlite"), sample: sample)
        for name in Self.names {
            _ = try await store.importing([Self.row(1), Self.row(3)], into: name, asking: false)
        }
        let former = "isbn:\(GoodreadsRows.isbn(3))"
        func work(_ library: String) throws -> BookLocator.Found? {
            try BookLocator(store.connection(), library: library).find(key: former)
        }
        let before = try work("ben")
        let hers = try #require(try BookLocator(store.connection(), library: "anna").find(key: former)?.work)
        let survivor = try #require(
            try BookLocator(store.connection(), library: "anna").find(key: "isbn:\(GoodreadsRows.isbn(1))")?
                .work)
        _ = try await ResultsStore(store.path).merge(
            [hers], into: survivor,
            EditRequest(
                [], name: "merge", pipeline: "merge", library: "anna",
                note: EditNote(book: nil, books: 2, fields: 0)))
        #expect(try work("anna")?.work == survivor)
        #expect(try work("ben") == before)
        try await store.undo("merge")
        #expect(try work("anna")?.work == hers)
    }
}
