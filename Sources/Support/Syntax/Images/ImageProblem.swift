/// Why a file is not taken as a photo.
package enum ImageProblem: Error, Sendable, Hashable {
    /// There are no bytes.
    case empty
    /// The file is something else than a JPEG, PNG, WebP or HEIC: `a PDF`. Nil if it is not known what it is.
    case notAPhoto(kind: String?)
    /// The file is cut, or its parts contradict each other. What may be hidden in it cannot be removed for sure.
    case damaged
    /// The file holds more than one picture in time: an animation or a video.
    case animated
}

extension ImageProblem {
    /// What bytes that are no photo look like, with an article; nil if that is not known.
    static func kind(of bytes: [UInt8]) -> String? {
        let header = ByteHeader(bytes: bytes)
        for (begin, kind) in beginnings where bytes.starts(with: begin) { return kind }
        if header.has("RIFF", at: 0), header.has("AVI ", at: 8) { return "a video" }
        if let brands = MediaBox.brands(bytes) {
            if !brands.isDisjoint(with: ImageType.brandsOfAVIF) { return "an AVIF image" }
            return brands.contains("crx ") ? "a raw image" : "a video"
        }
        return isText(bytes.prefix(512)) ? "a text" : nil
    }

    private static let beginnings: [([UInt8], String)] = [
        (Array("%PDF-".utf8), "a PDF"), (Array("GIF8".utf8), "a GIF"), (Array("BM".utf8), "a BMP image"),
        (Array("II*\0".utf8), "a TIFF or raw image"), (Array("MM\0*".utf8), "a TIFF or raw image"),
        (Array("PK\u{3}\u{4}".utf8), "a zip archive"), ([0x1F, 0x8B], "a gzip archive"),
        ([0xFF, 0x0A], "a JPEG XL image"), ([0, 0, 0, 12] + Array("JXL ".utf8), "a JPEG XL image"),
        ([0, 0, 0, 12] + Array("jP  ".utf8), "a JPEG 2000 image"), ([0x1A, 0x45, 0xDF, 0xA3], "a video"),
        (Array("FUJIFILMCCD-RAW".utf8), "a raw image"), (Array("SQLite format 3".utf8), "a database"),
    ]

    /// Whether the bytes are UTF-8 without control characters. The last character may be cut.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) }) else { return false }
        return (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }
}
