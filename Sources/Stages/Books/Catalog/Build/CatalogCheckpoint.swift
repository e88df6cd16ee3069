import Foundation
import Pipeline

/// How far a build is: kept with the records that wait, in the transaction that puts them down.
struct CatalogCheckpoint: Codable, Hashable {
    /// What a build is told, and what another one must be told to go on with it.
    struct Task: Codable, Hashable {
        /// Form of the waiting records: the catalog's version.
        var version = CatalogSchema.version
        var inputs: [SourceFingerprint]
        /// Of the catalog that is updated, when it was built; nil where one is made from nothing.
        var updating: String?

        /// In which order this build's files are read to go on with one that was begun: theirs there, whatever they are
        /// called and in whatever order they are named here.
        ///
        /// - Returns: Indices of ``inputs``; why there is none where other bytes were read, or into another catalog.
        func order(resuming begun: Task) -> Result<[Int], CatalogBuildNotice.Reason> {
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
    /// When the build began, in ISO 8601: the catalog's date, however often it was taken up again.
    var builtAt: String
    /// Where reading goes on.
    var position = Position.start
    /// Parts of the catalog that are written.
    var written: Set<CatalogBuildProgress.Phase> = []
    var report = CatalogBuildReport()

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Encoding text and whole numbers cannot fail; an empty checkpoint would be refused on resuming.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Nil for what is no checkpoint of this program's.
    init?(json: String) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = read
    }

    init(task: Task, builtAt: String) {
        self.task = task
        self.builtAt = builtAt
    }

    /// Counts a batch under its file.
    mutating func note(_ records: borrowing DumpRecords, lines: Int, _ rejects: [Reject]) {
        while report.sources.count <= records.file {
            let input = task.inputs[report.sources.count]
            report.sources.append(.init(name: input.name, bytes: input.size, reasons: [:], taken: 0))
        }
        let file = records.file
        report.sources[file].lines += lines
        report.sources[file].records += records.tally.records
        report.sources[file].taken = (report.sources[file].taken ?? 0) + records.tally.taken
        report.sources[file].malformed += rejects.count
        report.sources[file].provider = report.sources[file].provider ?? records.origin
        if records.endsInGarbage { report.sources[file].endsInGarbage = true }
        report.read += records.tally
        for reject in rejects {
            guard let reason = DumpLineError(rawValue: reject.code) else { continue }
            report.sources[file].reasons?[reason, default: 0] += 1
            report.note(
                reason, file: report.sources[file].name, line: reject.position.line, head: reject.raw)
        }
    }
}
