/// The chunks of a WebP (RFC 9649).
enum WebPChunks {
    private static let kept: [StaticString] = ["VP8 ", "VP8L", "VP8X", "ALPH", "ICCP"]
    private static let (animation, exif, xmp): (UInt8, UInt8, UInt8) = (0x02, 0x08, 0x04)
    private static let headerBytes = 12

    /// Whether it has several pictures.
    static func isAnimated(_ image: [UInt8]) -> Bool {
        let header = ByteHeader(bytes: image)
        return header.has("VP8X", at: headerBytes) && image.count > 20 && image[20] & animation != 0
    }

    /// The image with no other chunks, and nothing behind its end; nil if it is damaged.
    static func clean(_ image: [UInt8]) -> [UInt8]? {
        let header = ByteHeader(bytes: image)
        guard let length = header.little(at: 4, 4), length >= 4, length + 8 <= image.count else { return nil }
        let end = length + 8
        var clean = Array(image.prefix(headerBytes))
        clean.reserveCapacity(end)
        var (place, hasPicture) = (headerBytes, false)
        while place < end {
            guard let size = header.little(at: place + 4, 4) else { return nil }
            // A chunk of odd length has a byte more, which is 0.
            let next = place + 8 + size + size % 2
            guard place + 8 + size <= end, next <= image.count else { return nil }
            if kept.contains(where: { header.has($0, at: place) }) {
                let start = clean.count
                clean += image[place..<place + 8 + size] + [UInt8](repeating: 0, count: size % 2)
                if header.has("VP8X", at: place) {
                    guard size >= 10 else { return nil }
                    clean[start + 8] &= ~(exif | xmp | animation)
                }
                if header.has("VP8 ", at: place) || header.has("VP8L", at: place) { hasPicture = true }
            }
            place = next
        }
        guard hasPicture else { return nil }
        let count = clean.count - 8
        for byte in 0..<4 { clean[4 + byte] = UInt8(truncatingIfNeeded: count >> (8 * byte)) }
        return clean
    }
}
