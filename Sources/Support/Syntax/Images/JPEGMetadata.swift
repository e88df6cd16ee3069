import Bytes

/// Takes the metadata out of a JPEG (ITU T.81, annex B).
///
/// The segments that a decoder needs are copied byte for byte. Their structure is checked, so that a damaged length
/// does not make a part of them of what is behind them.
struct JPEGMetadata {
    private let header: ByteHeader
    private var clean: [UInt8] = [0xFF, 0xD8]
    private var place = 2
    /// The components of the frame header.
    private var components: Set<UInt8>?
    private var hasScan = false
    private var hasJFIF = false
    private var hasExif = false
    private var colors = ColorSegments()

    /// The first picture of a JPEG, without metadata. Its orientation stays.
    static func removed(from bytes: [UInt8]) throws(ImageProblem) -> [UInt8] {
        var metadata = Self(header: ByteHeader(bytes: bytes))
        metadata.clean.reserveCapacity(bytes.count)
        while try metadata.copySegment() {}
        metadata.colors.removeIfIncomplete(from: &metadata.clean)
        return metadata.clean
    }

    private init(header: ByteHeader) { self.header = header }

    /// - Returns: False behind the end of the picture. What follows are other pictures, videos and notes of phones.
    private mutating func copySegment() throws(ImageProblem) -> Bool {
        let start = place
        guard header.big(at: place, 1) == 0xFF else { throw .damaged }
        // A marker may be preceded by any number of fill bytes.
        while header.big(at: place, 1) == 0xFF { place += 1 }
        guard let marker = header.big(at: place, 1) else { throw .damaged }
        place += 1
        if marker == 0xD9 {
            guard hasScan else { throw .damaged }
            clean += header.bytes[start..<place]
            return false
        }
        guard let length = header.big(at: place, 2), length >= 2, place <= header.bytes.count - length else {
            throw .damaged
        }
        let content = place + 2..<place + length
        place = content.upperBound
        if 0xE0...0xEF ~= marker || marker == 0xFE {
            if !hasScan { copyApplication(marker, content) }
            return true
        }
        guard isSound(marker, content) else { throw .damaged }
        clean += header.bytes[start..<place]
        if marker == 0xDA {
            hasScan = true
            try copyScan()
        }
        return true
    }

    /// Copies what decoders need of an application's segment.
    private mutating func copyApplication(_ marker: Int, _ content: Range<Int>) {
        let start = content.lowerBound
        switch marker {
        case 0xE0 where header.has("JFIF\0", at: start) && content.count >= 14 && !hasJFIF:
            hasJFIF = true
            // The last two bytes say that there is no thumbnail.
            clean += [0xFF, 0xE0, 0, 16] + header.bytes[start..<start + 12] + [0, 0]
        case 0xEE where header.has("Adobe", at: start) && content.count >= 12:
            clean += [0xFF, 0xEE, 0, 14] + header.bytes[start..<start + 12]
        case 0xE1 where header.has(ExifOrientation.mark, at: start) && content.count >= 6 && !hasExif:
            hasExif = true
            if let turned = ExifOrientation.read(header, in: start + 6..<content.upperBound) {
                clean += ExifOrientation.segment(turned)
            }
        case 0xE2 where header.has(ColorSegments.mark, at: start) && content.count > 14:
            colors.append(header.bytes[content], to: &clean)
        default: break
        }
    }

