/// What a ``RecordReader`` has passed over.
package struct SkippedRecords {
    /// Records that are not blank.
    package var count = 0
    /// Those and the blank ones: the records before the next one.
    var records = 0
    /// Lines before the next record.
    var lines = 0
    /// Cells of the widest record before the next one; 0 before the first.
    var width = 0
    /// The record that the input ends within, as what is before it; nil where it ends with a whole one.
    package var cutOff: (records: Int, lines: Int)?

    package init() {}
}
