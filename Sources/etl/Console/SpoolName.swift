import Foundation

/// Names of the files in which standard input is kept: users see the name of standard input in their place.
enum SpoolName {
    /// What it is called wherever its spool would be named.
    static let name = "<stdin>"

    static let ending = ".stdin"
    /// Characters of what makes a spool's name one of its own: a UUID.
    private static let uniqueLength = 36

    /// A text in which spools go by the name of what they hold.
    static func replaced(in text: String) -> String {
        guard text.contains(ending) else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            guard let end = word.range(of: ending, options: .backwards) else { return String(word) }
            let path = word[..<end.lowerBound]
            guard UUID(uuidString: String(path.suffix(uniqueLength))) != nil else { return String(word) }
            let start = path.firstIndex { !"(“\"'`".contains($0) } ?? path.startIndex
            return word[..<start] + name + word[end.upperBound...]
        }.joined(separator: " ")
    }
}
