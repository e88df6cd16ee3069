/// What a job keeps about the photos that its books were read from.
package struct ScanNote: Sendable, Hashable, Codable {
    /// A photo of a scan.
    package struct Photo: Sendable, Hashable, Codable {
        /// Its name on its owner's machine.
        package var name: String
        /// SHA-256 of the photo as it was sent, in hexadecimal; nil if the file is no photo.
        package var digest: String?
        /// Number of books that can be looked up.
        package var books: Int
        /// Number of books that the model could not read.
        package var unreadable: Int
        /// Why it has no books, as a sentence; nil if it was read.
        package var problem: String?

        package init(name: String, digest: String?, books: Int, unreadable: Int, problem: String?) {
            self.name = name
            self.digest = digest
            self.books = books
            self.unreadable = unreadable
            self.problem = problem
        }
    }

    /// Books of which the model is at least so sure, 0–1, need no review if they were found.
    package static let usualConfidence = 0.7

    /// Name of the model.
    package var model: String
    /// In the order of the scan.
    package var photos: [Photo]
    /// See ``usualConfidence``.
    package var leastConfidence: Double
    /// How long the model took, in milliseconds.
    package var duration: Int64

    package init(
        model: String, photos: [Photo], leastConfidence: Double = usualConfidence, duration: Int64
    ) {
        self.model = model
        self.photos = photos
        self.leastConfidence = leastConfidence
        self.duration = duration
    }
}
