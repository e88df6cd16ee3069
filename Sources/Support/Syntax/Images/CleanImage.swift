/// An image without what the camera noted: no place, person, device or time, no comment, no preview and no further
/// picture. Its pixels are the same, since nothing is decoded or encoded again.
///
/// What a decoder does not need is left out, known or not. Two things stay that can tell something: the description of
/// the colors, which can name the software or screen that it was made for, and pictures that belong to the one of a HEIC (tiles,
/// alpha, depth, thumbnail).
package struct CleanImage: Sendable, Hashable {
    /// The image. If it is cleaned again, it stays the same.
    package let bytes: [UInt8]
    /// JPEG, PNG, WebP or HEIC.
    package let type: ImageType
    /// Width and height as stored, before the image is turned as its orientation says.
    package let size: ImageSize

    /// Cleans an image. The time and the memory that it takes grow with the number of bytes only.
    ///
    /// - Throws: The problem if the bytes are no photo, or if they are not understood completely.
    package init(_ bytes: [UInt8]) throws(ImageProblem) {
        guard !bytes.isEmpty else { throw .empty }
        let clean: [UInt8]
        switch ImageType(bytes) {
        case .jpeg: clean = try JPEGMetadata.removed(from: bytes)
        case .png: clean = try PNGMetadata.removed(from: bytes)
        case .webp: clean = try WebPMetadata.removed(from: bytes)
        case .heic: clean = try HEIFMetadata.removed(from: bytes)
        case .gif, nil: throw .notAPhoto(kind: ImageProblem.kind(of: bytes))
        }
        guard let type = ImageType(clean), let size = ImageSize(clean, type) else { throw .damaged }
        (self.bytes, self.type, self.size) = (clean, type, size)
    }

    /// Whether browsers show a clean image with its width as height.
    package static func isTurned(_ bytes: [UInt8], _ type: ImageType) -> Bool {
        guard type == .jpeg else { return false }
        let header = ByteHeader(bytes: bytes)
        // The note is the first one, or behind the one of JFIF.
        for place in [2, 20] where header.has(ExifOrientation.mark, at: place + 4) {
            return ExifOrientation.read(header, in: place + 10..<bytes.count).map { $0 >= 5 } ?? false
        }
        return false
    }
}
