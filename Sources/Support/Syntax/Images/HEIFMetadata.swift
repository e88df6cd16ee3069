/// Takes the metadata out of a HEIC (ISO/IEC 23008-12), in place: other parts of the file point to places in it.
///
/// Only what belongs to pictures is kept. All other data, the names of items, and the contents of other boxes become
/// zeros; these boxes become `free`, which readers pass over.
struct HEIFMetadata {
    private let header: ByteHeader
    private var items = HEIFItems()
    private var primary: Int?
    /// What becomes zeros.
    private var blanks: [Range<Int>] = []
    /// Where boxes begin that become `free`.
    private var freed: [Int] = []
    /// The contents of the boxes with data, at large and in `meta`.
    private var media: [MediaBox] = []
    private var inside: Range<Int>?
    private var found: Set<String> = []

    /// More boxes with data than any camera writes would take long to search.
    private static let mostMedia = 64
    /// The box `dinf` of a file that refers to no other file.
    private static let ownData: [UInt8] =
        [0, 0, 0, 28] + Array("dref".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
        + [0, 0, 0, 12] + Array("url ".utf8) + [0, 0, 0, 1]

    /// The pictures of a HEIC, without other data and without what is behind them.
    static func removed(from bytes: [UInt8]) throws(ImageProblem) -> [UInt8] {
        var metadata = Self(header: ByteHeader(bytes: bytes))
        let end = try metadata.survey()
        return metadata.blanked(until: end)
    }

    private init(header: ByteHeader) { self.header = header }

    /// - Returns: Where the file can end.
    private mutating func survey() throws(ImageProblem) -> Int {
        var end = 0
        var hasVideo = false
        for box in try MediaBox.all(header, in: 0..<header.bytes.count) {
            switch box.type {
            case "ftyp" where box.start == 0: break
            case "meta":
                guard found.insert("meta").inserted else { throw .damaged }
                try surveyMeta(box)
                end = box.content.upperBound
            case "mdat": media.append(box)
            default:
                hasVideo = hasVideo || box.type == "moov"
                free(box)
            }
        }
        guard found.contains("meta") else { throw hasVideo ? .animated : .damaged }
        guard let primary, items.isPicture(primary), media.count <= Self.mostMedia else { throw .damaged }
        let kept = try items.pictureData(media: media.map(\.content), inside: inside)
        if let inside { blank(inside, except: kept) }
        for box in media { blank(box.content, except: kept) }
        for box in media where kept.contains(where: { box.content.contains($0) }) {
            end = max(end, box.content.upperBound)
        }
        return end
    }

    private mutating func surveyMeta(_ meta: MediaBox) throws(ImageProblem) {
        var reader = MediaBoxReader(header, meta.content)
        guard try reader.version() == (0, 0) else { throw .damaged }
        for box in try MediaBox.all(header, in: reader.rest) {
            switch box.type {
            case "hdlr":
                guard box.content.count >= 24, header.has("pict", at: box.content.lowerBound + 8) else {
                    throw .damaged
                }
                blanks.append(box.content.dropFirst(24))
            case "pitm":
                guard primary == nil else { throw .damaged }
                primary = try HEIFSize.primary(header, box)
            case "iloc":
                guard found.insert("iloc").inserted else { throw .damaged }
                try items.addPlaces(header, box)
            case "iinf": try surveyItems(box)
            case "iref": try surveyReferences(box)
            case "iprp": try surveyProperties(box)
            case "idat":
                guard inside == nil else { throw .damaged }
                inside = box.content
            case "dinf" where header.bytes[box.content].elementsEqual(Self.ownData): break
            case "grpl": try surveyGroups(box)
            default: free(box)
            }
        }
    }

    private mutating func surveyItems(_ box: MediaBox) throws(ImageProblem) {
        var reader = MediaBoxReader(header, box.content)
        let count = try reader.number(try reader.version().version == 0 ? 2 : 4)
        let entries = try MediaBox.all(header, in: reader.rest)
        guard entries.count == count, entries.allSatisfy({ $0.type == "infe" }) else { throw .damaged }
        for entry in entries { blanks.append(try items.addType(header, entry)) }
    }

    private mutating func surveyProperties(_ box: MediaBox) throws(ImageProblem) {
        for part in try MediaBox.all(header, in: box.content) {
            switch part.type {
            case "ipco":
                for property in try MediaBox.all(header, in: part.content)
                where try !HEIFProperties.isNeeded(header, property) {
                    free(property)
                }
            case "ipma": _ = try HEIFSize.associations(header, part, of: nil)
            default: free(part)
            }
        }
    }

    /// References and groups of items are numbers only.
    private func surveyReferences(_ box: MediaBox) throws(ImageProblem) {
        var reader = MediaBoxReader(header, box.content)
        let width = try reader.version().version == 0 ? 2 : 4
        for reference in try MediaBox.all(header, in: reader.rest) {
            var reader = MediaBoxReader(header, reference.content)
            try reader.skip(width)
            try reader.skip(try reader.number(2) * width)
            try reader.end()
        }
    }

    private func surveyGroups(_ box: MediaBox) throws(ImageProblem) {
        for group in try MediaBox.all(header, in: box.content) {
            var reader = MediaBoxReader(header, group.content)
            try reader.skip(8)
            try reader.skip(try reader.number(4) * 4)
            try reader.end()
        }
    }

    private mutating func free(_ box: MediaBox) {
        freed.append(box.start)
        blanks.append(box.content)
    }

    /// Blanks what is between ranges that are in order.
    private mutating func blank(_ whole: Range<Int>, except kept: [Range<Int>]) {
        var place = whole.lowerBound
        for range in kept where whole.contains(range) {
            blanks.append(place..<range.lowerBound)
            place = range.upperBound
        }
        blanks.append(place..<whole.upperBound)
    }

    private func blanked(until end: Int) -> [UInt8] {
        var clean = Array(header.bytes[..<end])
        for start in freed where start < end {
            clean.replaceSubrange(start + 4..<start + 8, with: "free".utf8)
        }
        clean.withUnsafeMutableBytes { clean in
            for range in blanks {
                let range = range.clamped(to: 0..<clean.count)
                UnsafeMutableRawBufferPointer(rebasing: clean[range]).initializeMemory(
                    as: UInt8.self, repeating: 0)
            }
        }
        return clean
    }
}
