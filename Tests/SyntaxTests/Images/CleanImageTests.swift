import Testing

@testable import Syntax
@testable import TestSupport

/// Images are cleaned of everything that names places, people, devices or times.
@Suite struct CleanImageTests {
    /// What may be nowhere in a clean image.
    private static let secret = "SECRET-PLACE"

    /// Files with notes in Exif, XMP, IPTC and comments, as far as their form has them; two have something behind their end.
    private static func images() throws -> [(ImageType, [UInt8])] {
        try [ImageType.jpeg, .png, .webp, .heic].map { type in
            (type, try TestFiles.bytes("photos/etl_shelf.\(type.fileExtension)"))
        }
    }

    private func tells(_ bytes: [UInt8]) -> Bool {
        let secret = Array(Self.secret.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: secret) }
    }

    @Test func `the notes of a camera are gone, and the picture is unchanged`() throws {
        for (type, image) in try Self.images() {
            #expect(tells(image), "\(type)")
            let clean = try CleanImage(image)
            #expect(clean.type == type && !tells(clean.bytes), "\(type)")
            // A HEIC has whole blocks, of which a part is shown.
            let stored = type == .heic ? [64, 64] : [48, 40]
            #expect([clean.size.width, clean.size.height] == stored, "\(type)")
            #expect(try CleanImage(clean.bytes) == clean, "\(type): cleaning again changes nothing")
        }
    }

    @Test func `the orientation of a JPEG stays, and nothing else of its notes`() throws {
        let clean = try CleanImage(TestFiles.bytes("photos/etl_shelf.jpg"))
        let mark = Array(ExifOrientation.mark.utf8)
        let start = try #require(clean.bytes.indices.first { clean.bytes[$0...].starts(with: mark) })
        let header = ByteHeader(bytes: clean.bytes)
        #expect(ExifOrientation.read(header, in: start + 6..<clean.bytes.count) == 6)
        #expect(clean.bytes[start - 4..<start].elementsEqual([0xFF, 0xE1, 0, 34]))
    }

    @Test func `other files are named, and nothing of them is taken`() {
        let files: [([UInt8], ImageProblem)] = [
            ([], .empty), (Array("%PDF-1.7".utf8), .notAPhoto(kind: "a PDF")),
            (ImageFixture.gif(100, 100), .notAPhoto(kind: "a GIF")),
            (Array("PK\u{3}\u{4}".utf8), .notAPhoto(kind: "a zip archive")),
            ([0, 0, 0, 16] + Array("ftypavif".utf8) + [0, 0, 0, 0], .notAPhoto(kind: "an AVIF image")),
            ([0, 0, 0, 16] + Array("ftypmp42".utf8) + [0, 0, 0, 0], .notAPhoto(kind: "a video")),
            (Array("Dear diary".utf8), .notAPhoto(kind: "a text")), ([0, 1, 2, 3], .notAPhoto(kind: nil)),
        ]
        for (file, problem) in files { #expect(throws: problem) { _ = try CleanImage(file) } }
    }

    /// Whatever is damaged, the notes are gone or the image is refused. Damage can hide notes from every reader as well: then
    /// they are in a part that is kept because it claims to be something else.
    @Test func `an image that is cut off is refused`() throws {
        for (type, image) in try Self.images() {
            for count in 0..<image.count {
                let cut = Array(image.prefix(count))
                guard let clean = try? CleanImage(cut) else { continue }
                #expect(!tells(clean.bytes), "\(type) of \(count) bytes")
            }
        }
    }

    @Test func `damage of any kind neither ends the program nor adds bytes`() throws {
        var random = SystemRandomNumberGenerator()
        for (_, image) in try Self.images() {
            for _ in 0..<4_000 {
                var damaged = image
                for _ in 0...Int.random(in: 0...3, using: &random) {
                    damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(
                        in: 0...255, using: &random)
                }
                guard let clean = try? CleanImage(damaged) else { continue }
                #expect(clean.bytes.count <= damaged.count + 40)
                #expect((try? CleanImage(clean.bytes)) == clean)
            }
        }
    }

    @Test func `lengths that are only claimed cost nothing`() {
        let claims: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF],
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFF, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8),
            Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WEBPVP8 ".utf8) + [
                0xFF, 0xFF, 0xFF, 0xFF,
            ],
            [0, 0, 0, 16] + Array("ftypheic".utf8) + [0, 0, 0, 0, 0, 0, 0, 1] + Array("meta".utf8)
                + [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ]
        for claim in claims { #expect(throws: ImageProblem.damaged) { _ = try CleanImage(claim) } }
    }
}
