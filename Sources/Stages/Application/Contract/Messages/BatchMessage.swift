import Books
package import Syntax

/// A message about a batch of photos (API contract v2.1 section 7.6): like ``JobMessage``, with `data` in
/// place of `payload`. Numbers are derived from the photos, so that they agree.
package struct BatchMessage: Sendable, Hashable {
    package var jobId: String
    /// Milliseconds since 1970.
    package var timestamp: Int64
    package var body: Body

    /// What it says.
    package enum Body: Sendable, Hashable {
        case initialized(totalPhotos: Int)
        /// A photo is done; `current` is its index, from 0.
        case progress(current: Int, photos: [BatchPhoto])
        /// All photos are done. Unlike `job_complete` it carries the books: five photos are no flood.
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
                out.field("photos", photos.enumerated().map(BatchPhoto.Progress.init))
            case .complete(let photos, let books):
                out.field("totalBooks", books.count)
                out.field("photoResults", photos.enumerated().map(BatchPhoto.Result.init))
                out.field("books", books)
            case .canceling:
                break
            }
        }
    }
}
