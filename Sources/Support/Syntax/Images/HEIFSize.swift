/// The size of the picture of a HEIC (ISO/IEC 23008-12): a property of its primary item.
enum HEIFSize {
    /// Width and height of the primary item, or else the largest of all items.
    static func read(_ header: ByteHeader) throws(ImageProblem) -> (Int, Int) {
        let boxes = try MediaBox.all(header, in: 0..<header.bytes.count)
        guard let meta = boxes.first(where: { $0.type == "meta" }), meta.content.count >= 4 else {
            throw .damaged
        }
        var primary: Int?
        var properties: [MediaBox] = []
        var associations: [MediaBox] = []
        for box in try MediaBox.all(header, in: meta.content.dropFirst(4)) {
            if box.type == "pitm" { primary = try Self.primary(header, box) }
            guard box.type == "iprp" else { continue }
            for part in try MediaBox.all(header, in: box.content) {
                if part.type == "ipco" { properties += try MediaBox.all(header, in: part.content) }
                if part.type == "ipma" { associations.append(part) }
            }
        }
        let sizes = properties.map { box -> (Int, Int)? in
            guard box.type == "ispe", let width = header.big(at: box.content.lowerBound + 4, 4),
                let height = header.big(at: box.content.lowerBound + 8, 4), box.content.count == 12
            else { return nil }
            return (width, height)
        }
        for box in associations {
            let own = try Self.associations(header, box, of: primary)
            if let size = own.lazy.compactMap({ sizes.indices.contains($0 - 1) ? sizes[$0 - 1] : nil }).first
            {
                return size
            }
        }
        guard let largest = sizes.compactMap({ $0 }).max(by: { max($0.0, $0.1) < max($1.0, $1.1) }) else {
            throw .damaged
        }
        return largest
    }

    /// The number of the primary item.
    static func primary(_ header: ByteHeader, _ box: MediaBox) throws(ImageProblem) -> Int {
        var reader = MediaBoxReader(header, box.content)
        let number = try reader.number(try reader.version().version == 0 ? 2 : 4)
        try reader.end()
        return number
    }

    /// The properties of an item, by their place in the list from 1 on.
    ///
    /// - Throws: `damaged` if the box is not as it must be.
    static func associations(_ header: ByteHeader, _ box: MediaBox, of item: Int?) throws(ImageProblem)
        -> [Int]
    {
        var reader = MediaBoxReader(header, box.content)
        let (version, flags) = try reader.version()
        let width = flags & 1 == 0 ? 1 : 2
        var found: [Int] = []
        for _ in 0..<(try reader.number(4)) {
            let isOwn = try reader.number(version == 0 ? 2 : 4) == item
            for _ in 0..<(try reader.number(1)) {
                // The highest bit says whether the property is essential.
                let property = try reader.number(width) & (width == 1 ? 0x7F : 0x7FFF)
                if isOwn { found.append(property) }
            }
        }
        try reader.end()
        return found
    }
}
