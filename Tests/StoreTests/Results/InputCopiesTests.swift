import Foundation
import System
import TestSupport
import Testing

@testable import Database
@testable import Store

@Suite struct InputCopiesTests {
    private let folder: TemporaryFolder
    private let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try StoreFile.openForWriting(folder.file("library.sqlite"))
    }

    private func content(_ file: Int, ofJob job: Int64 = 1) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try InputCopies(connection).read(file: file, ofJob: job) { bytes += $0 }
        return bytes
    }

    @Test(arguments: [1, 1 << 20 - 1, 1 << 20, 1 << 20 + 1, 3 << 20])
    func `a copy has the bytes of the file`(size: Int) throws {
        var random = SeededGenerator(seed: 3)
        let random20 = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
        let bytes = (0..<size).map { random20[$0 % 20] &+ UInt8(truncatingIfNeeded: $0 >> 12) }
        let copies = InputCopies(connection)
        #expect(try !copies.exist(ofJob: 1))
        let first = try folder.write(bytes, to: "a.csv")
        let second = try folder.write("b", to: "b.csv")
        try copies.save([first, second], ofJob: 1)
        #expect(try copies.exist(ofJob: 1) && !copies.exist(ofJob: 2))
        #expect(try content(0) == bytes)
        #expect(try content(1) == Array("b".utf8))
        try copies.remove(ofJob: 1)
        #expect(try !copies.exist(ofJob: 1))
    }

    @Test func `if a file cannot be read, nothing is stored`() throws {
        let copies = InputCopies(connection)
        let file = try folder.write("a", to: "a.csv")
        #expect(throws: ETLError.self) { try copies.save([file, folder.file("none.csv")], ofJob: 1) }
        #expect(try !copies.exist(ofJob: 1))
    }

    @Test(
        arguments: [
            "DELETE FROM job_inputs WHERE number = 1", "UPDATE job_inputs SET bytes = x'02' WHERE number = 1",
            "UPDATE job_inputs SET number = -1 WHERE number = 0",
        ])
    func `a damaged copy is not used`(damage: String) throws {
        let file = try folder.write([UInt8](repeating: 7, count: 3 << 20), to: "a.csv")
        try InputCopies(connection).save([file], ofJob: 1)
        try connection.execute(damage)
        let failure = #expect(throws: ETLError.self) { try content(0) }
        #expect(failure?.kind == .inputOutput)
    }
}
