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

        /// Whether two builds read the same bytes into the same catalog, whatever the files are called.
        func isSame(as other: Task) -> Bool {
            version == other.version && updating == other.updating && inputs.count == other.inputs.count
                && zip(inputs, other.inputs).allSatisfy {
                    $0.size == $1.size && $0.headSHA256 == $1.headSHA256
                }
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
}
