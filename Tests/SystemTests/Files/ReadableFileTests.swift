import Glibc
import TestSupport
import Testing

@testable import System

@Suite struct ReadableFileTests {
    @Test func `text is read without a byte order mark, and only if it is UTF-8`() throws {
        let folder = try TemporaryFolder()
        #expect(try ReadableFile.text(of: try folder.write([0xEF, 0xBB, 0xBF, 0x61], to: "mark")) == "a")
        #expect(try ReadableFile.text(of: try folder.write([0xEF, 0xBB, 0x61], to: "half")) == nil)
        #expect(try ReadableFile.text(of: try folder.write([], to: "empty")) == "")
        #expect(throws: ReadableFile.Refusal.folder) { try ReadableFile.text(of: folder.path) }
        #expect(throws: ReadableFile.Refusal.system(ENOENT)) {
            try ReadableFile.text(of: folder.path + "/none")
        }
    }

    @Test func `a file that is longer than a piece is read whole`() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let folder = try TemporaryFolder()
        #expect(try ReadableFile.contents(of: folder.write(bytes, to: "long")) == bytes)
    }
}
