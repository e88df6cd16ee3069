/// An image without metadata: no place, no time, no names of people or devices, no comments, no further pictures behind it.
/// What decoders need, the description of the colors and the orientation stay. The picture itself is not decoded.
package struct CleanImage: Sendable, Hashable {
    /// The image.
    package let bytes: [UInt8]
    package let type: ImageType
    package let size: ImageSize

    /// Removes the metadata of an image. Cleaning a clean image changes nothing.
    ///
    /// - Throws: If it is no JPEG, PNG, WebP or HEIC, or damaged in a way that leaves open where its metadata are.
    package init(_ image: [UInt8]) throws(ImageProblem) {
        guard !image.isEmpty else { throw .empty }
        guard let type = ImageType(image), type != .gif else {
            throw .notAPhoto(kind: ImageType.kind(of: image))
        }
        let clean: [UInt8]?
        switch type {
        case .jpeg: clean = JPEGSegments.clean(image)
        case .png: clean = PNGChunks.clean(image)
        case .webp:
            if WebPChunks.isAnimated(image) { throw .animated }
            clean = WebPChunks.clean(image)
        case .heic: clean = HEIFBoxes(image)?.clean
        case .gif: clean = nil
        }
        guard let clean, let size = ImageSize(clean, type) else { throw .damaged }
        (bytes, self.type, self.size) = (clean, type, size)
    }
}

/// Why an image is not used.
package enum ImageProblem: Error, Sendable, Hashable {
    case empty
    /// It is something else: `a PDF`, or nil if that is not known.
    case notAPhoto(kind: String?)
    /// Its parts do not fit together, so that nobody can say where its metadata are.
    case damaged
    /// It has several pictures.
    case animated
}
