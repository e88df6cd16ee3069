import BookShelf
import BooksTrack
import Foundation
import LinuxTransport
import TestSupport
import Testing

@testable import Server

/// The app of the client's tutorial, with a running server.
@Suite struct BookShelfTests {
    @Test func `barcodes are recognized, and a library is imported and kept`() async throws {
        let server = try await RunningServer()
        let client = BooksTrackClient.forShelf(at: try server.address, over: CurlTransport())
        #expect(
            await client.sentence(aboutBarcode: "978-0-441-00731-8")
                == "The Left Hand of Darkness by Ursula K. Le Guin")
        #expect(await client.sentence(aboutBarcode: "9780306406157") == "Nobody knows this book.")
        #expect(await client.sentence(aboutBarcode: "12") == "This is not the barcode of a book.")

        let shelf = try SQLiteShelf(path: server.sample.folder.file("shelf.sqlite"))
        let library = LibraryImport(client, onto: shelf)
        let file = Data(
            "Title,Author,ISBN\nReef,Ana Lee,9780306406157\nReef,Ana Lee,\nDune,Frank Herbert,\n".utf8)
        for _ in 0..<2 {
            let job = try await library.begin(file, named: "library.csv")
            let count = try await library.finish(job) { progress, _ in #expect((0...1).contains(progress)) }
            #expect(count == 2)
            #expect(try await shelf.books().map(\.title) == ["Dune", "Reef"])
        }
        let broken = try await library.begin(Data("%PDF-1.7 is no table".utf8), named: "a.pdf")
        await #expect {
            try await library.finish(broken) { _, _ in }
        } throws: {
            guard case LibraryImport.Failure.failed(let error) = $0 else { return false }
            return error?.code == .csvProcessingFailed
        }
        await server.server.stop()
    }
}
