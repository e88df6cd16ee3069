import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import Database
@testable import Jobs
@testable import Queries
@testable import Store

/// Random imports, refreshes, edits, removals, merges, splits, undos and redos, compared with a small model after
/// each step, and with the dumps of earlier steps after each undo. Jobs are killed at random commits and continued.
///
/// A failure names the seed: `ETL_EDIT_SEED=7 swift test --filter RandomEditsTests`. `ETL_EDIT_COUNT=500` runs more.
@Suite struct RandomEditsTests {
    /// Expected contents of the library.
    private struct Model: Equatable {
        struct Entry: Equatable {
            var review = ""
            var date = ""
            var isLocked = false
            /// Books with the same number are one work.
            var work: Int
        }

        var entries: [Int: Entry] = [:]
        var removed: Set<Int> = []

        mutating func read(_ id: Int, review: String, date: String) {
            if removed.contains(id) { return }
            var entry = entries[id] ?? Entry(work: id)
            if !entry.isLocked { entry.review = review }
            entry.date = date
            entries[id] = entry
        }

        mutating func split(_ id: Int, as work: Int) { entries[id]?.work = work }

        mutating func merge(_ id: Int, into other: Int) {
            guard let (from, to) = entries[id].flatMap({ a in entries[other].map { (a.work, $0.work) } })
            else { return }
            for key in entries.keys where entries[key]?.work == from { entries[key]?.work = to }
        }
    }

    /// A step that can be undone, or restored.
    private struct Step {
        var job: String
        /// The job that undid it.
        var undo: String?
        /// The state after it is undone, or restored.
        var model: Model
        var dump: String
    }

    private static let titles = ["Dune", "Emma", "Ulysses", "Persuasion", "Middlemarch", "Beloved"]
    private static let authors = [
        "Frank Herbert", "Jane Austen", "James Joyce", "Jane Austen", "George Eliot", "Toni Morrison",
    ]

