import Books
import Formats
import Foundation
import Pipeline
import Syntax
import System
import Testing

@Suite
struct LibrarySurveyTests {
    let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    @Test func `the survey counts what reading yields, in every file`() async throws {
        let first = try files.write(GoodreadsFixture.library(records: 57), as: "first.csv")
        let second = try files.write("Title\nA\n\nB", as: "second.csv")
        let settings = ReadSettings(files: [first, second], limits: RecordLimits(fieldBytes: 2_000))
        let survey = try await ReadLibrary(settings).surveyLibrary()
        #expect(survey.files.map(\.recordCount) == [57, 2])
        #expect(try await survey.recordCount == Reading.of(settings).recordsRead)
        #expect(survey.files.map(\.formatName) == ["goodreads", "generic"])
        #expect(survey.source.recordCount == 59)
    }

    @Test func `the newest date is found, whatever columns are between`() async throws {
        let rows = [
            GoodreadsFixture.row(1, read: "2019/01/01", added: "2020/12/31"),
            GoodreadsFixture.row(2, read: "2021/06/01", added: "2018/01/01"),
            GoodreadsFixture.row(3, read: "########", added: "2021/05/31"),
        ]
        let path = try files.write(([GoodreadsFixture.header24] + rows).joined(separator: "\n"))
        let survey = try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary()
        #expect(survey.newestDate?.description == "2021-06-01")
    }

    @Test func `a file older than the one before it is reported`() async throws {
        func file(_ name: String, _ read: String) throws -> String {
            let rows = [GoodreadsFixture.row(1, read: read, added: "2019/12/31")]
            return try files.write(([GoodreadsFixture.header24] + rows).joined(separator: "\n"), as: name)
        }
        let (old, new) = (try file("old.csv", "2020/05/01"), try file("new.csv", "2024/05/01"))
        let other = try files.write("Title,Date Read\nA,2018-01-01\n", as: "other.csv")
        func remarks(_ paths: [String]) async throws -> [String] {
            try await ReadLibrary(ReadSettings(files: paths)).surveyLibrary().remarks.map(\.description)
        }
        #expect(try await remarks([old, new]).isEmpty)
        #expect(try await remarks([new, other]).isEmpty, "another program's export")
        #expect(try await remarks([new, other, old]).count == 1, "another file in between")
        let explicit = try await remarks([new, old])
        #expect(explicit.count == 1)
        #expect(
            explicit.first?.hasPrefix("`\(old)` (2020-05-01) is older than `\(new)` (2024-05-01)")
                == true)
    }

    @Test func `the date order of each file is found`() async throws {
        let paths = try ["9/2/2020", "10/16/2020", "16/10/2020"].map { date in
            try files.write("Title,Date Read\nA,\(date)\n", as: "\(date.prefix(2).filter(\.isNumber)).csv")
        }
        let survey = try await ReadLibrary(ReadSettings(files: paths)).surveyLibrary()
        #expect(survey.dateOrders == [.dayFirst, .monthFirst, .dayFirst])
    }

    @Test func `the fingerprint is size and first MiB`() async throws {
        let content = Array(("Title\n" + String(repeating: "0123456789abcde\n", count: 70_000)).utf8)
        let path = try files.write(content)
        let print = try await ReadLibrary(ReadSettings(files: [path])).survey().fingerprints.first
        var head = SHA256()
        head.update(Array(content.prefix(1 << 20)))
        #expect(
            print == SourceFingerprint(name: path, size: Int64(content.count), headSHA256: head.hexDigest))
    }

    @Test func `an unusable later file fails before anything is imported`() async throws {
        let first = try files.write("Title\nA\n", as: "first.csv")
        do throws(ETLError) {
            _ = try await ReadLibrary(ReadSettings(files: [first, first + ".none"])).survey()
            Issue.record("surveyed")
        } catch {
            #expect(error.kind == .missing)
        }
    }
}

/// A run reads the file that was surveyed or fails.
@Suite struct SurveyedFileTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func failure(
        reading path: String, as surveyed: SurveyedFile, limit: Int? = nil, from position: Position = .start
    ) async -> ETLError? {
        var settings = ReadSettings(files: [path], limit: limit)
        settings.surveyed = [surveyed]
        do throws(ETLError) {
            _ = try await Reading.of(settings, from: position)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a file with another number of records is not the surveyed file`() async throws {
        let path = try files.write("Title\nA\n\nB\nC\n")
        let state = try #require(FileState(of: path))
        #expect(await failure(reading: path, as: SurveyedFile(state: state, recordCount: 3)) == nil)
        for count in [2, 4] {
            let other = SurveyedFile(state: state, recordCount: count)
            let failure = await failure(reading: path, as: other)
            #expect(failure?.kind == .unusableInput)
            #expect(failure?.message.contains("expected \(count) records, read 3") == true)
            #expect(await self.failure(reading: path, as: other, limit: 3) == nil)
            // Reading from the middle cannot know how many records came before.
            let position = Position(byte: 8, line: 3, record: 2)
            #expect(await self.failure(reading: path, as: other, from: position) == nil)
        }
    }

    @Test func `a file changed before it is read is not the surveyed file`() async throws {
        let path = try files.write("Title\nA\n")
        let surveyed = try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary().surveyed
        #expect(surveyed.map(\.recordCount) == [1])
        for text in ["Title\nB\n", "Title\nB\nC\n"] {
            _ = try files.write(text)
            #expect(await failure(reading: path, as: surveyed[0])?.kind == .unusableInput)
        }
    }

    @Test func `only writing changes the state of a file`() throws {
        let path = try files.write("Title\nA\n")
        let state = try #require(FileState(of: path))
        _ = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        #expect(FileState(of: path) == state)
        try state.check(path, advice: FileState.adviceToStartOver)
        try FileManager.default.removeItem(atPath: path)
        #expect(FileState(of: path) == nil)
        try state.check(path, advice: FileState.adviceToStartOver)
    }
}
