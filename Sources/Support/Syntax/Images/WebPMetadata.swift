/// Takes the metadata out of a WebP (RFC 9649).
struct WebPMetadata {
    /// Flags of an extended file.
    private enum Flag {
        static let animation: UInt8 = 0x02
        static let xmp: UInt8 = 0x04
        static let exif: UInt8 = 0x08
        static let alpha: UInt8 = 0x10
        static let colors: UInt8 = 0x20
    }

    private let header: ByteHeader
    private var clean = Array("RIFF\0\0\0\0WEBP".utf8)
    /// The chunks found so far.
    private var names: Set<String> = []
    private var flags: UInt8 = 0
    private var hasColors = false

    /// The picture of a WebP, without other chunks and without what is behind its end.
    static func removed(from bytes: [UInt8]) throws(ImageProblem) -> [UInt8] {
        var metadata = Self(header: ByteHeader(bytes: bytes))
        metadata.clean.reserveCapacity(bytes.count)
        guard let size = metadata.header.little(at: 4, 4), size <= bytes.count - 8 else { throw .damaged }
        var place = 12
        while place < 8 + size { place = try metadata.copyChunk(at: place, end: 8 + size) }
        try metadata.finish()
        return metadata.clean
    }

    private init(header: ByteHeader) { self.header = header }

    /// - Returns: The place behind the chunk. A chunk of odd length is followed by a byte without meaning.
    private mutating func copyChunk(at place: Int, end: Int) throws(ImageProblem) -> Int {
        guard let name = header.name(at: place), let length = header.little(at: place + 4, 4),
            length <= end - place - 8
        else { throw .damaged }
        let content = place + 8..<place + 8 + length
        let isNew = names.insert(name).inserted
        switch name {
        case "VP8X":
            guard place == 12, length == 10 else { throw .damaged }
            flags = header.bytes[content.lowerBound]
            // The reserved bytes become zero; so do the flags, until all chunks are known.
            append(name, [0, 0, 0, 0] + header.bytes[content.lowerBound + 4..<content.upperBound])
        case "ANIM", "ANMF": throw .animated
        case "VP8 ", "VP8L", "ALPH":
            guard isNew, isSound(name, content) else { throw .damaged }
            append(name, header.bytes[content])
        case "ICCP":
            guard isNew else { throw .damaged }
            // A description that is longer than it says may have swallowed what is behind it.
            guard header.isColorDescription(content), names.contains("VP8X") else { break }
            hasColors = true
            append(name, header.bytes[content])
        default: break
        }
        return content.upperBound + length & 1
    }

    private func isSound(_ name: String, _ content: Range<Int>) -> Bool {
        let start = content.lowerBound
        switch name {
        case "VP8 ": return content.count >= 10 && header.big(at: start + 3, 3) == 0x9D012A
        case "VP8L": return content.count >= 5 && header.big(at: start, 1) == 0x2F
        default: return names.contains("VP8X") && !content.isEmpty
        }
    }

    private mutating func append(_ name: String, _ content: some Collection<UInt8>) {
        clean += Array(name.utf8) + Self.little(content.count) + content
        if !content.count.isMultiple(of: 2) { clean.append(0) }
    }

    private mutating func finish() throws(ImageProblem) {
        guard flags & Flag.animation == 0 else { throw .animated }
        guard names.contains("VP8 ") != names.contains("VP8L") else { throw .damaged }
        // If a chunk is missing that the flags promise, a damaged length has made it a part of the picture.
        guard flags & Flag.exif == 0 || names.contains("EXIF"),
            flags & Flag.xmp == 0 || names.contains("XMP ")
        else { throw .damaged }
        if names.contains("VP8X") { clean[20] = flags & Flag.alpha | (hasColors ? Flag.colors : 0) }
        clean.replaceSubrange(4..<8, with: Self.little(clean.count - 8))
    }

    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
