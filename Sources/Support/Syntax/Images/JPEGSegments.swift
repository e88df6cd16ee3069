/// The segments of a JPEG (ITU T.81, annex B).
enum JPEGSegments {
    private enum Marker {
        static let (start, end, scan, comment) = (0xD8, 0xD9, 0xDA, 0xFE)
        static let applications = 0xE0...0xEF
        /// Markers without a length: temporary use, and restarts.
        static func isAlone(_ marker: Int) -> Bool { marker == 0x01 || 0xD0...0xD7 ~= marker }
    }

    /// The image without the segments of applications, comments, and whatever follows its end; nil if it is damaged.
    static func clean(_ image: [UInt8]) -> [UInt8]? {
        let header = ByteHeader(bytes: image)
        var clean: [UInt8] = [0xFF, 0xD8]
        clean.reserveCapacity(image.count)
        var orientation: UInt8?
        var (place, hasScan) = (2, false)
        while let mark = header.big(at: place, 1), let marker = header.big(at: place + 1, 1) {
            guard mark == 0xFF else { return nil }
            if marker == 0xFF {
                place += 1
                continue
            }
            if marker == Marker.end {
                guard hasScan else { return nil }
                return clean + [0xFF, 0xD9]
            }
            if Marker.isAlone(marker) {
                place += 2
                continue
            }
            guard marker != Marker.start, let length = header.big(at: place + 2, 2), length >= 2,
                place + 2 + length <= image.count
            else { return nil }
            let next = place + 2 + length
            if orientation == nil, marker == 0xE1 {
                orientation = ExifOrientation.read(image[place + 4..<next])
                if let orientation { clean += ExifOrientation.segment(orientation) }
            } else if isKept(marker, at: place + 4, next, header) {
                clean += [0xFF] + image[place + 1..<next]
            }
            place = next
            guard marker == Marker.scan else { continue }
            hasScan = true
            guard let end = endOfScan(image, from: place) else { return nil }
            clean += image[place..<end]
            place = end
        }
        return nil
    }

    /// Whether decoders need a segment, or the colors depend on it.
    private static func isKept(_ marker: Int, at start: Int, _ end: Int, _ header: ByteHeader) -> Bool {
        switch marker {
        // JFIF; its extension has a preview.
        case 0xE0: end - start == 14 && header.has("JFIF\0", at: start)
        case 0xE2: header.has("ICC_PROFILE\0", at: start)
        case 0xEE: header.has("Adobe", at: start) && end - start <= 12
        case Marker.applications, Marker.comment: false
        default: true
        }
    }

    /// Where coded data end: at the next marker that is no restart. Within the data 0xFF is followed by 0.
    private static func endOfScan(_ image: [UInt8], from start: Int) -> Int? {
        image.withUnsafeBufferPointer { bytes in
            var place = start
            while place + 1 < bytes.count {
                if bytes[place] == 0xFF {
                    let next = Int(bytes[place + 1])
                    guard next == 0 || next == 0xFF || Marker.isAlone(next) else { return place }
                    // Fill bytes: the next one may begin the marker.
                    place += next == 0xFF ? 1 : 2
                } else {
                    place += 1
                }
            }
            return nil
        }
    }
}

/// The orientation among a camera's notes (Exif 2.32, 4.6.4): which side of the picture is up.
enum ExifOrientation {
    private static let tag = 0x0112

    /// The orientation of an Exif segment, 2…8; nil if it has none, or the usual one.
    ///
    /// - Parameter segment: The segment's content.
    static func read(_ segment: ArraySlice<UInt8>) -> UInt8? {
        let header = ByteHeader(bytes: Array(segment.prefix(65_536)))
        guard header.has("Exif\0\0", at: 0) else { return nil }
        let isLittle = header.has("II*\0", at: 6)
        guard isLittle || header.has("MM\0*", at: 6) else { return nil }
        func number(_ place: Int, _ count: Int) -> Int? {
            isLittle ? header.little(at: 6 + place, count) : header.big(at: 6 + place, count)
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for index in 0..<min(count, 1_000) {
            let entry = directory + 2 + 12 * index
            guard let tag = number(entry, 2) else { return nil }
            guard tag == Self.tag, number(entry + 2, 2) == 3, let value = number(entry + 8, 2) else {
                continue
            }
            return 2...8 ~= value ? UInt8(value) : nil
        }
        return nil
    }

    /// A segment with nothing but an orientation.
    static func segment(_ orientation: UInt8) -> [UInt8] {
        let content =
            Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation]
            + [0, 0, 0, 0, 0, 0]
        return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
    }
}
