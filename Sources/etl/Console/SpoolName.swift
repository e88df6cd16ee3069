import FoundationEssentials

/// Names of spools, the files that standard input is saved to. Users see `standard input` instead.
enum SpoolName {
    /// The name that users see.
    static let name = "standard input"

    static let ending = ".stdin"
    /// Characters of the UUID in a spool's name.
    private static let uniqueLength = 36

    /// The text with each path of a spool replaced by `standard input`.
    static func replaced(in text: String) -> String {
        guard text.contains(ending) else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard let end = word.ranges(of: ending).last else { return String(word) }
            let path = word[..<end.lowerBound]
            guard UUID(uuidString: String(path.suffix(uniqueLength))) != nil else { return String(word) }
            let start = path.firstIndex { !"(“\"'`".contains($0) } ?? path.startIndex
            let (before, after) = (word[..<start], word[end.upperBound...])
            // Names of files are in backquotes; this is not one.
            guard before.last == "`", after.first == "`" else { return before + name + after }
            return before.dropLast() + name + after.dropFirst()
        }.joined(separator: " ")
    }
}
