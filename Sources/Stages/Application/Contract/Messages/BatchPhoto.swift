import Syntax

/// A photo of a batch.
package struct BatchPhoto: Sendable, Hashable {
    /// How far the photo has come.
    package var status: Status
    /// Why it failed; nil unless it did.
    package var error: String?
    private let detected: Int

    /// The states of a photo, under the contract's names.
    package enum Status: String, JSONWritable, Sendable, CaseIterable {
        case queued, processing, complete, error
    }

    /// A photo's state; ``error`` is read for a photo that failed only.
    package init(_ status: Status, booksFound: Int = 0, error: String? = nil) {
        self.status = status
        self.error = error
        detected = booksFound
    }

    /// Books found in it; those of a photo that failed do not count.
    package var booksFound: Int { status == .error ? 0 : detected }
}

extension BatchPhoto {
    /// A photo as `batch-progress` lists it.
    struct Progress: JSONWritable {
        let index: Int
        let photo: BatchPhoto

        init(_ index: Int, _ photo: BatchPhoto) {
            self.index = index
            self.photo = photo
        }

        func write(into out: inout JSONWriter) {
            out.object { out in
                out.field("index", index)
                out.field("status", photo.status)
                out.field("booksFound", photo.booksFound)
                out.field("error", photo.error)
            }
        }
    }

    /// A photo as `batch-complete` lists it: `success`, or `error`.
    struct Result: JSONWritable {
        let photoIndex: Int
        let photo: BatchPhoto

        init(_ photoIndex: Int, _ photo: BatchPhoto) {
            self.photoIndex = photoIndex
            self.photo = photo
        }

        func write(into out: inout JSONWriter) {
            out.object { out in
                out.field("photoIndex", photoIndex)
                out.field("booksFound", photo.booksFound)
                out.field("status", photo.status == .complete ? "success" : "error")
            }
        }
    }
}
