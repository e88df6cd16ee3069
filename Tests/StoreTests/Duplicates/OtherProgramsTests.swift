import Jobs
import TestSupport
import Testing

@testable import Store

/// Books that a library has from a second program.
@Suite struct OtherProgramsTests {
    private static let goodreads = """
        Book Id,Title,Author,Author l-f,Additional Authors,ISBN13,My Rating,Date Added,Bookshelves,Exclusive Shelf
        1,Reef,Ana Lee,"Lee, Ana",,9780306406157,4,2020/01/02,,read
        2,Dune Sea,Bo Ek,"Ek, Bo",,9780441172719,3,2020/01/02,,read

        """
    private static let storyGraph = """
        Title,Authors,ISBN/UID,Read Status,Last Date Read,Star Rating
        Reef,Ana Lee,9780306406157,read,2020/02/03,4.0
        Dune Sea,Bo Ek,9780441172719,read,2020/02/03,3.0
        Garden,Cy Ek,9780141439587,read,2020/02/03,3.0

        """

    private func imported(
        _ files: [(text: String, name: String)], into libraries: [String] = ["default", "default"]
    ) async throws -> [[OtherPrograms]] {
        var sample = try await SampleImport()
        sample.asksCatalog = false
        var found: [[OtherPrograms]] = []
        for (file, library) in zip(files, libraries) {
            sample.files = [try sample.folder.write(file.text, to: file.name)]
            sample.library = library
            let job = try await sample.run("s.sqlite").job
            found.append(
                try OtherPrograms.read(
                    of: job, in: StoreFile.openForReading(sample.folder.file("s.sqlite"))))
        }
        return found
    }

    @Test func `the export of a second program says how many books are there already`() async throws {
        let found = try await imported([(Self.goodreads, "g.csv"), (Self.storyGraph, "s.csv")])
        #expect(found == [[], [OtherPrograms(format: "generic", count: 2)]])
    }

    @Test func `the same program, or another library, is no second program`() async throws {
        let again = Self.goodreads + "3,Reef,Ana Lee,\"Lee, Ana\",,9780306406157,4,2020/01/02,,read\n"
        #expect(try await imported([(Self.goodreads, "g.csv"), (again, "h.csv")]) == [[], []])
        let others = try await imported(
            [(Self.goodreads, "g.csv"), (Self.storyGraph, "s.csv")], into: ["anna", "ben"])
        #expect(others == [[], []])
    }
}
