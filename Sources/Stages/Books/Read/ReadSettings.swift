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
    package static let defaultBatchRecords = 512
    /// Bytes of a batch's records at the most, but for the record that reaches them.
    package var batchBytes: Int
    /// Records to read of the whole run, blank ones not counted; nil for all.
    package var limit: Int?
    /// What is said of delimited text.
    package var text: TextOptions
    /// A mapping file's content, which stands for a profile; nil for none.
    package var mapping: ColumnMapping?
    /// How dates are read that have their year last, where the reader says it; nil where each file shows it.
    package var explicitDateOrder: DateOrder?
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
        self.batchRecords = max(1, batchRecords ?? Self.defaultBatchRecords)
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
        explicitDateOrder ?? (dateOrders.indices.contains(index) ? dateOrders[index] : .dayFirst)
    }
}

/// What a reading was told, in words that are kept with its job: whoever goes on with it need not say them again.
extension ReadSettings {
    /// All that was told, each as the option of its name takes it.
    package var words: [(key: String, word: String)] {
        var words = text.words
        if let format { words.append(("format", format)) }
        if let map = columns.text { words.append(("map", map)) }
        if let path = mapping?.path { words.append(("mapping", path)) }
        if let explicitDateOrder { words.append(("dates", explicitDateOrder.rawValue)) }
        if let limit { words.append(("limit", String(limit))) }
        return words
    }

    /// Takes what an earlier run of the job was told, in place of all that is told now. Words nobody understands are
    /// passed over.
    ///
    /// - Throws: `missing` or `configuration` for a mapping file that is gone or broken.
    package mutating func take(words: [(key: String, word: String)]) throws(StageFailure) {
        (format, columns, mapping, explicitDateOrder, limit) = (nil, ColumnOptions(), nil, nil, nil)
        text = TextOptions()
        for (key, word) in words {
            switch key {
            case "format": format = word
            case "map": columns = try ColumnOptions(parsing: word)
            case "mapping": mapping = try ColumnMapping(file: word)
            case "dates": explicitDateOrder = DateOrder(rawValue: word)
            case "limit": limit = Int(word)
            default: _ = text.take(key, word)
            }
        }
    }
}
