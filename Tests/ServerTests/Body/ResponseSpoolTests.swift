import Glibc
import System
import TestSupport
import Testing

@testable import Server

/// Long answers while they are written to a file.
@Suite struct ResponseSpoolTests {
    private static func write(_ count: Int, to spool: ResponseSpool) throws(ETLError) {
        var failure: ETLError?
        [UInt8](repeating: 120, count: count).withUnsafeBytes { bytes in
            do throws(ETLError) { try spool.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private static func failure(of spool: ResponseSpool) -> ETLError? {
        do throws(ETLError) { _ = try spool.response(200, type: "text/csv") } catch { return error }
        return nil
    }

    @Test func `an answer whose last bytes find the disk full is a failure, not these bytes`() throws {
        let folder = try TemporaryFolder()
        let file = open(folder.file("answer"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        let spool = ResponseSpool(
            opening: { () throws(UploadFolder.Refusal) in file }, isAbandoned: { false })
        try Self.write((1 << 20) + 1, to: spool)
        let full = open("/dev/full", O_RDWR | O_CLOEXEC)
        try #require(dup2(full, file) == file)
        close(full)
        try Self.write(10, to: spool)
        #expect(Self.failure(of: spool)?.kind == .temporary)
    }

    @Test func `long answers that nobody reads count for their user, and no longer when they are gone`()
        throws
    {
        let folder = try TemporaryFolder()
        let uploads = try UploadFolder(folder.file("uploads"), limit: 4 << 20, quota: 8 << 20)
        var responses: [Response] = []
        for _ in 0..<2 {
            let spool = ResponseSpool(uploads, for: "anna", isAbandoned: { false })
            try Self.write(3 << 20, to: spool)
            responses.append(try spool.response(200, type: "text/csv"))
        }
        #expect(uploads.usedBytes == 6 << 20)
        let third = ResponseSpool(uploads, for: "anna", isAbandoned: { false })
        #expect(throws: ETLError.self) { try Self.write(3 << 20, to: third) }
        let other = ResponseSpool(uploads, for: "ben", isAbandoned: { false })
        try Self.write(3 << 19, to: other)
        responses = []
        #expect(uploads.usedBytes == 3 << 19, "those of ben")
    }
}
