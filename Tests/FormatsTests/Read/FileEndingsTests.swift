import Books
import Foundation
import System
import TestSupport
import Testing

@testable import Formats

/// Bytes at the end of a file that are not part of a record.
@Suite struct FileEndingsTests {
    private static let text = "Title,Author\nReef,Ann Lee\nEmma,Jane Austen\n"

    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func read(_ bytes: [UInt8]) async throws -> (
        titles: [String], warnings: [String], explicit: [String]
    ) {
        let path = try files.write(bytes)
        let settings = ReadSettings(files: [path])
        let survey = try await ReadLibrary(settings).surveyLibrary()
        let reading = try await Reading.of(settings)
        #expect(survey.recordCount == reading.recordsRead)
        let inspection = try Inspection(settings)
        #expect(inspection.warnings == survey.files[0].warnings)
        let explicit = survey.files[0].warnings.map { $0.description.replacing(path, with: "library.csv") }
        return (reading.titles, reading.fact(5), explicit)
    }

    @Test func `trailing garbage after compressed data is only reported`() async throws {
        let packed = GzipBytes.stored(Array(Self.text.utf8))
        let sound = try await read(packed + [0, 0, 0])
        #expect(sound.titles == ["Reef", "Emma"])
        #expect(sound.explicit.isEmpty)
        for garbage in [Array("garbage".utf8), [UInt8](repeating: 7, count: 1 << 20)] {
            let read = try await read(packed + garbage)
            #expect(read.titles == ["Reef", "Emma"])
            #expect(
                read.explicit == [
                    "`library.csv` has extra bytes after the end of its compressed data. They were ignored. If the file "
                        + "is damaged, download it again and import it; entries that are already "
                        + "stored are updated."
                ])
        }
    }

    @Test func `trailing garbage is reported for structured formats too`() async throws {
        let record = "<record><leader>00000nam</leader></record>"
        let text = "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\(record)</collection>"
        let read = try await read(GzipBytes.stored(Array(text.utf8)) + [1, 2, 3])
        #expect(read.explicit.count == 1)
    }

    private func wide(_ text: String) -> [UInt8] {
        [0xFF, 0xFE]
            + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    @Test func `half a character at the end is not a record`() async throws {
        #expect(try await read(wide(Self.text)).explicit.isEmpty)
        let whole = try await read(wide(Self.text) + [0x41])
        #expect(whole.titles == ["Reef", "Emma"])
        #expect(whole.explicit.count == 1)
        #expect(
            whole.explicit.first?.hasPrefix(
                "`library.csv` is truncated: it ends in the middle of row 4 (line 4)") == true)

        let within = try await read(wide(String(Self.text.dropLast())) + [0x41])
        #expect(within.titles == ["Reef", "Emma"])
        #expect(within.warnings == ["", ""])
        #expect(
            within.explicit.first?.hasPrefix(
                "`library.csv` is truncated: it ends in the middle of row 3 (line 3)") == true)
    }
}
