import Foundation
import Glibc
import System
import TestSupport
import Testing

@testable import Books
@testable import Sources

/// Catalogs whose bytes are not those that were written.
@Suite struct CatalogChecksumsTests {
    private let folder: TemporaryFolder
    private let catalog: String

    init() async throws {
        folder = try TemporaryFolder()
        let fixture = try await CatalogFixture([
            DumpFixture.author(1, #""name": "Frank Herbert""#),
            DumpFixture.work(1, #""title": "Dune""#, author: 1),
            DumpFixture.edition(1, #""isbn_13": ["9780306406157"], "title": "Dune""#, work: 1),
        ])
        catalog = folder.file("c.sqlite")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: catalog)
    }

    private func flip(_ bit: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: catalog))
        bytes[bit / 8] ^= 1 << (bit % 8)
        try bytes.write(to: URL(filePath: catalog))
    }

    private var size: Int { get throws { try Data(contentsOf: URL(filePath: catalog)).count } }

    @Test func `a catalog is built with checksums, and opens as before`() async throws {
        #expect(CatalogChecksums.state(of: catalog) == .intact)
        #expect(try await Catalog(catalog).problems().isEmpty)
    }

    @Test func `any flipped bit is found before anything is read`() throws {
        let bits = try size * 8
        // All of the end, and some of the rest. Without the mark a catalog counts as one without checksums.
        let last = bits - 128
        let places =
            Array(stride(from: 0, to: last, by: bits / 50)) + stride(from: bits - 56 * 8, to: last, by: 5)
        for bit in places {
            try flip(bit)
            #expect(throws: ETLError.self, "bit \(bit) of \(bits)") { try Catalog(catalog) }
            try flip(bit)
        }
        _ = try Catalog(catalog)
    }

    @Test func `the message names the file and says what to do`() throws {
        try flip(size * 4)
        let failure = #expect(throws: ETLError.self) { try Catalog(catalog) }
        #expect(failure?.kind == .inputOutput)
        #expect(failure?.message.contains("c.sqlite` is damaged: the bytes from 0 on") == true)
        #expect(failure?.advice?.refers(to: UserCommand.buildCatalog(path: catalog)) == true)
    }

    @Test func `a checked file is not read again until it changes, except by doctor`() async throws {
        let opened = try Catalog(catalog)
        var status = stat()
        #expect(stat(catalog, &status) == 0)
        // The disk loses a bit; no program has written to the file.
        let descriptor = open(catalog, O_RDWR)
        var byte: UInt8 = 0
        let place = try off_t(size / 2)
        #expect(pread(descriptor, &byte, 1, place) == 1)
        byte ^= 4
        #expect(pwrite(descriptor, &byte, 1, place) == 1)
        futimens(descriptor, [status.st_atim, status.st_mtim])
        close(descriptor)
        await #expect(throws: ETLError.self) { _ = try await opened.problems() }
        // Copied, it is another file.
        let copy = folder.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: catalog, toPath: copy)
        #expect(throws: ETLError.self) { try Catalog(copy) }
    }

    @Test func `a catalog without checksums is read as before`() throws {
        let bytes = try size
        #expect(truncate(catalog, off_t(bytes - 1)) == 0)
        #expect(CatalogChecksums.state(of: catalog) == .without)
        _ = try Catalog(catalog)
    }

    @Test func `appended twice, the checksums are there once`() throws {
        let before = try Data(contentsOf: URL(filePath: catalog))
        try CatalogChecksums.append(to: catalog)
        #expect(try Data(contentsOf: URL(filePath: catalog)) == before)
        #expect(throws: ETLError.self) { try CatalogChecksums.append(to: folder.file("missing")) }
        #expect(throws: ETLError.self) {
            try CatalogChecksums.append(to: folder.write("short", to: "short"))
        }
    }
}
