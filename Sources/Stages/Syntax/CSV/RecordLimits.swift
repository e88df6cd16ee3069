/// What one record may cost. A record beyond any of these is reported, not parsed, and the next one is read
/// as if nothing had happened.
///
/// Lengths are in bytes of UTF-8, whatever the file's encoding.
package struct RecordLimits: Sendable, Hashable {
    /// Bytes of one field as it stands in the file, without the quotes that enclose it.
    package var fieldBytes: Int
    /// Bytes of one record without its line end.
    package var recordBytes: Int
    /// Cells of one record.
    package var columns: Int

    /// Fields of 1 MiB, records of 4 MiB, 1,024 columns.
    package static let standard = RecordLimits()

    /// Values below 1 count as 1; a record longer than 1 GiB is never held in memory.
    package init(fieldBytes: Int = 1 << 20, recordBytes: Int = 4 << 20, columns: Int = 1024) {
        self.fieldBytes = max(1, fieldBytes)
        self.recordBytes = min(max(1, recordBytes), 1 << 30)
        self.columns = max(1, columns)
    }
}
