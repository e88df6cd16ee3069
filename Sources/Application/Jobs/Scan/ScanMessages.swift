package import Contract
package import Store
import Syntax
import System

/// The messages of a scan: those of a single photo are like the ones of other jobs, those of a batch of their own kind. It has
/// no clock; times are milliseconds since 1970.
package struct ScanMessages: Sendable {
    /// A message, and what the history of the job notes of it.
    package struct Message: Sendable {
        /// Whether it is the first one.
        package var isStart: Bool
        package var bytes: [UInt8]
        package var progress: JobProgress
        /// For people.
        package var sentence: String
    }

    private let job: String
    private let isBatch: Bool
    private let names: [String]
    private var photos: [BatchPhoto]

    /// - Parameter names: The names of the photos on the client's machine.
    package init(_ job: String, isBatch: Bool, photos names: [String]) {
        self.job = job
        self.isBatch = isBatch
        self.names = names
        photos = Array(repeating: BatchPhoto(.queued), count: names.count)
    }

    /// Number of photos that are finished.
    private var done: Int { photos.count { $0.status == .complete || $0.status == .error } }

    private var progress: JobProgress { JobProgress(processedCount: done, totalCount: photos.count) }

    /// The scan begins.
    package func started(now: Int64) -> Message {
        let bytes =
            isBatch
            ? BatchMessage(jobId: job, timestamp: now, .initialized(totalPhotos: photos.count)).json
            : message(
                .started(
                    totalItems: photos.count,
                    estimatedDuration: Int64(ShelfScan.usualSeconds * 1_000) * Int64(photos.count)),
                now)
        return Message(isStart: true, bytes: bytes, progress: progress, sentence: "Started")
    }

    /// The model is asked about a photo.
    ///
    /// - Returns: Nil if the clients of a batch are not told.
    package mutating func began(_ index: Int, now: Int64) -> Message? {
        guard photos.indices.contains(index) else { return nil }
        photos[index] = BatchPhoto(.processing)
        return isBatch ? nil : advanced(index, now: now)
    }

    /// A photo is finished.
    package mutating func finished(_ index: Int, _ photo: ShelfScan.Photo, now: Int64) -> Message? {
        guard photos.indices.contains(index) else { return nil }
        photos[index] = BatchPhoto(
            photo.problem == nil ? .complete : .error, booksFound: photo.booksFound,
            error: photo.problem?.sentence)
        guard isBatch else { return advanced(index, now: now) }
        return Message(
            isStart: false,
            bytes: BatchMessage(jobId: job, timestamp: now, .progress(current: index, photos: photos)).json,
            progress: progress, sentence: sentence(index))
    }

    private func advanced(_ index: Int, now: Int64) -> Message {
        Message(
            isStart: false,
            bytes: message(
                .progress(progress, sentence: sentence(index), currentItem: names[index]), now),
            progress: progress, sentence: sentence(index))
    }

    private func sentence(_ index: Int) -> String { "Processing image \(index + 1) of \(photos.count)" }

    private func message(_ body: JobMessage.Body, _ now: Int64) -> [UInt8] {
        JobMessage(jobId: job, pipeline: .aiScan, timestamp: now, body).json
    }

    // MARK: The end

    /// No photo could be read.
    ///
    /// - Parameter problem: Why the only one could not be read; nil if there were several.
    package static func failed(_ job: String, _ problem: PhotoProblem?, now: Int64) -> JobMessage {
        JobMessage(
            jobId: job, pipeline: .aiScan, timestamp: now,
            .failed(
                JobFailure(
                    .batchScanError, problem?.sentence ?? "All photos failed processing",
                    isRetryable: problem?.mayEndByItself ?? true)))
    }

    /// The last message of a batch, which has its books.
    package static func complete(
        _ job: String, _ photos: [ScanNote.Photo], _ books: [DetectedBook], now: Int64
    ) -> [UInt8] {
        let photos = photos.map {
            BatchPhoto($0.problem == nil ? .complete : .error, booksFound: $0.books, error: $0.problem)
        }
        return BatchMessage(jobId: job, timestamp: now, .complete(photos: photos, books: books)).json
    }
}
