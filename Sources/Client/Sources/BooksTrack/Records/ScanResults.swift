public import Foundation

/// The results of a scan of photos.
public struct ScanResults: Codable, Sendable, Hashable {
    /// What read the photos, and when.
    public struct Metadata: Codable, Sendable, Hashable {
        /// Name of the model.
        public var modelUsed: String
        /// Duration of the scan in milliseconds.
        public var processingTime: Int
        /// Milliseconds since 1970.
        public var timestamp: Int

        /// When the scan ended.
        public var date: Date { Date(timeIntervalSince1970: Double(timestamp) / 1_000) }
    }

    /// Books in all.
    public var totalDetected: Int
    /// Books that were found, and of which the model is sure.
    public var approved: Int
    /// Books to check against the photo.
    public var needsReview: Int
    /// The books in the order of photos and spines.
    public var books: [DetectedBook]
    /// What read the photos, and when.
    public var metadata: Metadata
}

/// A book that a scan has found in a photo.
public struct DetectedBook: Codable, Sendable, Hashable {
    /// The place of a book, in shares of the photo's width and height.
    public struct BoundingBox: Codable, Sendable, Hashable {
        /// Left edge, 0–1.
        public var x: Double
        /// Upper edge, 0–1.
        public var y: Double
        /// Width, 0–1.
        public var width: Double
        /// Height, 0–1.
        public var height: Double
    }

    /// The result of looking a book up.
    public struct Enrichment: Codable, Sendable, Hashable {
        /// The book as an idea; nil if it was not found.
        public var work: Work?
        /// Its editions.
        public var editions: [Edition]
        /// First author first.
        public var authors: [Author]
    }

    /// Whether a book was found.
    public enum Status: String, Codable, Sendable, Hashable {
        /// It was found.
        case success
        /// No source has it.
        case notFound = "not_found"
        /// A service has not answered yet.
        case error
    }

    /// The title as it is printed.
    public var title: String
    /// The author as printed; empty if the photo does not show one.
    public var author: String
    /// The ISBN as printed; empty if the photo does not show one.
    public var isbn: String
    /// How sure the model is of the title, 0–1.
    public var confidence: Double
    /// Its place in the photo; nil if the model did not give one.
    public var boundingBox: BoundingBox?
    /// Whether it was found.
    public var enrichmentStatus: Status
    /// What was found.
    public var enrichment: Enrichment
    /// Whether the library has the book already, or a photo shows it twice.
    public var isDuplicate: Bool { duplicate ?? false }
    private var duplicate: Bool?
}
