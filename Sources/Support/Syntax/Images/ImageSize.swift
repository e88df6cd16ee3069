/// The width and height of an image in pixels, from its header.
///
/// They are those of the stored pixels. An image that is to be shown turned has another width on the screen.
package struct ImageSize: Sendable, Hashable {
    package let width: Int
    package let height: Int

    /// JPEG has no longer sides. A header that names longer ones is damaged or hostile.
    private static let sides = 1...65_535

    private init?(_ width: Int, _ height: Int) {
        guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
        (self.width, self.height) = (width, height)
    }

    /// Nil if the header is damaged.
    package init?(_ bytes: [UInt8], _ type: ImageType) {
        let header = ByteHeader(bytes: bytes)
        switch type {
        case .jpeg:
            guard let size = Self.jpeg(header) else { return nil }
            self = size
        case .png:
            guard let width = header.big(at: 16, 4), let height = header.big(at: 20, 4) else { return nil }
            self.init(width, height)
        case .gif:
            guard let width = header.little(at: 6, 2), let height = header.little(at: 8, 2) else {
                return nil
            }
            self.init(width, height)
        case .webp:
            guard let size = Self.webp(header) else { return nil }
            self = size
        case .heic:
            guard let (width, height) = try? HEIFSize.read(header) else { return nil }
            self.init(width, height)
        }
    }

    /// ITU T.81, B.1.1.3: markers begin with 0xFF. Those from SOF0 to SOF15, except DHT, JPG and DAC, are followed by
    /// the size.
    private static func jpeg(_ header: ByteHeader) -> ImageSize? {
        var place = 2
        while let mark = header.big(at: place, 1), let marker = header.big(at: place + 1, 1), mark == 0xFF {
            // A marker may be preceded by any number of fill bytes.
            guard marker != 0xFF else {
                place += 1
                continue
            }
            if 0xC0...0xCF ~= marker, marker != 0xC4, marker != 0xC8, marker != 0xCC {
                guard let height = header.big(at: place + 5, 2), let width = header.big(at: place + 7, 2)
                else {
                    return nil
                }
                return ImageSize(width, height)
            }
            // The image data begins, and no size came before it.
            guard marker != 0xDA, let length = header.big(at: place + 2, 2), length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    /// RFC 9649: a lossy, lossless or extended first chunk.
    private static func webp(_ header: ByteHeader) -> ImageSize? {
        switch header.big(at: 12, 4) {
        case 0x5650_3820:  // "VP8 "
            guard let width = header.little(at: 26, 2), let height = header.little(at: 28, 2) else {
                return nil
            }
            return ImageSize(width & 0x3FFF, height & 0x3FFF)
        case 0x5650_384C:  // "VP8L"
            guard let bits = header.little(at: 21, 4) else { return nil }
            return ImageSize(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case 0x5650_3858:  // "VP8X"
            guard let width = header.little(at: 24, 3), let height = header.little(at: 27, 3) else {
                return nil
            }
            return ImageSize(width + 1, height + 1)
        default: return nil
        }
    }
}
