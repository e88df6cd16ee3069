package import Pipeline

/// The stages that pipeline files can name: the one list, in the order in which records meet them.
package enum BookStages {
    private static let batchRecords = Setting.integer(
        "batch.records", default: 1_024, in: 1...65_536, "Records in a batch at the most.")
    private static let batchBytes = Setting.bytes(
        "batch.bytes", default: 1 << 20, in: 4_096...64 << 20, "Bytes of records in a batch at the most.")

    private static let batchesPerCommit = Setting.integer(
        "commit.batches", default: 8, in: 1...64, "Batches that share a transaction at the most.")

    /// The registry of a run.
    package static func registry(_ surroundings: Surroundings) -> StageRegistry {
        StageRegistry([
            StageRecipe(
                source: "ReadLibrary", summary: "Reads library exports of any format there is.",
                settings: [batchRecords.spec, batchBytes.spec]
            ) { settings in
                var reading = surroundings.reading
                reading.batchRecords = settings[batchRecords]
                reading.batchBytes = settings[batchBytes]
                return ReadLibrary(reading)
            },
            StageRecipe(
                stage: "ValidateISBN",
                summary: "Checks the ISBNs of each row and repairs what has one answer only."
            ) { _ in ValidateISBN() },
            StageRecipe(
                stage: "LookUpBooks", summary: "Asks the offline catalogs, by ISBN, then by title and author."
            ) { _ in LookUpBooks(providers: surroundings.catalogs.map { CatalogProvider($0) }) },
            StageRecipe(
                stage: "MergeCandidates",
                summary: "Merges a row and what was found into one book, field by field."
            ) { _ in MergeCandidates() },
            StageRecipe(
                stage: "NormalizeGenres", summary: "Turns subjects and shelves into canonical genres."
            ) {
                _ in NormalizeGenres()
            },
            StageRecipe(
                stage: "EnrichAuthors",
                summary: "Adds what Wikidata says of authors who are identified for certain."
            ) { _ in EnrichAuthors(directory: JoinedDirectories(surroundings.catalogs)) },
            StageRecipe(
                stage: "ComposeResults",
                summary: "Computes keys and packs lineage: makes books ready to be written."
            ) { _ in ComposeResults(library: surroundings.library) },
            StageRecipe(
                sink: "WriteResults",
                summary: "Commits results, rejects and checkpoint of batches in one transaction.",
                settings: [batchesPerCommit.spec]
            ) { (settings) throws(StageFailure) in
                guard let store = surroundings.store else {
                    throw StageFailure(.bug, "WriteResults was made without a store.")
                }
                let digest = TailDigest(files: surroundings.reading.files)
                return WriteResults(
                    store: store, batchesPerCommit: settings[batchesPerCommit], stop: surroundings.stop
                ) { digest.digest(before: $0) }
            },
        ])
    }
}
