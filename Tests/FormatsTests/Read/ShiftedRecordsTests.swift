import Books
import System
import Testing

@testable import Formats

/// Records with more or fewer cells than columns, because a comma was not quoted.
struct ShiftedRecordsTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private static let header = "Book Id,Title,Author,ISBN13,My Rating,Publisher,Number of Pages,Notes\n"

    @Test func `a title with an unquoted comma is joined and reported`() async throws {
        let path = try files.write(
            Self.header + "1,Reef, a tale,Ana Lee,9780306406157,4,Tide,320,good\n2,Wave,Bo Ek,,5,Tide,90,\n")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.titles == ["Reef, a tale", "Wave"])
        #expect(reading.fact(5) == ["cells_joined:Title:Reef, a tale", ""])
        #expect(
            reading.fact(7)[0].split(separator: "\u{1E}", omittingEmptySubsequences: false).map(String.init)
                == ["1", "Reef, a tale", "Ana Lee", "9780306406157", "4", "Tide", "320", "good"])
        #expect(reading.rejects.isEmpty)
    }

    @Test func `a record whose cells fit no column is rejected with advice`() async throws {
        let path = try files.write(
            Self.header + "1,Reef,a tale,Ana Lee,9780306406157,4,Tide,320,good\n2,Wave,Bo Ek,,5,Tide,90,\n")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.titles == ["Wave"])
        let reject = try #require(reading.rejects.first)
        #expect(reject.code == "shifted_record" && reject.position.line == 2)
        #expect(reject.message.contains("It has 9 cells, but the header has 8."))
        #expect(reject.message.contains("Put quotes around the cell"))
        #expect(reading.recordsRead == 2)
    }

    @Test func `a missing cell in the middle is reported, and the record only fills gaps`() async throws {
        let path = try files.write(Self.header + "1,Reef,9780306406157,4,Tide,320,good\n2,Wave,Bo Ek\n")
        let settings = ReadSettings(files: [path])
        var reader = try LibraryFileReader(
            LibraryFile(path, index: 0, settings: settings), settings: settings)
        let rows = try #require(try reader.next()).rows.rows
        #expect(rows.map(\.isCutOff) == [true, false])
        #expect(rows.map { $0.warnings.first?.code } == ["ragged_record", "ragged_record"])
    }

    @Test func `a delimiter at the end of each line shifts nothing, whatever the cells are`() async throws {
        let path = try files.write(
            "ISBN13,Title,Number of Pages\n9780306406157,Reef,unpaged,\n9780441013593,Dune,not known,\n")
        let reading = try await Reading.of(ReadSettings(files: [path]))
        #expect(reading.titles == ["Reef", "Dune"])
        #expect(reading.rejects.isEmpty)
        #expect(reading.fact(5).allSatisfy { $0.hasPrefix("number_damaged:Number of Pages:") })
    }
}
