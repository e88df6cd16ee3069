/// A Markdown file of the repository: its headings, its prose and its links.
struct MarkdownPage: Sendable {
    /// Path from the root of the repository.
    let path: String
    /// The lines outside of code blocks.
    let prose: [Substring]

    /// - Parameter text: The content; by default that of the file.
    init(_ path: String, text: String? = nil) {
        self.path = path
        let lines = (text ?? Tree.text(path)).split(separator: "\n", omittingEmptySubsequences: false)
        var isCode = false
        prose = lines.filter { line in
            let isFence = line.drop { $0 == " " }.hasPrefix("```")
            if isFence { isCode.toggle() }
            return !isFence && !isCode
        }
    }

    /// All Markdown files of the repository, except those of hidden folders.
    static let all: [MarkdownPage] =
        (Tree.names(in: ".") + ["Sources", "Tests", "Pipelines", "docs"].flatMap { Tree.paths(under: $0) })
        .filter { $0.hasSuffix(".md") }.map { MarkdownPage($0) }

    /// The anchors of the headings, as GitHub makes them: `## Exit statuses` is `exit-statuses`, a second one
    /// `exit-statuses-1`.
    var anchors: Set<String> {
        var seen: [String: Int] = [:]
        var anchors: Set<String> = []
        for line in prose {
            guard let heading = line.firstMatch(of: #/^#{1,6} +(.+)$/#)?.1 else { continue }
            let anchor = Self.anchor(of: heading)
            let earlier = seen[anchor, default: 0]
            seen[anchor] = earlier + 1
            anchors.insert(earlier == 0 ? anchor : "\(anchor)-\(earlier)")
        }
        return anchors
    }

    /// The links to files and anchors of the repository. Addresses of other sites are left out.
    var links: [Link] {
        prose.joined(separator: "\n").matches(of: #/\]\(([^)\s]+)\)/#).map(\.1)
            .filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
            .map { Link(target: $0, from: path) }
    }

    private static func anchor(of heading: Substring) -> String {
        let text = heading.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { String($0.1) }
        let kept = text.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        return kept.replacing(" ", with: "-")
    }

    /// A link: `store.md#views`, `../Pipelines` or `#views`.
    struct Link: Sendable {
        let target: Substring
        /// The linked file or folder, from the root of the repository.
        let path: String
        /// The text after `#`; nil if there is none.
        let anchor: String?

        /// - Parameter page: The path of the page with the link.
        init(target: Substring, from page: String) {
            self.target = target
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            anchor = parts.count > 1 ? String(parts[1]) : nil
            var folders = parts[0].isEmpty ? [] : page.split(separator: "/").dropLast()
            for part in (parts[0].isEmpty ? page[...] : parts[0]).split(separator: "/") where part != "." {
                if part == "..", !folders.isEmpty { folders.removeLast() } else { folders.append(part) }
            }
            path = folders.joined(separator: "/")
        }
    }
}
