import Foundation
import Queries
import Store
import TestSupport
import Testing

@testable import Server

/// Changes of a store. Each one ends all answers that are kept in memory.
@Suite struct StoreWatchTests {
    @Test func `readers that come and go change nothing, a writer does`() async throws {
        let sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        let store = sample.folder.file("library.sqlite")
        try await sample.run("library.sqlite")
        let watch = StoreWatch(store: store)
        let before = watch.version
        for _ in 0..<3 {
            let connection = try #require(try StoreFile.openIfStarted(store))
            // The reader has made an empty log, and the last one removes it.
            watch.look()
            #expect(try LibraryBrowser(connection).libraries().count == 1)
            watch.look()
            withExtendedLifetime(connection) {}
        }
        watch.look()
        #expect(watch.version == before)
        var other = sample
        other.library = "other"
        try await other.run("library.sqlite")
        watch.look()
        #expect(watch.version > before)
    }

    @Test func `a store behind a link is watched, and one in its place is another`() async throws {
        let sample = try SampleImport(sharing: try await RunningServer.catalog.value)
        try await sample.run("library.sqlite")
        let (store, link) = (sample.folder.file("library.sqlite"), sample.folder.file("link.sqlite"))
        #expect(symlink(store, link) == 0)
        let watch = StoreWatch(store: link)
        let before = watch.version
        // As long as a reader has the store open, changes are only in its log.
        let reader = try StoreFile.openForReading(store)
        var other = sample
        other.library = "other"
        try await other.run("library.sqlite")
        watch.look()
        #expect(watch.version > before)
        withExtendedLifetime(reader) {}

        let later = watch.version
        let copy = sample.folder.file("copy.sqlite")
        #expect(copied(store, copy) && rename(copy, store) == 0)
        watch.look()
        #expect(watch.version > later)
    }

    /// A copy with the same times.
    private func copied(_ path: String, _ copy: String) -> Bool {
        do {
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            var facts = stat()
            guard stat(path, &facts) == 0 else { return false }
            return utimensat(AT_FDCWD, copy, [facts.st_atim, facts.st_mtim], 0) == 0
        } catch {
            return false
        }
    }
}
