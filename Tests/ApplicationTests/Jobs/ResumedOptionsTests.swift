import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Application
@testable import Books
@testable import Syntax

/// A job continues with the options it was started with, whatever the resuming command says.
@Suite struct ResumedOptionsTests {
    /// An import with every option that affects results, stopped after its first commit.
    private struct Begun {
        var sample: SampleImport
        let store: String
        let job: Job

        init(store name: String = "s.sqlite") async throws {
            sample = try await SampleImport()
            sample.batchRecords = 2
            store = sample.folder.file(name)
            let stop = StopSignal()
            let outcome = try await ImportJob(
                Self.order(sample, store), clock: ManualClock(), stop: stop,
                observing: { event in
                    if case .ran(.committed) = event { stop.raise() }
                }
            ).run()
            try #require(outcome.end == .stopped)
            job = outcome.job
        }

        static func order(_ sample: SampleImport, _ store: String) throws -> ImportRequest {
            var order = try sample.order(store: store)
            order.reading.columns = try ColumnOptions(parsing: "publisher=Binding")
            order.reading.limit = 90
            order.library = "anna"
            return order
        }

        /// Only the job's name, as `etl resume` passes it.
        func resumption() throws -> ImportRequest {
            var order = try sample.order(store: store)
            order.reading = ReadSettings(files: [])
            order.catalogPaths = []
            order.library = "default"
            order.jobName = job.name
            order.pipelineChoice = .any
            return order
        }
    }

    private static func end(of order: ImportRequest) async throws -> ImportOutcome {
        try await ImportJob(order, clock: ManualClock()).run()
    }

