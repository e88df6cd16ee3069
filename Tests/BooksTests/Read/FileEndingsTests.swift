import Foundation
import Pipeline
import TestSupport
import Testing

@testable import Books

/// What stands at the end of a file and is no part of a record.
@Suite struct FileEndingsTests {
    private static let text = "Title,Author\nReef,Ann Lee\nEmma,Jane Austen\n"

    private let files: WrittenFiles

    init() throws { files = try WrittenFiles() }

    private func read(_ bytes: [UInt8]) async throws -> (
        titles: [String], notices: [String], explicit: [String]
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

    @Test func `bytes behind packed data are told of, and no more`() async throws {
        let packed = GzipBytes.stored(Array(Self.text.utf8))
        let sound = try await read(packed + [0, 0, 0])
        #expect(sound.titles == ["Reef", "Emma"])
        #expect(sound.explicit.isEmpty)
        for garbage in [Array("garbage".utf8), [UInt8](repeating: 7, count: 1 << 20)] {
            let read = try await read(packed + garbage)
            #expect(read.titles == ["Reef", "Emma"])
            #expect(
                read.explicit == [
                    "library.csv holds other bytes behind the end of its packed data; they were ignored. If it was "
                        + "damaged on its way, download it again and import it: what is here already is brought up to "
                        + "date."
                ])
        }
    }

    @Test func `packed records of a syntax of its own are no exception`() async throws {
        let record = "<record><leader>00000nam</leader></record>"
        let text = "<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\(record)</collection>"
        let read = try await read(GzipBytes.stored(Array(text.utf8)) + [1, 2, 3])
        #expect(read.explicit.count == 1)
    }

    private func wide(_ text: String) -> [UInt8] {
        [0xFF, 0xFE]
            + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    @Test func `half a character at the end is no record`() async throws {
        #expect(try await read(wide(Self.text)).explicit.isEmpty)
        let whole = try await read(wide(Self.text) + [0x41])
        #expect(whole.titles == ["Reef", "Emma"])
        #expect(whole.explicit.count == 1)
        #expect(whole.explicit.first?.hasPrefix("library.csv ends within record 4 (line 4)") == true)

        let within = try await read(wide(String(Self.text.dropLast())) + [0x41])
        #expect(within.titles == ["Reef", "Emma"])
        #expect(within.notices == ["", ""])
        #expect(within.explicit.first?.hasPrefix("library.csv ends within record 3 (line 3)") == true)
    }
}
