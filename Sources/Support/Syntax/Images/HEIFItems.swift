/// The items of a HEIC: where the data of each is (ISO/IEC 14496-12, 8.11.3 and 8.11.6).
struct HEIFItems {
    /// A part of an item's data.
    private struct Extent {
        let item: Int
        /// Whether it is in the box `idat`, and not in the file at large.
        let isInside: Bool
        let offset: Int
        let length: Int
    }

    /// Types of items that are pictures in HEVC or put together from such. The data of all others is removed.
    private static let pictures: Set = ["hvc1", "hvt1", "lhv1", "grid", "iden", "iovl", "tmap"]

    private var types: [Int: String] = [:]
    private var extents: [Extent] = []
    /// Items whose place is known.
    private var placed: Set<Int> = []

    func isPicture(_ item: Int) -> Bool { types[item].map(Self.pictures.contains) ?? false }

    /// Reads an `infe` box.
    ///
    /// - Returns: The part with the item's name, and with the media type of other data.
    mutating func addType(_ header: ByteHeader, _ box: MediaBox) throws(ImageProblem) -> Range<Int> {
        var reader = MediaBoxReader(header, box.content)
        let version = try reader.version().version
        guard version <= 3 else { throw .damaged }
        let item = try reader.number(version == 3 ? 4 : 2)
        // The number of a protection. Protected items cannot be shown.
        guard try reader.number(2) == 0, types[item] == nil else { throw .damaged }
        types[item] = ""
        guard version >= 2 else { return reader.rest }
        types[item] = header.name(at: reader.rest.lowerBound)
        try reader.skip(4)
        return reader.rest
    }

    /// Reads an `iloc` box.
    mutating func addPlaces(_ header: ByteHeader, _ box: MediaBox) throws(ImageProblem) {
        var reader = MediaBoxReader(header, box.content)
        let version = try reader.version().version
        let (widths, more) = (try reader.number(1), try reader.number(1))
        let (offset, length, base) = (widths >> 4, widths & 0xF, more >> 4)
        let index = version == 0 ? 0 : more & 0xF
        guard version <= 2, [offset, length, base, index].allSatisfy([0, 4, 8].contains) else {
            throw .damaged
        }
        for _ in 0..<(try reader.number(version == 2 ? 4 : 2)) {
            let item = try reader.number(version == 2 ? 4 : 2)
            // Data can be in the file, in `idat`, or in other items; the latter is not for pictures.
            let method = version == 0 ? 0 : try reader.number(2)
            guard method <= 1, try reader.number(2) == 0, placed.insert(item).inserted else { throw .damaged }
            let start = try reader.number(base)
            let count = try reader.number(2)
            // Extents that take no bytes here would be free for a hostile file.
            guard count <= 1 || index + offset + length > 0 else { throw .damaged }
            for _ in 0..<count {
                try reader.skip(index)
                let place = start.addingReportingOverflow(try reader.number(offset))
                guard !place.overflow else { throw .damaged }
                extents.append(
                    Extent(
                        item: item, isInside: method == 1, offset: place.partialValue,
                        length: try reader.number(length)))
            }
        }
        try reader.end()
    }

    /// The data of the pictures, in order.
    ///
    /// - Parameters:
    ///   - media: The contents of the boxes for data, in order.
    ///   - inside: The content of `idat`.
    /// - Throws: `damaged` if data of a picture is not in these boxes, or if a picture and another item have the same data.
    func pictureData(media: [Range<Int>], inside: Range<Int>?) throws(ImageProblem) -> [Range<Int>] {
        var kept: [Range<Int>] = []
        var removed: [Range<Int>] = []
        for extent in extents where extent.length > 0 {
            let start = (extent.isInside ? inside?.lowerBound ?? 0 : 0).addingReportingOverflow(extent.offset)
            let end = start.partialValue.addingReportingOverflow(extent.length)
            guard !start.overflow, !end.overflow else { throw .damaged }
            let range = start.partialValue..<end.partialValue
            guard isPicture(extent.item) else {
                // Where it is does not matter: only pictures are kept.
                removed.append(range)
                continue
            }
            let isHeld =
                extent.isInside
                ? inside.map { $0.contains(range) } ?? false : media.contains { $0.contains(range) }
            guard isHeld else { throw .damaged }
            kept.append(range)
        }
        kept = Self.joined(kept)
        var rest = kept[...]
        for range in Self.joined(removed) {
            rest = rest.drop { $0.upperBound <= range.lowerBound }
            guard rest.first.map({ $0.lowerBound >= range.upperBound }) ?? true else { throw .damaged }
        }
        return kept
    }

    /// The ranges in order. Those that overlap or touch become one.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, last.upperBound >= range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
