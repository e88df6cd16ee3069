import Database
import FoundationEssentials
import System

/// Progress of a build, stored with the staged records, in the same transaction.
struct CatalogCheckpoint: Codable, Hashable {
    /// The parameters of a build. A later build can continue it only with the same ones.
    struct Task: Codable, Hashable {
        /// Format of the staged records: the catalog's version.
        var version = CatalogSchema.version
        var inputs: [SourceFingerprint]
        /// When the catalog being updated was built; nil for a new catalog.
        var updating: String?

        /// The order in which this build must read its files to continue an earlier one: the earlier order,
        /// whatever the files' current names and order.
        ///
        /// - Returns: Indices of ``inputs``, or the reason why the earlier build cannot be continued: it read
        ///   other bytes, or was for another catalog.
        func order(resuming begun: Task) -> Result<[Int], CatalogBuildWarning.Reason> {
            guard version == begun.version else { return .failure(.otherVersion) }
            guard updating == begun.updating else {
                return .failure(
                    updating == nil ? .update : begun.updating == nil ? .noUpdate : .otherCatalog)
            }
            var left = Array(inputs.indices)
            var order: [Int] = []
            for input in begun.inputs {
                guard let found = left.firstIndex(where: { inputs[$0].isSame(as: input) }) else { break }
                order.append(left.remove(at: found))
            }
            let isSame = left.isEmpty && order.count == begun.inputs.count
            return isSame ? .success(order) : .failure(.otherFiles)
        }
    }

    var task: Task
    /// When the build was started, in ISO 8601. This is the catalog's date, even if the build was
    /// interrupted.
    var builtAt: String
    /// Position at which reading continues.
    var position = Position.start
    /// Parts of the catalog already written.
    var written: Set<CatalogBuildProgress.Phase> = []
    var report = CatalogBuildReport()

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Encoding texts and integers cannot fail. If it did, the empty checkpoint would be rejected on
        // resuming.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Nil if the text is not a checkpoint of this version, or has impossible numbers.
    init?(json: String) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)), read.isPossible else {
            return nil
        }
        self = read
    }

    /// Whether all numbers are within their bounds, and all files before the position were read.
    private var isPossible: Bool {
        let numbers = [position.file, Int(position.byte), position.line, position.record] + report.numbers
        return numbers.allSatisfy { StoredNumber.range.contains(Int64($0)) }
            && report.sources.count <= task.inputs.count && position.file <= report.sources.count
    }

    init(task: Task, builtAt: String) {
        self.task = task
        self.builtAt = builtAt
    }

    /// Adds a batch to the counts of its file.
    mutating func note(_ records: borrowing DumpRecords, lines: Int, _ rejects: [Reject]) {
        while report.sources.count <= records.file {
            let input = task.inputs[report.sources.count]
            report.sources.append(.init(name: input.name, bytes: input.size))
        }
        let file = records.file
        report.sources[file].lines += lines
        report.sources[file].records += records.counts.records
        report.sources[file].taken += records.counts.taken
        report.sources[file].malformed += rejects.count
        report.sources[file].provider = report.sources[file].provider ?? records.origin
        if records.endsInGarbage { report.sources[file].endsInGarbage = true }
        report.read += records.counts
        for reject in rejects {
            guard let reason = DumpLineError(rawValue: reject.code) else { continue }
            report.sources[file].reasons[reason, default: 0] += 1
            report.note(
                reason, file: report.sources[file].name, line: reject.position.line, head: reject.raw)
        }
    }
}
