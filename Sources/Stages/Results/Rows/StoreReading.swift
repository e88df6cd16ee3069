package import Pipeline

/// Takes written bytes on: to standard output, a file, a response. They are lent for the call.
package typealias ByteSink = (UnsafeRawBufferPointer) throws(StageFailure) -> Void

extension Connection {
    /// Prepares a question, its errors as what a command reports.
    func question(_ sql: String) throws(StageFailure) -> Statement {
        do { return try prepare(sql) } catch { throw error.failure }
    }

    /// The number a question is answered with; 0 where it is none.
    func number(_ sql: String) throws(StageFailure) -> Int64 {
        do { return try integer(sql) ?? 0 } catch { throw error.failure }
    }

    /// Reads one state of the store from beginning to end, whatever another process commits meanwhile. Sorting that
    /// outgrows the page cache goes to temporary files.
    func snapshot<Result>(_ body: () throws(StageFailure) -> Result) throws(StageFailure) -> Result {
        do {
            try execute("PRAGMA temp_store = FILE")
            try execute("BEGIN")
        } catch {
            throw error.failure
        }
        // Nothing was written, so there is nothing whose loss a failing end could mean.
        defer { try? execute("COMMIT") }
        return try body()
    }
}

extension Statement {
    /// Moves to the next row; false at the end.
    func next() throws(StageFailure) -> Bool {
        do { return try step() } catch { throw error.failure }
    }
}

extension JobLedger {
    /// A job that must be there: the one named, or the newest.
    ///
    /// - Throws: `.missing` where there is none.
    package func existing(_ name: String?) throws(StageFailure) -> Job {
        if let name {
            if let job = try job(named: name) { return job }
            throw StageFailure(
                .missing, "There is no job \(name).", advice: "`etl jobs` lists those there are.")
        }
        if let job = try last() { return job }
        throw StageFailure(.missing, "There is no job yet.", advice: "Import something first.")
    }
}

extension Job {
    /// The name of an input, where the job had several.
    func fileName(_ index: Int) -> String? {
        inputs.count > 1 && inputs.indices.contains(index) ? inputs[index].name : nil
    }
}

extension JSONWriter {
    /// Bytes that are handed on at a time, near enough.
    static let pieceBytes = 64 * 1024

    /// Hands on what was written once it is a piece, or in any case at the end.
    mutating func handOn(to sink: ByteSink, isEnd: Bool = false) throws(StageFailure) {
        if isEnd || bytes.count >= Self.pieceBytes { try drain(sink) }
    }
}

extension CSVWriter {
    /// Hands on what was written once it is a piece, or in any case at the end.
    mutating func handOn(to sink: ByteSink, isEnd: Bool = false) throws(StageFailure) {
        if isEnd || bytes.count >= JSONWriter.pieceBytes { try drain(sink) }
    }
}
