import Foundation

/// Files that tests read, by their path in one of two folders with the same layout: the project's own in
/// `Tests/Fixtures`, and other people's in `../shared/data`, which is not part of the repository.
///
/// The names of the project's own files begin with `etl_`, or they are in a folder `etl`.
package enum TestFiles {
    private static let fixtures = "\(ProjectFiles.root)/Tests/Fixtures"
    private static let shared = URL(fileURLWithPath: "\(ProjectFiles.root)/../shared/data").standardized.path

    /// Whether other people's files are present.
    package static let hasShared = FileManager.default.fileExists(atPath: shared)

    /// Why a test that needs other people's files is skipped.
    package static let needsShared = "needs other people's files in ../shared/data"

    /// The path on disk.
    package static func path(_ name: String) -> String {
        let own = "\(fixtures)/\(name)"
        return FileManager.default.fileExists(atPath: own) ? own : "\(shared)/\(name)"
    }

    /// The bytes of a file.
    package static func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// The files directly in a folder, in both places, that end in one of the endings.
    package static func names(in folder: String, _ endings: String...) -> [String] {
        [fixtures, shared].flatMap { root -> [String] in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
            return names.filter { name in
                var isFolder: ObjCBool = false
                let path = "\(root)/\(folder)/\(name)"
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && !isFolder.boolValue && !name.hasPrefix(".")
                    && (endings.isEmpty || endings.contains { name.hasSuffix($0) })
            }
            .sorted().map { "\(folder)/\($0)" }
        }
    }

    /// The project's own cases, followed by those of other people's files if these are present.
    package static func cases<Case>(own: [Case], shared: [Case]) -> [Case] {
        hasShared ? own + shared : own
    }

    /// Goodreads exports in the folder `goodreads`, with their numbers of records without blank ones and the
    /// header, counted with another implementation (Python's csv module).
    package static let goodreadsExports: [(name: String, records: Int)] = cases(
        own: [("etl_2015.csv", 5), ("etl_2018.csv", 10), ("etl_2024.csv", 7), ("etl_2026.csv", 4)],
        shared: [
            ("bookwyrm_goodreads-rating.csv", 3), ("bookwyrm_goodreads.csv", 3),
            ("jelu_goodreads-duplicate-events.csv", 6), ("jelu_goodreads1.csv", 10),
            ("jelu_goodreads_library_export-2022.csv", 10), ("jelu_goodreads_library_export_one_line.csv", 1),
            ("jelu_goodreads_library_export_one_line_modified.csv", 1),
            ("jelu_goodreads_library_export_one_line_modified_review.csv", 5),
            ("mouse-reeve_2015-07.csv", 123), ("mouse-reeve_2016-10.csv", 157),
            ("mouse-reeve_2018-01.csv", 181), ("mouse-reeve_2020-10.csv", 358),
            ("neodb_goodreads_library_export.csv", 10), ("openlibrary_goodreads_library_export.csv", 3),
        ])
}
