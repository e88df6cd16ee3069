package import Pipeline
package import Syntax

/// What a reading of library exports is told.
package struct ReadSettings: Sendable, Hashable {
    /// The files, in the order in which they are read.
    package var files: [String]
    /// A profile's name; nil for whichever knows the file best.
    package var format: String?
    /// Columns the reader named; they win over the profile's.
    package var columns: ColumnOptions
    /// Records of a batch at the most: 1 or more.
    package var batchRecords: Int
    /// Records of a batch where nothing else is said: of 1,024, with a catalog, an import takes a tenth longer and a
    /// quarter more memory.
    package static let usualBatchRecords = 512
    /// Bytes of a batch's records at the most, but for the record that reaches them.
    package var batchBytes: Int
    /// Records to read of the whole run, blank ones not counted; nil for all.
    package var limit: Int?
    /// What is said of delimited text.
    package var text: TextOptions
    /// A mapping file's content, which stands for a profile; nil for none.
    package var mapping: ColumnMapping?
    /// How dates are read that have their year last, where the reader says it; nil where each file shows it.
    package var toldDateOrder: DateOrder?
    /// The same where nobody says it, file by file, as ``LibrarySurvey`` finds; the day comes first in those of further
    /// files.
    package var dateOrders: [DateOrder] = []
    /// What the survey of a run found, file by file: none of them may be another one when it is read.
    package var surveyed: [SurveyedFile] = []
    /// What one record may cost.
    package var limits: RecordLimits
    /// The stage's name in rejects.
    package var stage: String

    package init(
        files: [String], format: String? = nil, columns: ColumnOptions = ColumnOptions(),
        batchRecords: Int? = nil,
        batchBytes: Int = 1 << 20, limit: Int? = nil, text: TextOptions = TextOptions(),
        limits: RecordLimits = .standard, stage: String = "ReadLibrary"
    ) {
        self.files = files
        self.format = format
        self.columns = columns
        self.batchRecords = max(1, batchRecords ?? Self.usualBatchRecords)
        self.batchBytes = max(1, batchBytes)
        self.limit = limit.map { max(0, $0) }
        self.text = text
        self.limits = limits
        self.stage = stage
    }

    /// Bounds of a batch.
    package var batchLimits: BatchLimits {
        get { BatchLimits(records: batchRecords, bytes: batchBytes) }
        set { (batchRecords, batchBytes) = (newValue.records, newValue.bytes) }
    }

    /// How the dates of a file are read.
    package func dateOrder(ofFile index: Int) -> DateOrder {
        toldDateOrder ?? (dateOrders.indices.contains(index) ? dateOrders[index] : .dayFirst)
    }
}
