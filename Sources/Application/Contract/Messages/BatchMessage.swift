import Store
package import Syntax

/// A message about a batch of photos: like ``JobMessage``, with `data` in place of `payload`. All counts are
/// derived from the photos, so that they agree.
package struct BatchMessage: Sendable, Hashable {
    package var jobId: String
    /// Milliseconds since 1970.
    package var timestamp: Int64
    package var body: Body

    /// The content of a message, by type.
    package enum Body: Sendable, Hashable {
        case initialized(totalPhotos: Int)
        /// A photo is finished; `current` is its index, from 0.
        case progress(current: Int, photos: [BatchPhoto])
        /// All photos are finished. Unlike `job_complete` it holds the books, because a batch has few photos.
        case complete(photos: [BatchPhoto], books: [DetectedBook])
        case canceling

        package var type: MessageType {
            switch self {
            case .initialized: .batchInit
            case .progress: .batchProgress
            case .complete: .batchComplete
            case .canceling: .batchCanceling
            }
        }
    }

    package init(jobId: String, timestamp: Int64, _ body: Body) {
        self.jobId = jobId
        self.timestamp = timestamp
        self.body = body
    }
}

extension BatchMessage: JSONWritable {
    package func write(into out: inout JSONWriter) {
        let envelope = MessageEnvelope(
            type: body.type, jobId: jobId, pipeline: .aiScan, timestamp: timestamp)
        envelope.write(payload: "data", into: &out) { out in
            switch body {
            case .initialized(let totalPhotos):
                out.field("totalPhotos", totalPhotos)
                out.field("status", JobState.processing)
            case .progress(let current, let photos):
                let photo = photos.indices.contains(current) ? photos[current] : BatchPhoto(.queued)
                out.field("currentPhoto", current)
                out.field("totalPhotos", photos.count)
                out.field("photoStatus", photo.status)
                out.field("booksFound", photo.booksFound)
                out.field("totalBooksFound", photos.reduce(0) { $0 + $1.booksFound })
                out.field("photos", Array(photos.enumerated())) { photo, out in
                    out.field("index", photo.offset)
                    out.field("status", photo.element.status)
                    out.field("booksFound", photo.element.booksFound)
                    out.field("error", photo.element.error)
                }
            case .complete(let photos, let books):
                out.field("totalBooks", books.count)
                out.field("photoResults", Array(photos.enumerated())) { photo, out in
                    out.field("photoIndex", photo.offset)
                    out.field("booksFound", photo.element.booksFound)
                    out.field("status", photo.element.status == .complete ? "success" : "error")
                }
                out.field("books", books)
            case .canceling:
                break
            }
        }
    }
}

/// A photo of a batch.
package struct BatchPhoto: Sendable, Hashable {
    /// The state of the photo.
    package var status: Status
    /// Why it failed; nil if it did not.
    package var error: String?
    private let detected: Int

    /// The states of a photo; the raw values are the contract's names.
    package enum Status: String, JSONWritable, Sendable, CaseIterable {
        case queued, processing, complete, error
    }

    /// Makes a photo. `error` is only used if the photo failed.
    package init(_ status: Status, booksFound: Int = 0, error: String? = nil) {
        self.status = status
        self.error = error
        detected = booksFound
    }

    /// Number of books found in it; 0 if the photo failed.
    package var booksFound: Int { status == .error ? 0 : detected }
}
