/// Scans, which wait for their turn when their photos are read.
extension JobSchedule {
    /// A job is there. A scan whose photos are not read yet waits until they are.
    package mutating func accept(_ job: QueuedJob, at now: UInt64 = 0) {
        if job.options.awaitsModel { unread.append(job) } else { add(job, at: now) }
    }

    /// The first scan whose photos are to be read, without those that are being read; nil if there is none.
    ///
    /// - Parameter reading: The numbers of the jobs whose photos are being read.
    package func nextUnread(besides reading: some Collection<Int64>) -> QueuedJob? {
        isStopping ? nil : unread.first { !reading.contains($0.id) }
    }

    /// The photos of a scan are read.
    ///
    /// - Parameter job: The job as it is run now; nil if it is not run, because nothing was read.
    /// - Returns: Whether it was still wanted. Otherwise it was canceled, and the caller does nothing.
    package mutating func finishReading(_ id: Int64, _ job: QueuedJob?, at now: UInt64) -> Bool {
        guard let place = unread.firstIndex(where: { $0.id == id }) else { return false }
        unread.remove(at: place)
        if let job { add(job, at: now) }
        return true
    }
}
