/// The boxes of a HEIF image (ISO 23008-12, and ISO 14496-12 for the boxes): which items it has, and where their data are.
///
/// Metadata are items beside the picture. Their bytes are overwritten with zeros in place, because the places of all other items
/// are counted from the start of the file.
struct HEIFBoxes {
    /// A box: its type, and the range of its content.
    private struct Box {
        var type: Int
        var content: Range<Int>
    }

    private struct Item {
        var id: Int
        var type: Int
    }

    /// The places of an item's data.
    private struct Location {
        var isInBox: Bool
        var extents: [Range<Int>]
    }

    private let header: ByteHeader
    private var items: [Item] = []
    private var locations: [Int: Location] = [:]
    /// The content of the box with the data of small items.
    private var itemData: Range<Int>?
    /// Contents of boxes that hold whatever a program likes.
    private var foreign: [Range<Int>] = []
    private var sizes: [ImageSize] = []

    private static func code(_ text: StaticString) -> Int {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    private static let (meta, itemInfo, itemLocation, itemEntry) = (
        code("meta"), code("iinf"), code("iloc"), code("infe")
    )
    private static let (properties, container, extents, data) = (
        code("iprp"), code("ipco"), code("ispe"), code("idat")
    )
    private static let (exif, mime, uri) = (code("Exif"), code("mime"), code("uri "))
    private static let foreignTypes: Set<Int> = [code("free"), code("skip"), code("uuid"), code("udta")]
    /// Maximum number of items, extents and boxes that are looked at: phones write about fifty tiles.
    private static let most = 100_000

    /// Nil if the boxes cannot be understood completely.
    init?(_ image: [UInt8]) {
        header = ByteHeader(bytes: image)
        guard let boxes = boxes(in: 0..<image.count) else { return nil }
        guard let meta = boxes.first(where: { $0.type == Self.meta }), readMeta(meta.content) else {
            return nil
        }
        // A sequence of pictures, such as a moving photo, has metadata of its own.
        guard !boxes.contains(where: { $0.type == Self.code("moov") }) else { return nil }
        foreign = boxes.filter { Self.foreignTypes.contains($0.type) }.map(\.content)
        guard !items.isEmpty, !sizes.isEmpty else { return nil }
    }

    /// The size of the largest picture: a thumbnail and the tiles are smaller.
    var size: ImageSize? { sizes.max { $0.width * $0.height < $1.width * $1.height } }

    /// The image with zeros in place of its metadata; nil if their place is unknown.
    var clean: [UInt8]? {
        var clean = header.bytes
        for item in items where [Self.exif, Self.mime, Self.uri].contains(item.type) {
            guard let location = locations[item.id] else { return nil }
            let base = location.isInBox ? itemData : 0..<clean.count
            guard let base else { return nil }
            for extent in location.extents {
                guard extent.upperBound <= base.count else { return nil }
                for place in extent { clean[base.lowerBound + place] = 0 }
            }
        }
        for range in foreign { for place in range { clean[place] = 0 } }
        return clean
    }

    // MARK: Boxes

    /// The boxes that fill a range; nil if they do not.
    private func boxes(in range: Range<Int>) -> [Box]? {
        var boxes: [Box] = []
        var place = range.lowerBound
        while place < range.upperBound {
            guard boxes.count < Self.most, let short = header.big(at: place, 4),
                let type = header.big(at: place + 4, 4)
            else { return nil }
            var (length, start) = (short, place + 8)
            if short == 1 {
                // The highest byte of a possible length is 0.
                guard header.big(at: place + 8, 1) == 0, let long = header.big(at: place + 9, 7) else {
                    return nil
                }
                (length, start) = (long, place + 16)
            } else if short == 0 {
                length = range.upperBound - place
            }
            guard length >= start - place, length <= range.upperBound - place else { return nil }
            boxes.append(Box(type: type, content: start..<place + length))
            place += length
        }
        return boxes
    }

    private mutating func readMeta(_ content: Range<Int>) -> Bool {
        // Version and flags come first.
        guard content.count >= 4, let boxes = boxes(in: content.lowerBound + 4..<content.upperBound) else {
            return false
        }
        itemData = boxes.first { $0.type == Self.data }?.content
        for box in boxes {
            let isRead =
                switch box.type {
                case Self.itemInfo: readItems(box.content)
                case Self.itemLocation: readLocations(box.content)
                case Self.properties: readSizes(box.content)
                default: true
                }
            guard isRead else { return false }
        }
        return true
    }

    private mutating func readItems(_ content: Range<Int>) -> Bool {
        guard let version = header.big(at: content.lowerBound, 1) else { return false }
        let start = content.lowerBound + (version == 0 ? 6 : 8)
        guard start <= content.upperBound, let boxes = boxes(in: start..<content.upperBound) else {
            return false
        }
        for box in boxes where box.type == Self.itemEntry {
            let place = box.content.lowerBound
            // Older versions have no type.
            guard let version = header.big(at: place, 1), 2...3 ~= version else { return false }
            let bytes = version == 2 ? 2 : 4
            guard let id = header.big(at: place + 4, bytes), let type = header.big(at: place + 6 + bytes, 4)
            else { return false }
            items.append(Item(id: id, type: type))
        }
        return true
    }

    private mutating func readLocations(_ content: Range<Int>) -> Bool {
        var place = content.lowerBound
        func take(_ count: Int) -> Int? {
            guard count <= 8, place + count <= content.upperBound else { return nil }
            defer { place += count }
            if count == 8 {
                return header.big(at: place, 1) == 0 ? header.big(at: place + 1, 7) : nil
            }
            return header.big(at: place, count)
        }
        guard let version = take(1), version <= 2, take(3) != nil, let sizes = take(1), let more = take(1)
        else { return false }
        let (offsetBytes, lengthBytes) = (sizes >> 4, sizes & 15)
        let (baseBytes, indexBytes) = (more >> 4, version > 0 ? more & 15 : 0)
        guard let count = take(version == 2 ? 4 : 2), count <= Self.most else { return false }
        var extents = 0
        for _ in 0..<count {
            guard let id = take(version == 2 ? 4 : 2) else { return false }
            var method = 0
            if version > 0 {
                guard let word = take(2) else { return false }
                method = word & 15
            }
            // Other methods, and data in other files, are not understood.
            guard method <= 1, take(2) == 0, let base = take(baseBytes), let number = take(2) else {
                return false
            }
            extents += number
            guard extents <= Self.most else { return false }
            var location = Location(isInBox: method == 1, extents: [])
            for _ in 0..<number {
                guard take(indexBytes) != nil, let offset = take(offsetBytes), let length = take(lengthBytes)
                else { return false }
                let (start, isTooLarge) = base.addingReportingOverflow(offset)
                guard !isTooLarge, start <= header.bytes.count, length <= header.bytes.count - start else {
                    return false
                }
                location.extents.append(start..<start + length)
            }
            locations[id] = location
        }
        return true
    }

    private mutating func readSizes(_ content: Range<Int>) -> Bool {
        guard let boxes = boxes(in: content) else { return false }
        for box in boxes where box.type == Self.container {
            guard let properties = self.boxes(in: box.content) else { return false }
            for property in properties where property.type == Self.extents {
                guard let width = header.big(at: property.content.lowerBound + 4, 4),
                    let height = header.big(at: property.content.lowerBound + 8, 4),
                    property.content.count >= 12
                else { return false }
                if let size = ImageSize(width, height) { sizes.append(size) }
            }
        }
        return true
    }
}
