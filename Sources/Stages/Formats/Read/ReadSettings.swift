package import Books
package import Pipeline
package import Syntax
package import System

/// The settings for reading library exports.
package struct ReadSettings: Sendable, Hashable {
    /// The files, in the order in which they are read.
    package var files: [String]
    /// Name of a format; nil to detect it.
    package var format: String?
    /// The formats that the pipeline is made for; empty for all. A format that the user names is read anyway.
    package var expectedFormats: [String] = []
    /// The user's column mapping; it overrides the format's.
    package var columns: ColumnOptions
    /// Maximum number of records in a batch, at least 1.
    package var batchRecords: Int
    /// Default number of records in a batch. With 1,024 records and a catalog an import takes 10 % longer and
    /// 25 % more memory.
    package static let defaultBatchRecords = 512
    /// A batch ends with the record that reaches this number of bytes.
    package var batchBytes: Int
    /// Number of records to read in the whole run, not counting blank ones; nil for all.
    package var limit: Int?
    /// The user's options for delimited text.
    package var text: TextOptions
    /// The content of a mapping file, used in place of a format; nil for none.
    package var mapping: ColumnMapping?
    /// The user's rules for shelves, ratings and authors; nil for none.
    package var rules: MappingRules?
    /// The order of dates that end with the year, if given by the user; nil to determine it for each file.
    package var explicitDateOrder: DateOrder?
    /// The order determined by ``LibrarySurvey`` for each file, used if the user gave none. Other files are
    /// read with the day first.
    package var dateOrders: [DateOrder] = []
    /// The run's survey of each file. Reading fails if a file has changed since.
    package var surveyed: [SurveyedFile] = []
    /// Parts of archives and workbooks that are not imported.
    package var setAside: [UserWarning] = []
    /// Maximum size of all files after decompression; nil for as much as valid data can.
    package var expansionLimit: ExpansionLimit?
    /// The limits for one record.
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

    /// The order in which the dates of a file are read.
    package func dateOrder(ofFile index: Int) -> DateOrder {
        explicitDateOrder ?? (dateOrders.indices.contains(index) ? dateOrders[index] : .dayFirst)
    }
}

/// The settings as text, stored with the job so that they need not be repeated when it is resumed.
extension ReadSettings {
    /// All settings that are set, as option names and values.
    package var words: [(key: String, word: String)] {
        var words = text.words
        if let format { words.append(("format", format)) }
        if let map = columns.text { words.append(("map", map)) }
        if let path = mapping?.path { words.append(("mapping", path)) }
        if let explicitDateOrder { words.append(("dates", explicitDateOrder.rawValue)) }
        if let limit { words.append(("limit", String(limit))) }
        return words
    }

    /// Replaces the current settings with those of an earlier run of the job. Unknown ones are ignored.
    ///
    /// - Throws: `missing` or `configuration` for a mapping file that is missing or invalid.
    package mutating func take(words: [(key: String, word: String)]) throws(ETLError) {
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
