import System
import TestSupport
import Testing

@testable import Syntax

@Suite struct DecompressedFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func read(
        _ path: String, limit: InflateLimit = .text
    ) throws(ETLError) -> (bytes: [UInt8], file: DecompressedFile) {
        let file = try DecompressedFile(path, limit: limit)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 5_000, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while true {
            let count = try file.read(into: buffer)
            if count == 0 { return (bytes, file) }
            bytes += buffer[..<count]
        }
    }

    private func failure(_ path: String, limit: InflateLimit = .text) -> ETLError? {
        do throws(ETLError) {
            _ = try read(path, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a plain file larger than the block is read`() throws {
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let result = try read(folder.write(bytes, to: "plain.gz"))
        #expect(result.bytes == bytes)
        #expect(result.file.compression != .gzip)
        #expect(result.file.bytesRead == 700_000)
        #expect(result.file.size == 700_000)
    }

    @Test func `gzip is recognized by its bytes, not by its name`() throws {
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let packed = GzipBytes.stored(bytes) + GzipBytes.stored(bytes)
        let result = try read(folder.write(packed, to: "packed.txt"))
        #expect(result.bytes == bytes + bytes)
        #expect(result.file.compression == .gzip)
        #expect(result.file.bytesRead == Int64(packed.count))
    }

    @Test func `an empty file is read`() throws {
        #expect(try read(folder.write([], to: "empty")).bytes.isEmpty)
    }

    @Test func `truncated gzip is rejected with the file's name`() throws {
        let path = try folder.write(Array(GzipBytes.stored(Array("one\n".utf8)).dropLast(3)), to: "cut.gz")
        let refusal = failure(path)
        #expect(refusal?.kind == .unusableInput)
        #expect(refusal?.message == "`\(path)` is truncated: the gzip data ends too early.")
    }

    @Test func `a decompression bomb is rejected and trailing garbage is reported`() throws {
        let bomb = try folder.write(GzipBytes.zeros(1 << 20), to: "bomb.gz")
        #expect(failure(bomb, limit: .init(ratio: 50, allowance: 1 << 16))?.kind == .unusableInput)
        let page = try folder.write(GzipBytes.stored([0x61]) + Array("<html>".utf8), to: "page.gz")
        #expect(try read(page).file.hasTrailingGarbage)
    }

    @Test func `a missing file and a folder are reported as missing`() {
        #expect(failure(folder.file("nothing"))?.kind == .missing)
        #expect(failure(folder.path)?.kind == .missing)
    }
}
