import FoundationEssentials

/// The image of a cover.
package struct CoverImage: Sendable, Hashable {
    package let bytes: [UInt8]
    private let type: String

    /// Shorter images are placeholders: a transparent point, or "no cover".
    private static let fewestBytes = 100

    /// Nil if the bytes are not those of an image that browsers show.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.fewestBytes, let type = Self.type(of: bytes) else { return nil }
        self.bytes = bytes
        self.type = type
    }

    /// The image as an address within a page: `data:image/jpeg;base64,…`.
    package var address: String { "data:\(type);base64," + Data(bytes).base64EncodedString() }

    /// Whether a text is an address of the web. Nothing else is put into a page.
    static func isAddress(_ text: String) -> Bool { text.hasPrefix("https://") || text.hasPrefix("http://") }

    private static func type(of bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        return nil
    }
}