    private func run(_ seed: UInt64, _ library: EditedLibrary) async throws {
        var random = SeededGenerator(seed: seed)
        let (folder, path) = (library.folder, library.folder.file("\(seed).sqlite"))
        var library = library.sample
        (library.batchRecords, library.batchesPerCommit) = (2, 1)
        var (model, dump, day, works) = (Model(), "", 0, 100)
        var done: [Step] = []
        var undone: [Step] = []

        func edit(_ body: (LibraryEdits) async throws -> String?) async throws -> String? {
            let copy = folder.file("copy.sqlite")
            let edits = try LibraryEdits(path) { point in
                if point == .beforeCommit(batch: 0) { SampleImport.copy(path, to: copy) }
            }
            let job = try await body(edits)
            // A kill at this moment leaves the library as it was.
            if job != nil {
                #expect(try StoreFile.openForReading(copy).canonicalDump() == dump, "seed \(seed)")
            }
            return job
        }
        func undo(_ job: String) async throws -> String {
            let (copy, before) = (folder.file("copy.sqlite"), dump)
            let store = try ResultsStore(path, clock: ManualClock()) { point in
                if point == .beforeCommit(batch: 0) { SampleImport.copy(path, to: copy) }
            }
            let change = try await store.undo(UndoRequest(jobs: [job], name: UUID().uuidString))
            #expect(try StoreFile.openForReading(copy).canonicalDump() == before, "seed \(seed)")
            return try #require(change.job).name
        }
        /// Runs a job. A copy of the store as a kill at one of the commits would leave it is brought to the same end.
        func run(_ request: ImportRequest) async throws -> String {
            let (copy, before) = (folder.file("killed.sqlite"), dump)
            let kill = Int.random(in: 0...12, using: &random)
            let commits = Mutex(0)
            let job = try await ImportJob(
                request, clock: ManualClock(),
                observingCommits: { point in
                    if case .written = point { return }
                    let isNow = commits.withLock { count in
                        defer { count += 1 }
                        return count == kill
                    }
                    if isNow { SampleImport.copy(path, to: copy) }
                }
            ).run().job.name
            guard commits.withLock({ $0 > kill }) else { return job }
            var again = request
            again.storePath = copy
            // Killed before the first commit, there may be no store yet.
            let left = try? JobTable(StoreFile.openForReading(copy)).all().first { $0.name == job }
            if left?.status != .completed {
                _ = try await ImportJob(again, clock: ManualClock()).run()
            }
            let whole = try StoreFile.openForReading(path).canonicalDump()
            #expect(
                try StoreFile.openForReading(copy).canonicalDump() == whole, "seed \(seed), killed at \(kill)"
            )
            _ = try await ResultsStore(copy, clock: ManualClock()).undo(
                UndoRequest(jobs: [job], name: UUID().uuidString))
            #expect(
                try StoreFile.openForReading(copy).canonicalDump() == before,
                "seed \(seed), killed at \(kill)")
            return job
        }

        for _ in 0..<Int.random(in: 6...14, using: &random) {
            let (modelBefore, dumpBefore) = (model, dump)
            var job: String?
            let ids = model.entries.keys.sorted()
            switch Int.random(in: 0..<14, using: &random) {
            case 0...2,
                _ where ids.isEmpty && done.isEmpty:
                day += 1
                let date = "2020/\(1 + day / 28)/\(1 + day % 28)"
                var rows: [String] = []
                for id in (1...6).shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random)) {
                    let review = ["", "good", "bad", "long"].randomElement(using: &random) ?? ""
                    rows.append(
                        GoodreadsRows.row(
                            "\(id)", Self.titles[id - 1], Self.authors[id - 1],
                            id % 2 == 1 ? GoodreadsRows.isbn(id) : "", date: date, review: review))
                    let written = date.split(separator: "/").map { $0.count == 1 ? "0\($0)" : "\($0)" }
                    model.read(id, review: review, date: written.joined(separator: "-"))
                }
                library.asksCatalog = Bool.random(using: &random)
                library.files = [try GoodreadsRows.write(rows, to: folder)]
                var request = try library.request(store: path)
                request.isPrivate = seed.isMultiple(of: 2)
                job = try await run(request)
            case 3, 4:
                guard let id = ids.randomElement(using: &random) else { continue }
                let review = ["", "mine", "ours"].randomElement(using: &random) ?? ""
                job = try await edit {
                    try await $0.edit(
                        BookReference("id:\(id)"), library: nil, pipeline: "set",
                        [(.review, .set(review.isEmpty ? [] : [review]))]
                    ).job
                }
                if job != nil {
                    model.entries[id]?.review = review
                    model.entries[id]?.isLocked = true
                }
            case 5:
                guard let id = ids.randomElement(using: &random) else { continue }
                let isLocked = Bool.random(using: &random)
                job = try await edit {
                    try await $0.edit(
                        BookReference("id:\(id)"), library: nil, pipeline: "lock",
                        [(.review, isLocked ? .lock : .unlock)]
                    ).job
                }
                model.entries[id]?.isLocked = isLocked
            case 6:
                guard let id = ids.randomElement(using: &random) else { continue }
                job = try await edit {
                    try await $0.remove(BookReference("id:\(id)"), library: nil).change.job?.name
                }
                model.entries[id] = nil
                model.removed.insert(id)
            case 7:
                guard let id = ids.randomElement(using: &random),
                    let other = ids.randomElement(using: &random),
                    model.entries[id]?.work != model.entries[other]?.work
                else { continue }
                job = try await edit {
                    try await $0.merge([BookReference("id:\(other)"), BookReference("id:\(id)")]).job
                }
                model.merge(id, into: other)
            case 8:
                guard let id = ids.randomElement(using: &random), let work = model.entries[id]?.work,
                    model.entries.contains(where: { $0.key != id && $0.value.work == work })
                else { continue }
                job = try await edit { try await $0.split([BookReference("id:\(id)")]).job }
                works += 1
                model.split(id, as: works)
            case 9:
                guard let id = ids.randomElement(using: &random) else { continue }
                works += 1
                let isbn = GoodreadsRows.isbn(works)
                job = try await edit {
                    try await $0.edit(
                        BookReference("id:\(id)"), library: nil, pipeline: "set", [(.isbn, .set([isbn]))]
                    ).job
                }
            case 10, 11:
                if ids.isEmpty { continue }
                var options = RefreshOptions(
                    mode: RefreshOptions.Mode.allCases.randomElement(using: &random) ?? .fill)
                if Bool.random(using: &random) { options.limit = 2 }
                job = try await run(
                    RefreshRuns.request(
                        path, options, catalogs: [library.catalog], name: UUID().uuidString, batchRecords: 1))
            case 12:
                guard let last = done.popLast() else { continue }
                undone.append(Step(job: last.job, undo: try await undo(last.job), model: model, dump: dump))
                (model, dump) = (last.model, last.dump)
                #expect(try StoreFile.openForReading(path).canonicalDump() == dump, "seed \(seed)")
            default:
                guard let last = undone.popLast() else { continue }
                _ = try await undo(try #require(last.undo))
                done.append(Step(job: last.job, model: model, dump: dump))
                (model, dump) = (last.model, last.dump)
                #expect(try StoreFile.openForReading(path).canonicalDump() == dump, "seed \(seed)")
            }
            if let job {
                dump = try StoreFile.openForReading(path).canonicalDump()
                done.append(Step(job: job, model: modelBefore, dump: dumpBefore))
                undone = []
            }
            try check(path, model, seed)
        }
        for step in done.reversed() {
            _ = try await undo(step.job)
            dump = step.dump
            #expect(try StoreFile.openForReading(path).canonicalDump() == step.dump, "seed \(seed)")
            try check(path, step.model, seed)
        }
        #expect(try StoreCheck(StoreFile.openForReading(path)).problems().isEmpty, "seed \(seed)")
    }

    private func check(_ path: String, _ model: Model, _ seed: UInt64) throws {
        let read = try StoreFile.openForReading(path).query(
            """
            SELECT e.source_id, e.review, e.date_added, d.work FROM entries e JOIN editions d ON d.id = e.edition
            """)
        var works: [Int: Int64] = [:]
        var found: [Int: Model.Entry] = [:]
        while try read.next() {
            let id = try #require(Int(read.string(0)))
            works[id] = read.integer(3)
            found[id] = Model.Entry(
                review: read.string(1), date: read.string(2), isLocked: model.entries[id]?.isLocked ?? false,
                work: model.entries[id]?.work ?? 0)
        }
        #expect(found == model.entries, "seed \(seed)")
        for (id, entry) in model.entries {
            for (other, otherEntry) in model.entries {
                #expect(
                    (works[id] == works[other]) == (entry.work == otherEntry.work),
                    "seed \(seed): \(id), \(other)")
            }
        }
    }

    @Test func `after each step the library is what the model says, and as before after each undo`()
        async throws
    {
        let library = try await EditedLibrary()
        let first = ProcessInfo.processInfo.environment["ETL_EDIT_SEED"].flatMap { UInt64($0) }
        let count = UInt64(Dose.count(3, full: 8, variable: "ETL_EDIT_COUNT"))
        for seed in (first ?? 1)..<(first.map { $0 + 1 } ?? count + 1) { try await run(seed, library) }
    }
}
