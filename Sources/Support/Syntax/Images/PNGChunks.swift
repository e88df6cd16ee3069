/// The chunks of a PNG (PNG Specification, third edition).
enum PNGChunks {
    /// Chunks that decoders need, or on which the colors depend.
    private static let kept: [StaticString] = [
        "IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "pHYs", "cICP",
    ]
    private static let signatureBytes = 8

    /// The image with no other chunks, and nothing behind its end; nil if it is damaged.
    static func clean(_ image: [UInt8]) -> [UInt8]? {
        let header = ByteHeader(bytes: image)
        var clean = Array(image.prefix(signatureBytes))
        clean.reserveCapacity(image.count)
        var (place, hasData) = (signatureBytes, false)
        while let length = header.big(at: place, 4) {
            // Length, type, content and checksum.
            let next = place + 12 + length
            guard next <= image.count else { return nil }
            if header.has("IEND", at: place + 4) {
                guard hasData, length == 0 else { return nil }
                return clean + image[place..<next]
            }
            if kept.contains(where: { header.has($0, at: place + 4) }) {
                // The description of the colors has a name, which is text of whoever made it.
                clean += image[place..<next]
                if header.has("IDAT", at: place + 4) { hasData = true }
            } else if isCritical(image[place + 4]) {
                return nil
            }
            place = next
        }
        return nil
    }

    /// Whether decoders must know a chunk whose type begins with this letter.
    private static func isCritical(_ letter: UInt8) -> Bool { letter & 0x20 == 0 }
}
