package import Books
package import Pipeline
package import System

/// The source of `csv_import`: reads library exports and emits batches of ``LibraryRows``.
///
/// A batch holds records of one file only. Reading from the end position of a batch yields exactly the bytes
/// that an uninterrupted read would have yielded. The header is read again from the start of the file.
package struct ReadLibrary: Source {
    package private(set) var settings: ReadSettings
    let stop: StopSignal?

    /// - Parameter stop: Raised when the run is to stop; long operations then end early.
    package init(_ settings: ReadSettings, stop: StopSignal? = nil) {
        self.settings = settings
        self.stop = stop
    }

    package var batchLimits: BatchLimits {
        get { settings.batchLimits }
        set { settings.batchLimits = newValue }
    }

    package func survey() async throws(ETLError) -> SourceSurvey {
        try await surveyLibrary().source
    }

    package func read(
        from position: Position, into emitter: Emitter<LibraryRows>
    ) async throws(ETLError) {
        guard settings.files.indices.contains(position.file) else {
            throw ETLError(
                .configuration,
                "The job reads at least \(position.file + 1) files, but only \(settings.files.count) were specified.",
                advice: "Specify the same files as when the job started.")
        }
        do throws(ETLError) {
            try await readFiles(from: position, into: emitter)
        } catch {
            // Batches that were emitted before the stop are committed.
            guard let stop, stop.isRaised, error.kind == .temporary else { throw error }
        }
    }

    private func readFiles(
        from position: Position, into emitter: Emitter<LibraryRows>
    ) async throws(ETLError) {
        var left = try settings.limit.map { limit throws(ETLError) in
            limit - (position == .start ? 0 : try records(before: position, atMost: limit))
        }
        for index in position.file..<settings.files.count {
            let file = try LibraryFile(settings.files[index], index: index, settings: settings, stop: stop)
            var reader = try LibraryFileReader(
                file, settings: settings, from: index == position.file ? position : nil)
            while left != 0, let chunk = try reader.next(atMost: left ?? .max) {
                left? -= chunk.recordsRead
                let (end, count, rejects) = (chunk.end, chunk.recordsRead, chunk.rejects)
                // If `chunk` kept a reference, the first stage that changes a row would copy the batch.
                let rows = (consume chunk).rows
                guard await emitter.emit(consume rows, end: end, recordsRead: count, rejects: rejects) else {
                    return
                }
            }
        }
    }

    /// Counts the records before a position by reading them again, to know how much of the limit an earlier
    /// run has used. This is cheap: there are never more records to count than the limit, and the earlier run
    /// read them too.
    private func records(before position: Position, atMost limit: Int) throws(ETLError) -> Int {
        var count = 0
        for index in 0...position.file {
            let file = try LibraryFile(settings.files[index], index: index, settings: settings, stop: stop)
            var reader = try LibraryFileReader(file, settings: settings)
            while count < limit, let chunk = try reader.next(atMost: limit - count) {
                if index == position.file, chunk.end.byte > position.byte {
                    let isBefore = { (other: Position) in other.byte < position.byte }
                    return count + chunk.rows.rows.count { isBefore($0.position) }
                        + chunk.rejects.count { isBefore($0.position) }
                }
                count += chunk.recordsRead
            }
        }
        return count
    }
}