    /// Whether a segment has the structure that its marker requires.
    private mutating func isSound(_ marker: Int, _ content: Range<Int>) -> Bool {
        let bytes = header.bytes[content]
        switch marker {
        case 0xC4: return hasHuffmanTables(bytes)
        case 0xDB: return hasQuantizationTables(bytes)
        // Conditions of arithmetic coding, for up to four tables of two kinds: a table and a value each.
        case 0xCC:
            return bytes.count.isMultiple(of: 2) && bytes.count <= 16
                && stride(from: content.lowerBound, to: content.upperBound, by: 2).allSatisfy {
                    bytes[$0] & 0xEC == 0
                }
        // The restart interval, and the number of lines.
        case 0xDD, 0xDC: return bytes.count == 2
        case 0xDA:
            guard let components, let count = bytes.first, 1...4 ~= count, bytes.count == 4 + 2 * Int(count)
            else { return false }
            return (0..<Int(count)).allSatisfy { components.contains(bytes[content.lowerBound + 1 + 2 * $0]) }
        case 0xC0...0xCF where marker != 0xC8:
            guard components == nil, bytes.count > 6, case let count = Int(bytes[content.lowerBound + 5]),
                1...4 ~= count, bytes.count == 6 + 3 * count
            else { return false }
            components = Set((0..<count).map { bytes[content.lowerBound + 6 + 3 * $0] })
            return true
        // Hierarchical and reserved ones; a second picture; a restart outside of a scan.
        default: return false
        }
    }

    private func hasHuffmanTables(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let kind = rest.popFirst() {
            let symbols = rest.prefix(16).reduce(0) { $0 + Int($1) }
            guard kind & 0xEC == 0, symbols <= 256, rest.count >= 16 + symbols else { return false }
            rest = rest.dropFirst(16 + symbols)
        }
        return !bytes.isEmpty
    }

    private func hasQuantizationTables(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let kind = rest.popFirst() {
            let length = kind >> 4 == 0 ? 64 : 128
            guard kind & 0xEC == 0, rest.count >= length else { return false }
            rest = rest.dropFirst(length)
        }
        return !bytes.isEmpty
    }

    /// Copies coded data, until a marker that is neither a stuffed zero nor a restart.
    private mutating func copyScan() throws(ImageProblem) {
        let start = place
        let end = header.bytes.withUnsafeBytes { bytes -> Int? in
            var place = start
            while let mark = bytes.offset(of: 0xFF, from: place) {
                place = mark
                while place < bytes.count, bytes[place] == 0xFF { place += 1 }
                guard place < bytes.count else { return nil }
                guard bytes[place] == 0 || 0xD0...0xD7 ~= bytes[place] else { return mark }
            }
            return nil
        }
        guard let end else { throw .damaged }
        clean += header.bytes[start..<end]
        place = end
    }
}

/// The segments of a JPEG that its color description is cut into (ICC.1:2022, B.4).
private struct ColorSegments {
    static let mark = "ICC_PROFILE\0"

    /// Where they are in the clean image.
    private var ranges: [Range<Int>] = []
    private var numbers: Set<UInt8> = []
    private var counts: Set<UInt8> = []
    private var joined = 0
    private var length: Int?

    mutating func append(_ content: ArraySlice<UInt8>, to clean: inout [UInt8]) {
        let data = content.dropFirst(14)
        let (number, count) = (content[content.startIndex + 12], content[content.startIndex + 13])
        if number == 1 { length = ByteHeader(bytes: Array(data.prefix(4))).big(at: 0, 4) }
        numbers.insert(number)
        counts.insert(count)
        joined += data.count
        let length = content.count + 2
        let start = clean.count
        clean += [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + content
        ranges.append(start..<clean.count)
    }

    /// A description whose parts do not give its length may have swallowed what is behind it. Decoders ignore it, too.
    func removeIfIncomplete(from clean: inout [UInt8]) {
        let isComplete =
            counts == [UInt8(truncatingIfNeeded: ranges.count)] && numbers.count == ranges.count
            && numbers.max().map(Int.init) == ranges.count && joined == length
        guard !isComplete, let first = ranges.first else { return }
        var kept = Array(clean[..<first.lowerBound])
        for (range, next) in zip(ranges, ranges.dropFirst().map(\.lowerBound) + [clean.count]) {
            kept += clean[range.upperBound..<next]
        }
        clean = kept
    }
}
