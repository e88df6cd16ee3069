import FoundationEssentials
package import Syntax

/// The image of a cover.
package struct CoverImage: Sendable, Hashable {
    package let bytes: [UInt8]
    package let type: ImageType
    package let size: ImageSize

    /// Smaller images are placeholders: a transparent point, or "no cover".
    package static let fewestBytes = 100
    private static let fewestPixels = 10

    /// Nil if the bytes are not those of an image that browsers show.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.fewestBytes, let type = ImageType(bytes), type.isShownByBrowsers,
            let size = ImageSize(bytes, type), min(size.width, size.height) >= Self.fewestPixels
        else { return nil }
        (self.bytes, self.type, self.size) = (bytes, type, size)
    }

    /// The image as an address within a page: `data:image/jpeg;base64,…`.
    package var address: String { "data:image/\(type.rawValue);base64," + Data(bytes).base64EncodedString() }
}

/// Names of the files that `etl covers` writes.
package enum CoverName {
    /// The endings of the files.
    package static let endings = ["jpg", "png", "gif", "webp"]

    /// The name of the file of an edition's cover, without its ending: the ISBN, or else the edition's key.
    package static func of(isbn: Int64?, key: String) -> String {
        if let isbn { return String(isbn) }
        return String(key.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "-" })
    }
}
