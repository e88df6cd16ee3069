/// The forms of images that are recognized by their content.
package enum ImageType: String, Sendable, CaseIterable {
    case jpeg, png, gif, webp, heic

    /// Nil if the bytes are not those of an image of these forms.
    package init?(_ bytes: [UInt8]) {
        let header = ByteHeader(bytes: bytes)
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if header.has("GIF8", at: 0) {
            self = .gif
        } else if header.has("RIFF", at: 0), header.has("WEBP", at: 8) {
            self = .webp
        } else if header.has("ftyp", at: 4), Self.brands.contains(where: { header.has($0, at: 8) }) {
            self = .heic
        } else {
            return nil
        }
    }

    /// The brands of HEIF that phones write (ISO 23008-12, annex B).
    private static let brands: [StaticString] = ["heic", "heix", "heim", "heis", "mif1", "msf1"]

    /// Extension of file names: `jpg`.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// `image/jpeg`.
    package var mediaType: String { "image/\(rawValue)" }

    /// Whether all browsers show it.
    package var isOfBrowsers: Bool { self != .heic }

    /// What a file of another kind is, for people: `a PDF`; nil if that is not known.
    package static func kind(of bytes: [UInt8]) -> String? {
        let header = ByteHeader(bytes: bytes)
        if header.has("%PDF", at: 0) { return "a PDF" }
        if header.has("GIF8", at: 0) { return "a GIF" }
        if header.has("PK\u{3}\u{4}", at: 0) { return "a ZIP archive" }
        if header.has("II*\0", at: 0) || header.has("MM\0*", at: 0) { return "a TIFF, or a raw photo" }
        if header.has("BM", at: 0) { return "a BMP" }
        if header.has("ftypavif", at: 4) || header.has("ftypavis", at: 4) { return "an AVIF" }
        if header.has("ftyp", at: 4) { return "a video" }
        let isText = bytes.prefix(1_024).allSatisfy { $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return isText ? "text" : nil
    }
}
