import Syntax
import System
import TestSupport
import Testing

@Suite struct ZipArchiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `its files are listed and read, folders are not`() throws {
        let path = try folder.write(
            ZipBytes.archive([("a.csv", Array("x\n".utf8)), ("dir/", []), ("dir/ü.csv", Array("y".utf8))]),
            to: "a.zip")
        let archive = try ZipArchive(path)
        #expect(archive.entries.map(\.name) == ["a.csv", "dir/ü.csv"])
        let entry = try #require(archive.entry(named: "dir/ü.csv"))
        let source = try archive.bytes(of: entry)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
        defer { buffer.deallocate() }
        #expect(try source.read(into: buffer) == 1)
        #expect(buffer[0] == UInt8(ascii: "y"))
        #expect(try source.read(into: buffer) == 0)
    }

    @Test func `files whose names look alike are told apart`() throws {
        let names = ["caf\u{E9}.csv", "cafe\u{301}.csv"]
        let path = try folder.write(
            ZipBytes.archive(names.enumerated().map { ($1, [UInt8](repeating: 65, count: $0 + 1)) }),
            to: "a.zip")
        let archive = try ZipArchive(path)
        #expect(names.map { archive.entry(named: $0)?.size } == [1, 2])
    }

    @Test func `damage and wrong lengths are failures`() throws {
        let whole = ZipBytes.archive([("a.csv", [UInt8](repeating: 65, count: 200))])
        for length in stride(from: 0, to: whole.count, by: 7) {
            let path = try folder.write(Array(whole[..<length]), to: "cut.zip")
            #expect(throws: ETLError.self) { _ = try ZipArchive(path) }
        }
        var wrong = whole
        wrong[60] = 66
        let path = try folder.write(wrong, to: "wrong.zip")
        let archive = try ZipArchive(path)
        let source = try archive.bytes(of: archive.entries[0])
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { buffer.deallocate() }
        #expect(throws: ETLError.self) { while try source.read(into: buffer) > 0 {} }
    }

    @Test func `an archive that says it has very many files is refused before they are listed`() throws {
        var bytes = ZipBytes.archive([("a", [])])
        for at in [10, 11, 8, 9] { bytes[bytes.count - 22 + at] = 0xFF }
        let path = try folder.write(bytes, to: "many.zip")
        #expect(throws: ETLError.self) { _ = try ZipArchive(path) }
    }

    @Test func `a path into a file is not one into a folder`() throws {
        let path = try folder.write(ZipBytes.archive([("a", [])]), to: "a.zip")
        #expect(ArchivePath("\(path)/b/c.csv")?.part == "b/c.csv")
        #expect(ArchivePath(path) == nil)
        #expect(ArchivePath("\(folder.path)/nothing/c.csv") == nil)
        #expect(ArchivePath.file(of: "\(path)/b") == path)
    }
}
