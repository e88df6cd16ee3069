import FoundationEssentials

/// The image of a cover.
package struct CoverImage: Sendable, Hashable {
    package let bytes: [UInt8]
    package let type: ImageType
    package let size: ImageSize

    /// Smaller images are placeholders: a transparent point, or "no cover".
    private static let (fewestBytes, fewestPixels) = (100, 10)

    /// Nil if the bytes are not those of an image that browsers show.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.fewestBytes, let type = ImageType(bytes), let size = ImageSize(bytes, type),
            min(size.width, size.height) >= Self.fewestPixels
        else { return nil }
        (self.bytes, self.type, self.size) = (bytes, type, size)
    }

    /// The image as an address within a page: `data:image/jpeg;base64,…`.
    package var address: String { "data:image/\(type.rawValue);base64," + Data(bytes).base64EncodedString() }
}
