import TestSupport
import Testing

@testable import Books

@Suite struct ISBNVectorTests {
    struct Vector { var operation, input, expected: String }

    private static func vectors(_ file: String) throws -> [Vector] {
        let text = String(decoding: try TestFiles.bytes(file), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).dropFirst().map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Vector(operation: columns[0], input: columns[1], expected: columns[2])
        }
    }

    @Test(
        arguments: TestFiles.cases(own: [("isbn/etl_vectors.tsv", 29)], shared: [("isbn/vectors.tsv", 79)]))
    func `test vectors pass`(file: String, count: Int) throws {
        let vectors = try Self.vectors(file)
        #expect(vectors.count == count)
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
