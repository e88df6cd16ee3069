import Foundation
import Pipeline
import System
import TestSupport
import Testing

@testable import Books
@testable import Formats
@testable import Jobs
@testable import Store
@testable import Syntax

/// A job continues with the options it was started with, whatever the options of the resuming command.
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
                Self.request(sample, store), clock: ManualClock(), stop: stop,
                observing: { event in
                    if case .ran(.committed) = event { stop.raise() }
                }
            ).run()
            try #require(outcome.end == .stopped)
            job = outcome.job
        }

        static func request(_ sample: SampleImport, _ store: String) throws -> ImportRequest {
            var request = try sample.request(store: store)
            request.reading.columns = try ColumnOptions(parsing: "publisher=Binding")
            request.reading.limit = 90
            request.library = "anna"
            return request
        }

        /// Only the job's name, as `etl resume` passes it.
        func resumption() throws -> ImportRequest {
            var request = try sample.request(store: store)
            request.reading = ReadSettings(files: [])
            request.catalogPaths = []
            request.library = "default"
            request.jobName = job.name
            request.pipelineChoice = .any
            return request
        }
    }

    private static func end(of request: ImportRequest) async throws -> ImportOutcome {
        try await ImportJob(request, clock: ManualClock()).run()
    }

    private static func refusal(of request: ImportRequest) async -> ETLError? {
        do throws(ETLError) {
            _ = try await ImportJob(request, clock: ManualClock()).run()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a job resumed by name ends like an uninterrupted one`() async throws {
        let begun = try await Begun()
        let whole = try await Self.end(of: Begun.request(begun.sample, begun.sample.folder.file("w.sqlite")))
        let outcome = try await Self.end(of: begun.resumption())
        #expect(outcome.end == .completed)
        #expect(outcome.job.name == begun.job.name)
        #expect(outcome.job.counts == whole.job.counts)
        #expect(outcome.job.counts.totalProcessed == 90)
        #expect(try begun.sample.dump("s.sqlite") == begun.sample.dump("w.sqlite"))
    }

    @Test func `the same command resumes a job without repeating its options`() async throws {
        let begun = try await Begun()
        var request = try begun.sample.request(store: begun.store)
        request.library = "anna"
        request.explicit = [.library]
        request.catalogPaths = []
        let outcome = try await Self.end(of: request)
        #expect(outcome.job.name == begun.job.name)
        #expect(outcome.job.counts.totalProcessed == 90)
        _ = try await Self.end(of: Begun.request(begun.sample, begun.sample.folder.file("w.sqlite")))
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
            (.replace, { $0.replaces = true }), (.join, { $0.joins = true }),
            (.rules, { $0.rulesPath = "/rules.yaml" }),
        ]
        // Every job may continue offline.
        #expect(Set(changes.map(\.0)) == Set(JobOptions.Option.allCases).subtracting([.offline]))
        let before = try begun.sample.dump("s.sqlite")
        for (option, change) in changes {
            var request = try begun.resumption()
            try change(&request)
            request.explicit = [option]
            let failure = try #require(await Self.refusal(of: request), "--\(option.rawValue)")
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
        var request = try begun.resumption()
        request.catalogPaths = [there]
        #expect(
            await Self.refusal(of: request)?.kind == .missing,
            "a path from a variable does not replace the catalog of a job")
        request.explicit = [.catalog]
        let outcome = try await Self.end(of: request)
        #expect(outcome.end == .completed)
        try FileManager.default.moveItem(atPath: there, toPath: begun.sample.catalog)
        _ = try await Self.end(of: Begun.request(begun.sample, begun.sample.folder.file("w.sqlite")))
        #expect(try begun.sample.dump("s.sqlite") == begun.sample.dump("w.sqlite"))
    }

    @Test func `another pipeline or library cannot resume a job by its name`() async throws {
        let begun = try await Begun()
        var request = try begun.resumption()
        request.reading.files = begun.sample.files
        request.pipelineChoice = .named
        let text = try String(
            contentsOfFile: "\(ProjectFiles.root)/Pipelines/csv_import.yaml", encoding: .utf8)
        request.definition = try DefinitionFile.read(
            Array(text.replacing("name: csv_import", with: "name: mine").utf8), named: "mine.yaml")
        let failure = try #require(await Self.refusal(of: request))
        #expect(failure.message.contains("csv_import"))
        #expect(failure.message.contains("mine"))

        request = try begun.resumption()
        request.reading.files = begun.sample.files
        request.library = "ben"
        request.explicit = [.library]
        let other = try #require(await Self.refusal(of: request))
        #expect(other.message.contains("anna"))
        #expect(other.message.contains("ben"))
    }

    @Test func `a definition may change only performance settings`() async throws {
        let begun = try await Begun()
        var request = try begun.resumption()
        request.pipelineChoice = .exactly
        let text = try String(
            contentsOfFile: "\(ProjectFiles.root)/Pipelines/csv_import.yaml", encoding: .utf8)
        request.definition = try DefinitionFile.read(
            Array(text.replacing("  - stage: NormalizeGenres\n    workers: 2\n", with: "").utf8),
            named: "csv_import.yaml")
        let failure = try #require(await Self.refusal(of: request))
        #expect(failure.kind == .configuration)
        #expect(failure.message.contains("stages."))
        request.definition = try DefinitionFile.read(
            Array(text.utf8), named: "csv_import.yaml",
            overrides: [
                DefinitionOverride(option: "stages.LookUpBooks.workers=1"),
                DefinitionOverride(option: "run.window=3"),
            ])
        #expect(try await Self.end(of: request).job.counts.totalProcessed == 90)
    }

    @Test func `a job resumes in another directory`() async throws {
        let begun = try await Begun()
        let kept = try #require(begun.job.options)
        #expect(kept.files.allSatisfy { $0.hasPrefix("/") })
        #expect(kept[.catalog]?.allSatisfy { $0.hasPrefix("/") } == true)
        #expect(kept.definition?.definition.name == "csv_import.yaml")
    }

    @Test func `the same command resumes a canceled job`() async throws {
        let begun = try await Begun()
        #expect(try JobCancellation.request(begun.job.name, in: begun.store) == .canceled)
        var request = try Begun.request(begun.sample, begun.store)
        request.explicit = [.library]
        let outcome = try await Self.end(of: request)
        #expect(outcome.job.name == begun.job.name)
        #expect(outcome.end == .completed)
    }

    @Test func `restarting under the same name replaces the old job`() async throws {
        let begun = try await Begun()
        var request = try begun.sample.request(store: begun.store)
        request.jobName = begun.job.name
        request.mode = .restart
        let outcome = try await Self.end(of: request)
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
        var request = try Begun.request(begun.sample, begun.store)
        request.jobName = "second"
        request.mode = .restart
        #expect(try await Self.end(of: request).job.name == "second")
        let jobs = try JobTable(StoreFile.openForReading(begun.store)).all()
        #expect(jobs.last?.status == .canceled)
        // A completed job is newer: the canceled one is not resumed.
        request.jobName = nil
        request.mode = .files
        request.freshName = "third"
        #expect(try await Self.end(of: request).job.name == "third")
    }
}
