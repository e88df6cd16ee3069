/// The formats of images that are recognized by their content.
package enum ImageType: String, Sendable, CaseIterable {
    case jpeg, png, gif, webp
    /// HEIF with an image in HEVC, as phones take it. Browsers do not show it.
    case heic

    /// Nil if the bytes do not begin as an image of these formats does.
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
        } else if let brands = MediaBox.brands(bytes), !brands.isDisjoint(with: Self.brandsOfHEIC),
            brands.isDisjoint(with: Self.brandsOfAVIF)
        {
            self = .heic
        } else {
            return nil
        }
    }

    /// ISO/IEC 23008-12, 10.2 and annex B.4.
    private static let brandsOfHEIC: Set = ["heic", "heix", "mif1", "msf1", "heim", "heis", "hevc"]
    /// An AVIF names `mif1`, too.
    static let brandsOfAVIF: Set = ["avif", "avis"]

    /// The name that people use: `JPEG`.
    package var name: String { self == .webp ? "WebP" : rawValue.uppercased() }

    /// Extension of file names: `jpg`.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    /// The type in HTTP's `Content-Type`: `image/jpeg`.
    package var mediaType: String { "image/\(rawValue)" }

    /// Whether every browser shows it.
    package var isShownByBrowsers: Bool { self != .heic }
}
