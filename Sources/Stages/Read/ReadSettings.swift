/// What a reading of library exports is told.
package struct ReadSettings: Sendable, Hashable {
    /// The files, in the order in which they are read.
    package var files: [String]
    /// A profile's name; nil for whichever knows the file best.
    package var format: String?
    /// Columns the reader named; they win over the profile's.
    package var columns: ColumnChoice
    /// Records of a batch at the most: 1 or more.
    package var batchRecords: Int
    /// Bytes of a batch's records at the most, but for the record that reaches them.
    package var batchBytes: Int
    /// Records to read of the whole run, blank ones not counted; nil for all.
    package var limit: Int?
    /// The dialect, where the guess shall not be taken.
    package var dialect: Dialect?
    /// The encoding, where the guess shall not be taken.
    package var encoding: TextEncoding?
    /// What one record may cost.
    package var limits: RecordLimits
    /// The stage's name in rejects.
    package var stage: String

    package init(
        files: [String], format: String? = nil, columns: ColumnChoice = ColumnChoice(),
        batchRecords: Int = 1024,
        batchBytes: Int = 1 << 20, limit: Int? = nil, dialect: Dialect? = nil, encoding: TextEncoding? = nil,
        limits: RecordLimits = .standard, stage: String = "ReadLibrary"
    ) {
        self.files = files
        self.format = format
        self.columns = columns
        self.batchRecords = max(1, batchRecords)
        self.batchBytes = max(1, batchBytes)
        self.limit = limit.map { max(0, $0) }
        self.dialect = dialect
        self.encoding = encoding
        self.limits = limits
        self.stage = stage
    }
}
