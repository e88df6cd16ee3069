import Foundation
import Testing

@testable import Books

@Suite struct ISBNVectorTests {
    struct Vector { var operation, input, expected: String }

    static func vectors() throws -> [Vector] {
        try SharedISBNData.lines("isbn/vectors.tsv").dropFirst().map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Vector(operation: columns[0], input: columns[1], expected: columns[2])
        }
    }

    @Test(
        .enabled("needs real files that are not in the repository") { SharedISBNData.has("isbn/vectors.tsv") }
    )
    func `published test vectors pass`() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count > 70)
        for vector in vectors {
            let answer = ISBNAnswer(.check, vector.input)
            let expected = vector.expected.isEmpty ? nil : vector.expected
            let reading = vector.input.isEmpty ? ISBNReading.absent : Self.reading(vector.input)
            switch vector.operation {
            case "is_isbn10":
                let isValid = answer.verdict == "valid" && reading.length == 10
                #expect(isValid == (vector.expected == "True"), "\(vector)")
            case "is_isbn13":
                let isValid = answer.verdict == "valid" && reading.length == 13
                #expect(isValid == (vector.expected == "True"), "\(vector)")
            case "to_isbn10": #expect(ISBNAnswer(.toTen, vector.input).isbn10 == expected, "\(vector)")
            case "to_isbn13": #expect(ISBNAnswer(.toThirteen, vector.input).isbn13 == expected, "\(vector)")
            case "check_digit10", "check_digit13":
                #expect(ISBNAnswer(.checkDigit, vector.input).checkDigit == expected, "\(vector)")
            case "canonical", "ean13": continue  // operations of another library that etl does not have
            default: Issue.record("unknown operation \(vector.operation)")
            }
        }
    }

    private static func reading(_ text: String) -> ISBNReading {
        Array(text.utf8).withUnsafeBytes(ISBNReader.reading)
    }
}

/// Real files, which are not part of the repository; tests are skipped without them.
enum SharedISBNData {
    static let folder: URL? = {
        var folder = URL(fileURLWithPath: #filePath)
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            guard FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) else {
                continue
            }
            let data = folder.deletingLastPathComponent().appending(path: "shared/data")
            return FileManager.default.fileExists(atPath: data.path) ? data : nil
        }
        return nil
    }()

    static func has(_ path: String) -> Bool {
        folder.map { FileManager.default.fileExists(atPath: $0.appending(path: path).path) } ?? false
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        guard let folder else { return [] }
        return try Array(Data(contentsOf: folder.appending(path: path)))
    }

    static func lines(_ path: String) throws -> [Substring] {
        try String(decoding: bytes(path), as: UTF8.self).split(whereSeparator: \.isNewline)
    }
}
