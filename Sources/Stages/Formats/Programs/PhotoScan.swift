package import Books
import Bytes

/// The table of books that an image model has read from photos of shelves, one row for each spine.
///
/// `etl` writes it itself, so that a scan goes through the same stages as every other file. What the model said beside title,
/// author and ISBN is kept with the entry under the names of ``Column``.
package struct PhotoScan: TabularFormat {
    package static let formatName = "photo-scan"

    package let name = Self.formatName

    package init() {}

    /// The columns, in their order in a table.
    package enum Column: String, CaseIterable, Sendable {
        case title = "Title"
        case author = "Author"
        case isbn = "ISBN"
        /// How sure the model is, 0–1.
        case confidence = "Detection Confidence"
        /// Left and top edge, width and height as fractions of the photo, separated by blanks; empty if unknown.
        case box = "Detection Box"
        /// Number of the photo in its scan, from 1.
        case photo = "Photo"
        /// The photo's name on its owner's machine.
        case photoName = "Photo Name"
        /// SHA-256 of the photo as it was sent, in hexadecimal.
        case photoDigest = "Photo Digest"
        /// Name of the model.
        case model = "Vision Model"
    }

    package func interpret(_ row: inout LibraryRow, in rows: inout LibraryRows) {
        rows.readPlainTable(&row)
    }

    package static let columns = FormatColumns(
        [
            .common(.title, "title"), .common(.author, "author"), .common(.isbn13, "isbn"),
            .distinctive(nil, "detection confidence"), .distinctive(nil, "detection box"),
            .distinctive(nil, "photo digest"), .distinctive(nil, "vision model"),
        ], unmapped: ["photo", "photo name"])
}