    private static func refusal(of order: ImportRequest) async -> StageFailure? {
        do throws(StageFailure) {
            _ = try await ImportJob(order, clock: ManualClock()).run()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a job resumed by name ends like an uninterrupted one`() async throws {
        let begun = try await Begun()
        let whole = try await Self.end(of: Begun.order(begun.sample, begun.sample.folder.file("w.sqlite")))
        let outcome = try await Self.end(of: begun.resumption())
        #expect(outcome.end == .completed)
        #expect(outcome.job.name == begun.job.name)
        #expect(outcome.job.counts == whole.job.counts)
        #expect(outcome.job.counts.totalProcessed == 90)
        #expect(try begun.sample.dump("s.sqlite") == begun.sample.dump("w.sqlite"))
    }

    @Test func `the same command resumes a job without repeating its options`() async throws {
        let begun = try await Begun()
        var order = try begun.sample.order(store: begun.store)
        order.library = "anna"
        order.explicit = [.library]
        order.catalogPaths = []
        let outcome = try await Self.end(of: order)
        #expect(outcome.job.name == begun.job.name)
        #expect(outcome.job.counts.totalProcessed == 90)
        _ = try await Self.end(of: Begun.order(begun.sample, begun.sample.folder.file("w.sqlite")))
        #expect(try begun.sample.dump("s.sqlite") == begun.sample.dump("w.sqlite"))
    }

    @Test func `options that would change the rest are rejected, and nothing is changed`() async throws {
        let begun = try await Begun()
        let changes: [(JobOptions.Option, (inout ImportRequest) throws -> Void)] = [
            (.limit, { $0.reading.limit = 91 }),
            (.map, { $0.reading.columns = try ColumnOptions(parsing: "publisher=Author") }),
            (.format, { $0.reading.format = "generic" }),
            (
                .mapping,
                {
                    $0.reading.mapping = try ColumnMapping(
                        file: "\(ProjectFiles.root)/Pipelines/mappings/bookcase.yaml")
                }
            ),
            (.encoding, { $0.reading.text.encoding = .utf16LittleEndian }),
            (.delimiter, { $0.reading.text.delimiter = UInt8(ascii: ";") }),
            (.quote, { $0.reading.text.quote = TextOptions.Quote.none }),
            (.header, { $0.reading.text.header = .record(2) }),
            (.dates, { $0.reading.explicitDateOrder = .monthFirst }),
            (.catalog, { $0.catalogPaths = ["/elsewhere.sqlite"] }),
            (.providers, { $0.providers = [] }),
            (.library, { $0.library = "ben" }),
            (.replace, { $0.replaces = true }),
        ]
        // Every job may continue offline.
        #expect(Set(changes.map(\.0)) == Set(JobOptions.Option.allCases).subtracting([.offline]))
        let before = try begun.sample.dump("s.sqlite")
        for (option, change) in changes {
            var order = try begun.resumption()
            try change(&order)
            order.explicit = [option]
            let failure = try #require(await Self.refusal(of: order), "--\(option.rawValue)")
            #expect(failure.kind == .configuration)
            #expect(failure.message.contains(" \(option.rawValue)"))
            #expect(failure.message.contains(begun.job.name))
        }
        #expect(try begun.sample.dump("s.sqlite") == before)
    }

    @Test func `a catalog that was moved must be given again`() async throws {
        let begun = try await Begun()
        let there = begun.sample.folder.file("moved.sqlite")
        try FileManager.default.moveItem(atPath: begun.sample.catalog, toPath: there)
        let refused = try #require(await Self.refusal(of: begun.resumption()))
        #expect(refused.kind == .missing)
        #expect(refused.advice?.refers(to: UserSetting.catalog) == true)
        var order = try begun.resumption()
        order.catalogPaths = [there]
        #expect(
            await Self.refusal(of: order)?.kind == .missing,
            "a path from a variable does not replace the catalog of a job")
        order.explicit = [.catalog]
        let outcome = try await Self.end(of: order)
        #expect(outcome.end == .completed)
        try FileManager.default.moveItem(atPath: there, toPath: begun.sample.catalog)
        _ = try await Self.end(of: Begun.order(begun.sample, begun.sample.folder.file("w.sqlite")))
        #expect(try begun.sample.dump("s.sqlite") == begun.sample.dump("w.sqlite"))
    }

    @Test func `another pipeline or library cannot resume a job by its name`() async throws {
        let begun = try await Begun()
        var order = try begun.resumption()
        order.reading.files = begun.sample.files
        order.pipelineChoice = .named
        let text = try String(
            contentsOfFile: "\(ProjectFiles.root)/Pipelines/csv_import.yaml", encoding: .utf8)
        order.definition = try DefinitionFile.read(
            Array(text.replacing("name: csv_import", with: "name: mine").utf8), named: "mine.yaml")
        let failure = try #require(await Self.refusal(of: order))
        #expect(failure.message.contains("csv_import"))
        #expect(failure.message.contains("mine"))

        order = try begun.resumption()
        order.reading.files = begun.sample.files
        order.library = "ben"
        order.explicit = [.library]
        let other = try #require(await Self.refusal(of: order))
        #expect(other.message.contains("anna"))
        #expect(other.message.contains("ben"))
    }

    @Test func `a definition may change only performance settings`() async throws {
        let begun = try await Begun()
        var order = try begun.resumption()
        order.pipelineChoice = .exactly
        let text = try String(
            contentsOfFile: "\(ProjectFiles.root)/Pipelines/csv_import.yaml", encoding: .utf8)
        order.definition = try DefinitionFile.read(
            Array(text.replacing("  - stage: NormalizeGenres\n    workers: 2\n", with: "").utf8),
            named: "csv_import.yaml")
        let failure = try #require(await Self.refusal(of: order))
        #expect(failure.kind == .configuration)
        #expect(failure.message.contains("stages."))
        order.definition = try DefinitionFile.read(
            Array(text.utf8), named: "csv_import.yaml",
            overrides: [
                DefinitionOverride(option: "stages.LookUpBooks.workers=1"),
                DefinitionOverride(option: "run.window=3"),
            ])
        #expect(try await Self.end(of: order).job.counts.totalProcessed == 90)
    }

    @Test func `a job resumes in another directory`() async throws {
        let begun = try await Begun()
        let kept = try #require(begun.job.terms)
        #expect(kept.files.allSatisfy { $0.hasPrefix("/") })
        #expect(kept.options[.catalog]?.allSatisfy { $0.hasPrefix("/") } == true)
        #expect(kept.definition?.definition.name == "csv_import.yaml")
    }

    @Test func `the same command resumes a canceled job`() async throws {
        let begun = try await Begun()
        #expect(try JobCancellation.request(begun.job.name, in: begun.store) == .canceled)
        var order = try Begun.order(begun.sample, begun.store)
        order.explicit = [.library]
        let outcome = try await Self.end(of: order)
        #expect(outcome.job.name == begun.job.name)
        #expect(outcome.end == .completed)
    }

    @Test func `restarting under the same name replaces the old job`() async throws {
        let begun = try await Begun()
        var order = try begun.sample.order(store: begun.store)
        order.jobName = begun.job.name
        order.restarts = true
        let outcome = try await Self.end(of: order)
        #expect(outcome.job.name == begun.job.name)
        #expect(outcome.job.id != begun.job.id)
        #expect(outcome.job.counts.totalProcessed == 135)
        let jobs = try JobTable(StoreFile.openForReading(begun.store)).all()
        #expect(jobs.count == 2)
        #expect(jobs.last?.status == .canceled)
        #expect(jobs.last?.name == "\(begun.job.name).\(begun.job.id)")
    }

    @Test func `restarting under a new name cancels the unfinished job`() async throws {
        let begun = try await Begun()
        var order = try Begun.order(begun.sample, begun.store)
        order.jobName = "second"
        order.restarts = true
        #expect(try await Self.end(of: order).job.name == "second")
        let jobs = try JobTable(StoreFile.openForReading(begun.store)).all()
        #expect(jobs.last?.status == .canceled)
        // A completed job is newer: the canceled one is not resumed.
        order.jobName = nil
        order.restarts = false
        order.freshName = "third"
        #expect(try await Self.end(of: order).job.name == "third")
    }
}
