/// The bytes of small images with a valid header only.
package enum ImageFixture {
    /// A JPEG: an APP0 segment, then the size.
    package static func jpeg(
        _ width: Int = 300, _ height: Int = 450, filling byte: UInt8 = 7, count: Int = 5_000
    )
        -> [UInt8]
    {
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xC0, 0, 11, 8] + big(height, 2) + big(width, 2)
            + [UInt8](repeating: byte, count: count)
    }

    package static func png(_ width: Int, _ height: Int) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + big(width, 4)
            + big(height, 4) + [UInt8](repeating: 0, count: 200)
    }

    package static func gif(_ width: Int, _ height: Int) -> [UInt8] {
        Array("GIF89a".utf8) + big(width, 2).reversed() + big(height, 2).reversed()
            + [UInt8](repeating: 0, count: 200)
    }

    /// - Parameter kind: The first chunk: `VP8 `, `VP8L` or `VP8X`.
    package static func webp(_ kind: String, _ width: Int, _ height: Int) -> [UInt8] {
        let start = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP\(kind)".utf8) + [0, 0, 0, 0]
        let size: [UInt8] =
            switch kind {
            case "VP8 ":
                [0, 0, 0, 0x9D, 0x01, 0x2A] + big(width, 2).reversed() + big(height, 2).reversed()
            case "VP8L": [0x2F] + big((height - 1) << 14 | (width - 1), 4).reversed()
            default: [0, 0, 0, 0] + big(width - 1, 3).reversed() + big(height - 1, 3).reversed()
            }
        return start + size + [UInt8](repeating: 0, count: 200)
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
