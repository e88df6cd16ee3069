import Bytes

/// Takes the metadata out of a PNG (W3C PNG, third edition).
enum PNGMetadata {
    /// The critical chunks.
    private static let critical: Set = ["IHDR", "PLTE", "IDAT", "IEND"]
    /// The other chunks that change the picture, with the number of bytes that they have at most.
    private static let picture = [
        "tRNS": 256 * 2, "gAMA": 4, "cHRM": 32, "sRGB": 1, "sBIT": 4, "bKGD": 6, "pHYs": 9, "cICP": 4,
        "iCCP": 16 << 20,
    ]

    /// The picture of a PNG, without other chunks and without what is behind its end.
    static func removed(from bytes: [UInt8]) throws(ImageProblem) -> [UInt8] {
        let header = ByteHeader(bytes: bytes)
        var clean = Array(bytes.prefix(8))
        clean.reserveCapacity(bytes.count)
        var place = 8
        var hasData = false
        while let length = header.big(at: place, 4), let name = header.name(at: place + 4) {
            guard length <= bytes.count - place - 12 else { throw .damaged }
            let chunk = place..<place + 12 + length
            guard (place == 8) == (name == "IHDR") else { throw .damaged }
            place = chunk.upperBound
            if critical.contains(name) {
                guard isSound(header, chunk) else { throw .damaged }
            } else {
                // A decoder cannot show a picture with a critical chunk that it does not know.
                guard let first = name.utf8.first, first & 0x20 != 0 else { throw .damaged }
                guard let most = picture[name], length <= most else { continue }
                guard isSound(header, chunk) else { throw .damaged }
            }
            clean += bytes[chunk]
            hasData = hasData || name == "IDAT"
            guard name == "IEND" else { continue }
            guard hasData, length == 0 else { throw .damaged }
            return clean
        }
        throw .damaged
    }

    /// Whether a chunk's checksum is right. If its length or name is damaged, it is not.
    private static func isSound(_ header: ByteHeader, _ chunk: Range<Int>) -> Bool {
        let sum = header.bytes.withUnsafeBytes { bytes in
            CRC32.sum(UnsafeRawBufferPointer(rebasing: bytes[chunk.lowerBound + 4..<chunk.upperBound - 4]))
        }
        return header.big(at: chunk.upperBound - 4, 4) == sum
    }
}
