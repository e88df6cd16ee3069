/// A record that was not imported. Rejects are data: they move with their batch and the sink stores them in
/// the same transaction, so that each can be explained, corrected and imported again.
package struct Reject: Sendable, Hashable {
    /// Maximum number of bytes kept of the raw record.
    package static let keptBytes = 64 * 1024

    /// Start of the record.
    package var position: Position
    /// The stage that rejected it, by its name in the pipeline file.
    package var stage: String
    /// The reason code, for scripts: stable, documented, in `lower_snake_case`.
    package var code: String
    /// The field concerned, if any.
    package var field: String?
    /// The offending value, if any.
    package var value: String?
    /// One sentence for the user: what is wrong and what to do.
    package var message: String
    /// The first ``keptBytes`` of the record as it was read.
    package var raw: [UInt8]
    /// Size of the whole record in bytes.
    package var rawLength: Int

    /// Keeps the first ``keptBytes`` of `raw`. If `raw` is only the beginning of the record, `rawLength` is
    /// the size of the whole record; otherwise nil.
    package init(
        position: Position, stage: String, code: String, field: String? = nil, value: String? = nil,
        message: String, raw: some Collection<UInt8>, rawLength: Int? = nil
    ) {
        self.position = position
        self.stage = stage
        self.code = code
        self.field = field
        self.value = value
        self.message = message
        self.raw = Array(raw.prefix(Self.keptBytes))
        self.rawLength = rawLength ?? raw.count
    }
}
