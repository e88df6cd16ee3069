import Foundation
import Pipeline
import Testing

@testable import Books
@testable import Syntax

/// A run reads the file that was surveyed, or fails.
@Suite struct SurveyedFileTests {
    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func failure(
        reading path: String, as surveyed: SurveyedFile, limit: Int? = nil, from position: Position = .start
    ) async -> StageFailure? {
        var settings = ReadSettings(files: [path], limit: limit)
        settings.surveyed = [surveyed]
        do throws(StageFailure) {
            _ = try await Reading.of(settings, from: position)
            return nil
        } catch {
            return error
        }
    }

    @Test func `one that has other records is another file`() async throws {
        let path = try files.write("Title\nA\n\nB\nC\n")
        let state = try #require(FileState(of: path))
        #expect(await failure(reading: path, as: SurveyedFile(state: state, recordCount: 3)) == nil)
        for count in [2, 4] {
            let other = SurveyedFile(state: state, recordCount: count)
            let failure = await failure(reading: path, as: other)
            #expect(failure?.kind == .unusableInput)
            #expect(failure?.message.contains("it had \(count) records, and 3 were read") == true)
            #expect(await self.failure(reading: path, as: other, limit: 3) == nil)
            // Begun within the file, nobody knows how many were read before.
            let position = Position(byte: 8, line: 3, record: 2)
            #expect(await self.failure(reading: path, as: other, from: position) == nil)
        }
    }

    @Test func `one that was written to before it is read is another file`() async throws {
        let path = try files.write("Title\nA\n")
        let surveyed = try await ReadLibrary(ReadSettings(files: [path])).surveyLibrary().surveyed
        #expect(surveyed.map(\.recordCount) == [1])
        for text in ["Title\nB\n", "Title\nB\nC\n"] {
            _ = try files.write(text)
            #expect(await failure(reading: path, as: surveyed[0])?.kind == .unusableInput)
        }
    }

    @Test func `nothing but what is written to it changes a file`() throws {
        let path = try files.write("Title\nA\n")
        let state = try #require(FileState(of: path))
        _ = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        #expect(FileState(of: path) == state)
        try state.check(path, advice: FileState.adviceToBeginAnew)
        try FileManager.default.removeItem(atPath: path)
        #expect(FileState(of: path) == nil)
        try state.check(path, advice: FileState.adviceToBeginAnew)
    }
}
