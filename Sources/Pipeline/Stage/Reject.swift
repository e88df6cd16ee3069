/// A record that was turned away. Rejects are data: they travel with their batch and are kept in the sink's
/// own transaction, so that each can be explained, fixed and fed back.
public struct Reject: Sendable, Hashable {
    /// Bytes of the raw record that are kept at the most.
    public static let keptBytes = 64 * 1024

    /// Where the record begins.
    public var position: Position
    /// The stage that turned it away, by its name in the pipeline file.
    public var stage: String
    /// Stable code, documented, `lower_snake_case`: what scripts match on.
    public var code: String
    /// The field concerned, where there is one.
    public var field: String?
    /// The offending value, where there is one.
    public var value: String?
    /// One sentence for the reader: what is wrong and what to do.
    public var message: String
    /// The first ``keptBytes`` of the record as it was read.
    public var raw: [UInt8]
    /// Length of the whole record in bytes.
    public var rawLength: Int

    /// Keeps the first ``keptBytes`` of the record as it was read. Where `raw` is only its head, `rawLength` says
    /// how long the whole record is.
    public init(
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
