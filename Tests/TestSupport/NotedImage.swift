/// Small images with everything that cameras and programs note in them. Their pictures are not valid; their parts are.
package enum NotedImage {
    /// The data of the picture in each of them.
    package static let picture: [UInt8] = (0..<64).map { UInt8($0) ^ 0x5A }

    /// - Parameter orientation: Value of the tag; values other than 1…8 are invalid.
    package static func jpeg(noting text: String, orientation: UInt8 = 6) -> [UInt8] {
        let note = Array(text.utf8)
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker] + big(content.count + 2, 2) + content
        }
        let jfif = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]
        let exif =
            Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 2, 0]
            + [0x0F, 1, 2, 0, 4, 0, 0, 0, 0x41, 0x42, 0x43, 0]
            + [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0] + note
        let frame: [UInt8] = [8] + big(240, 2) + big(320, 2) + [1, 1, 0x11, 0]
        return [0xFF, 0xD8] + segment(0xE0, jfif) + segment(0xE0, Array("JFXX\0".utf8) + note)
            + segment(0xE1, exif) + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + note)
            + segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 7])
            + segment(0xE2, Array("MPF\0".utf8) + note)
            + segment(0xED, Array("Photoshop 3.0\0".utf8) + note) + segment(0xFE, note)
            + segment(0xDB, [UInt8](repeating: 1, count: 65)) + [0xFF] + segment(0xC0, frame)
            + segment(0xDA, [1, 1, 0, 0, 63, 0]) + picture + [0xFF, 0, 0xFF, 0xD0] + picture + [0xFF, 0xD9]
            + [0xFF, 0xD8] + segment(0xE1, note) + [0xFF, 0xD9] + note
    }

    package static func png(noting text: String) -> [UInt8] {
        let note = Array(text.utf8)
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            big(content.count, 4) + Array(type.utf8) + content + [0, 0, 0, 0]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(320, 4) + big(240, 4) + [8, 2, 0, 0, 0]) + chunk("gAMA", [0, 0, 0xB1, 0x8F])
            + chunk("eXIf", note) + chunk("tEXt", note) + chunk("iTXt", note) + chunk("tIME", note)
            + chunk("prVt", note) + chunk("acTL", note) + chunk("IDAT", picture) + chunk("IEND", []) + note
    }

    package static func webp(noting text: String, isAnimated: Bool = false) -> [UInt8] {
        let note = Array(text.utf8)
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            Array(type.utf8) + big(content.count, 4).reversed() + content
                + [UInt8](repeating: 0, count: content.count % 2)
        }
        let flags: UInt8 = isAnimated ? 0x0E : 0x0C
        let extended = [flags, 0, 0, 0] + big(319, 3).reversed() + big(239, 3).reversed()
        let body =
            Array("WEBP".utf8) + chunk("VP8X", extended) + chunk("ICCP", [7]) + chunk("VP8 ", picture)
            + chunk("EXIF", note) + chunk("XMP ", note + [0]) + chunk("ABCD", note)
        return Array("RIFF".utf8) + big(body.count, 4).reversed() + body + note
    }

    package static func heic(noting text: String) -> [UInt8] {
        let note = Array(text.utf8)
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            big(content.count + 8, 4) + Array(type.utf8) + content
        }
        func item(_ id: Int, _ type: String) -> [UInt8] {
            box("infe", [2, 0, 0, 0] + big(id, 2) + [0, 0] + Array(type.utf8) + [0])
        }
        let top = box("ftyp", Array("heic".utf8) + [0, 0, 0, 0] + Array("mif1heic".utf8)) + box("free", note)
        func meta(at start: Int) -> [UInt8] {
            // The picture and the camera's notes are in the file, the others in this box.
            let places: [(id: Int, method: Int, offset: Int, count: Int)] = [
                (1, 0, start, picture.count), (2, 0, start + picture.count, note.count),
                (3, 1, 0, note.count),
            ]
            var locations: [UInt8] = []
            for place in places {
                locations += big(place.id, 2) + big(place.method, 2) + [0, 0] + big(1, 2)
                locations += big(place.offset, 4) + big(place.count, 4)
            }
            let size = box("ispe", [0, 0, 0, 0] + big(320, 4) + big(240, 4))
            return box(
                "meta",
                [0, 0, 0, 0]
                    + box(
                        "iinf",
                        [0, 0, 0, 0] + big(3, 2) + item(1, "hvc1") + item(2, "Exif") + item(3, "mime"))
                    + box("iprp", box("ipco", size)) + box("idat", note)
                    + box("iloc", [1, 0, 0, 0, 0x44, 0] + big(3, 2) + locations))
        }
        let start = top.count + meta(at: 0).count + 8
        return top + meta(at: start) + box("mdat", picture + note) + box("uuid", note)
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
