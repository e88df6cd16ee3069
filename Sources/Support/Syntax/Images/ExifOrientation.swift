/// How a camera was turned when it took a photo (Exif 3.0, 4.6.5, tag 0x0112): the one entry of the metadata that
/// changes the picture.
enum ExifOrientation {
    /// A segment of a JPEG, or its data, begins so.
    static let mark = "Exif\0\0"
    private static let tag = 0x0112
    /// The type of 16-bit numbers.
    private static let short = 3

    /// Reads the orientation from a TIFF structure within bytes.
    ///
    /// - Returns: Nil if there is none, or if it says that the picture is upright.
    static func read(_ header: ByteHeader, in range: Range<Int>) -> UInt8? {
        let start = range.lowerBound
        let isBig = header.has("MM", at: start)
        guard isBig || header.has("II", at: start) else { return nil }
        func number(_ offset: Int, _ count: Int) -> Int? {
            let place = start + offset
            guard place <= range.upperBound - count else { return nil }
            return isBig ? header.big(at: place, count) : header.little(at: place, count)
        }
        guard number(2, 2) == 42, let directory = number(4, 4), let entries = number(directory, 2) else {
            return nil
        }
        for entry in (0..<entries).lazy.map({ directory + 2 + 12 * $0 }) {
            guard let found = number(entry, 2) else { return nil }
            guard found == tag else { continue }
            guard number(entry + 2, 2) == short, number(entry + 4, 4) == 1, let value = number(entry + 8, 2),
                2...8 ~= value
            else { return nil }
            return UInt8(value)
        }
        return nil
    }

    /// A JPEG's APP1 segment that has the orientation only.
    static func segment(_ orientation: UInt8) -> [UInt8] {
        let directory: [UInt8] = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        let content = Array(mark.utf8) + [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] + directory
        return [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
    }
}
