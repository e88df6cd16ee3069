import Foundation

/// A table of `Tests/Labelled`: fields parted by tabs, named by the first line.
public struct LabelledTable: Sendable {
    /// A line by the names of its fields; an absent one is empty.
    public struct Row: Sendable {
        fileprivate let fields: [String: String]

        /// A field by its name.
        public subscript(_ name: String) -> String { fields[name] ?? "" }
    }

    /// Its lines.
    public let rows: [Row]

    /// Reads a table by the name of its file.
    public init(_ name: String) {
        let text =
            (try? String(contentsOfFile: "\(ProjectFiles.root)/Tests/Labelled/\(name)", encoding: .utf8))
            ?? ""
        let lines = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        rows = lines.dropFirst().map { line in
            Row(fields: Dictionary(zip(lines[0], line)) { first, _ in first })
        }
    }
}
