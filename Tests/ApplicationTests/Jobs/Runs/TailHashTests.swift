import Foundation
import System
import TestSupport
import Testing

@testable import Jobs
@testable import Store

@Suite struct TailHashTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func digest(_ bytes: [UInt8], before byte: Int64, file: Int = 0) throws -> Int64? {
        let path = try folder.write(bytes, to: "input.csv")
        return TailHash(files: [path]).digest(before: Position(file: file, byte: byte, line: 1, record: 1))
    }

    private let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    @Test(arguments: [1, 1_000, 65_535, 65_536, 65_537, 200_000])
    func `bytes after the position do not matter, bytes before it do`(byte: Int) throws {
        let digest = try digest(bytes, before: Int64(byte))
        #expect(digest != nil)
        var changed = bytes
        if byte < bytes.count { changed[byte] ^= 1 }
        #expect(try self.digest(changed, before: Int64(byte)) == digest)
        changed[byte - 1] ^= 1
        #expect(try self.digest(changed, before: Int64(byte)) != digest)
    }

    @Test(arguments: [-1, .min] as [Int64])
    func `a position before the file has no digest`(byte: Int64) throws {
        #expect(try digest(bytes, before: byte) == nil)
    }

    @Test func `it covers its length and no more`() throws {
        let end = 150_000
        let digest = try digest(bytes, before: Int64(end))
        var changed = bytes
        changed[end - Int(TailHash.length)] ^= 1
        #expect(try self.digest(changed, before: Int64(end)) != digest)
        changed = bytes
        changed[end - Int(TailHash.length) - 1] ^= 1
        #expect(try self.digest(changed, before: Int64(end)) == digest)
    }

    @Test func `a truncated file has another hash`() throws {
        let digest = try digest(bytes, before: 100_000)
        #expect(try self.digest(Array(bytes[..<99_999]), before: 100_000) != digest)
    }

    @Test func `the start of a file has a hash, and so has an empty file`() throws {
        #expect(try digest(bytes, before: 0) != nil)
        #expect(try digest([], before: 0) == digest(bytes, before: 0))
    }

    @Test func `a position beyond the end counts as the end, for compressed files`() throws {
        #expect(try digest(bytes, before: 1 << 40) == digest(bytes, before: 200_000))
    }

    @Test func `an unreadable file has no hash`() throws {
        #expect(try digest(bytes, before: 10, file: 1) == nil)
        let gone = TailHash(files: [folder.file("gone.csv")])
        #expect(gone.digest(before: .start) == nil)
    }
}

@Suite struct AbsolutePathTests {
    private let folder: TemporaryFolder
    private let real: String

    init() throws {
        folder = try TemporaryFolder()
        real = StorePath.real(folder.path)
        try FileManager.default.createDirectory(
            atPath: folder.file("shelf/deep"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file("shelf/deep"))
    }

    @Test(arguments: [
        ("shelf/../lib.csv", "lib.csv"), ("shelf/deep/../../lib.csv", "lib.csv"), ("./lib.csv", "lib.csv"),
        ("link/../lib.csv", "shelf/lib.csv"), ("link", "link"), ("link/lib.csv", "shelf/deep/lib.csv"),
        ("shelf/..", ""),
    ])
    func `all spellings of a folder give the same path, and the file keeps its name`(
        path: String, expected: String
    ) {
        #expect(AbsolutePath.of(folder.file(path)) == (expected.isEmpty ? real : real + "/" + expected))
    }

    @Test func `a relative path with parent folders is resolved as the system does`() {
        let here = StorePath.real(FileManager.default.currentDirectoryPath)
        let above = here.split(separator: "/").dropLast().joined(separator: "/")
        #expect(AbsolutePath.of("../lib.csv") == "/" + above + "/lib.csv")
        #expect(AbsolutePath.of("lib.csv") == here + "/lib.csv")
    }

    @Test func `a path in a missing folder is unchanged`() {
        #expect(AbsolutePath.of(folder.file("nowhere/lib.csv")) == folder.file("nowhere/lib.csv"))
        #expect(AbsolutePath.of("nowhere-at-all/lib.csv").hasSuffix("/nowhere-at-all/lib.csv"))
    }
}
