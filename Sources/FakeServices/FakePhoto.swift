import Bytes

/// Pictures whose pixels are text, for tests: what a model is to read in them travels with the picture, whatever is removed
/// from its metadata.
package enum FakePhoto {
    private static let width = 64

    /// A PNG with 8 bits of gray a pixel, whose pixels are the bytes of a text and blanks behind it.
    package static func png(_ text: String) -> [UInt8] {
        var pixels = Array(text.utf8)
        let rows = max(width, (pixels.count + width - 1) / width)
        pixels += [UInt8](repeating: UInt8(ascii: " "), count: rows * width - pixels.count)
        var raw: [UInt8] = []
        for row in 0..<rows { raw += [0] + pixels[row * width..<(row + 1) * width] }
        let header = big(width) + big(rows) + [8, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", zlib(raw)) + chunk("IEND", [])
    }

    /// The text of such a picture; nil if it is another one.
    static func text(in png: [UInt8]) -> String? {
        var (place, data) = (8, [UInt8]())
        while place + 12 <= png.count {
            let length = png[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard place + 12 + length <= png.count else { return nil }
            if png[place + 4..<place + 8].elementsEqual("IDAT".utf8) {
                data += png[place + 8..<place + 8 + length]
            }
            place += 12 + length
        }
        guard let raw = stored(data) else { return nil }
        var text: [UInt8] = []
        for row in stride(from: 0, to: raw.count - width, by: width + 1) {
            text += raw[row + 1...row + width]
        }
        while text.last == UInt8(ascii: " ") { text.removeLast() }
        guard text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "{") else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: zlib, with blocks that are not compressed

    private static func zlib(_ raw: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: raw.count, by: 65_535) {
            let block = raw[start..<min(raw.count, start + 65_535)]
            let count = UInt16(block.count)
            out += [block.endIndex == raw.count ? 1 : 0]
            out += [UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)] + block
        }
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in raw {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return out + big(Int(b << 16 | a))
    }

    private static func stored(_ data: [UInt8]) -> [UInt8]? {
        var (place, raw) = (2, [UInt8]())
        while place + 5 <= data.count {
            let (isLast, count) = (data[place], Int(data[place + 1]) | Int(data[place + 2]) << 8)
            guard isLast <= 1, place + 5 + count <= data.count else { return nil }
            raw += data[place + 5..<place + 5 + count]
            if isLast == 1 { return raw }
            place += 5 + count
        }
        return nil
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in body {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
        }
        return big(content.count) + body + big(Int(~checksum))
    }

    private static func big(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
