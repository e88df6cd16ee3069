import Database
import Foundation
import TestSupport
import Testing

@testable import Services
@testable import System

@Suite struct LimiterFileTests {
    private let limits = ServiceLimits(rate: .init(perSecond: 2, burst: 1), concurrency: 1)

    @Test func `two processes share the state in the file`() async throws {
        let folder = try TemporaryFolder()
        let (one, other) = (
            try LimiterFile(folder: folder.file("state/etl")),
            try LimiterFile(folder: folder.file("state/etl"))
        )
        let first = try await one.change("a") { [limits] in $0.admit(cost: 1, at: 1_000_000, limits: limits) }
        let second = try await other.change("a") { [limits] in
            $0.admit(cost: 1, at: 1_000_000, limits: limits)
        }
        #expect(first == .go(lease: 1))
        #expect(second == .wait(until: 1_500_000))
        // Another account has its own state.
        let third = try await other.change("b") { [limits] in $0.admit(cost: 1, at: 1_000_000, limits: limits)
        }
        #expect(third == .go(lease: 1))
    }

    @Test func `many processes that open it for the first time at once all share it`() async throws {
        for _ in 0..<8 {
            let folder = try TemporaryFolder()
            let files = try await withThrowingTaskGroup(of: LimiterFile.self) { group in
                for _ in 0..<12 { group.addTask { try LimiterFile(folder: folder.file("etl")) } }
                return try await group.reduce(into: [LimiterFile]()) { $0.append($1) }
            }
            for (number, file) in files.enumerated() {
                let admission = try await file.change("a") { [limits] in
                    $0.admit(cost: 1, at: 1_000_000, limits: limits)
                }
                #expect((admission == .go(lease: 1)) == (number == 0))
            }
        }
    }

    @Test func `concurrent changes are applied one by one, through one instance or several`() async throws {
        let folder = try TemporaryFolder()
        let views = [try LimiterFile(folder: folder.path), try LimiterFile(folder: folder.path)]
        let limits = ServiceLimits(rate: .init(perSecond: 1_000_000, burst: 1_000), concurrency: 1_000)
        let leases = try await withThrowingTaskGroup(of: LimiterState.Admission.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try await views[number % 2].change("a") { state in
                        state.admit(cost: 1, at: 1_000_000 + Int64(state.leases.count), limits: limits)
                    }
                }
            }
            return try await group.reduce(into: [LimiterState.Admission]()) { $0.append($1) }
        }
        #expect(Set(leases) == Set((1...200).map { LimiterState.Admission.go(lease: $0) }))
    }

    @Test func `leases of a process that is gone are released at once`() async throws {
        let folder = try TemporaryFolder()
        let stays = try LimiterFile(folder: folder.path)
        func admit(_ file: LimiterFile, at now: Int64) async throws -> LimiterState.Admission {
            let owner = file.owner
            return try await file.change("a") { [limits] state in
                state.admit(cost: 1, at: now, limits: limits, owner: owner)
            }
        }
        do {
            let goes = try LimiterFile(folder: folder.path)
            #expect(try await admit(goes, at: 1_000_000) == .go(lease: 1))
            // Not while its owner is alive, however long ago the call began.
            #expect(try await admit(stays, at: 5_000_000) == .wait(until: 5_020_000))
        }
        #expect(try await admit(stays, at: 5_000_001) == .go(lease: 2))
    }

    @Test func `another program's database, or a link to it, stays as it is`() throws {
        let folder = try TemporaryFolder()
        let precious = folder.file("precious")
        try Connection(precious, .create).execute("CREATE TABLE diary(day)")
        let before = try Data(contentsOf: URL(filePath: precious))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("limiter.sqlite"), withDestinationPath: precious)
        #expect(throws: ETLError.self) { _ = try LimiterFile(folder: folder.path) }
        unlink(folder.file("limiter.sqlite"))
        #expect(rename(precious, folder.file("limiter.sqlite")) == 0)
        #expect(throws: ETLError.self) { _ = try LimiterFile(folder: folder.path) }
        #expect(try Data(contentsOf: URL(filePath: folder.file("limiter.sqlite"))) == before)
    }

    @Test func `only the owner can read it`() throws {
        let folder = try TemporaryFolder()
        _ = try LimiterFile(folder: folder.file("etl"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("etl/limiter.sqlite"))[
            .posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `it contains no credentials`() async throws {
        let folder = try TemporaryFolder()
        let address = ServiceEndpoint("https://api.example.org/v1/", key: "CANARY-7f3a")
        #expect(address.account.hasPrefix("https://api.example.org/v1#"))
        let file = try LimiterFile(folder: folder.path)
        _ = try await file.change(address.account) { [limits] in $0.admit(cost: 1, at: 1, limits: limits) }
        for name in folder.names {
            let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
            #expect(bytes.range(of: Data("CANARY".utf8)) == nil)
        }
    }
}
