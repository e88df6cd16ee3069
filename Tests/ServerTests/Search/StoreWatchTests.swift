import Application
import Books
import Foundation
import TestSupport
import Testing

@testable import Server

/// What counts as a change of a store. Each one ends all answers that are kept in memory.
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
}
