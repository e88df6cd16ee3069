import Foundation
import Testing

/// Links of the documentation lead somewhere.
@Suite struct MarkdownLinksTests {
    private static let anchors = Dictionary(
        uniqueKeysWithValues: MarkdownPage.all.map { ($0.path, $0.anchors) })

    @Test func `every linked file exists`() {
        var links = 0
        for page in MarkdownPage.all {
            for link in page.links {
                links += 1
                let exists = FileManager.default.fileExists(atPath: Tree.root.appending(path: link.path).path)
                #expect(exists, "\(page.path) links to \(link.target)")
            }
        }
        #expect(links > 200)
    }

    @Test func `every path in backquotes exists`() {
        var paths = 0
        for page in MarkdownPage.all where page.path != "CHANGELOG.md" {
            for match in Tree.text(page.path).matches(of: #/`((?:Sources|Tests|Pipelines|docs)/[\w./+\-]+)`/#)
            {
                paths += 1
                let exists = FileManager.default.fileExists(
                    atPath: Tree.root.appending(path: String(match.1)).path)
                #expect(exists, "\(page.path) names \(match.1)")
            }
        }
        #expect(paths > 50)
    }

    @Test func `every linked heading exists`() {
        var links = 0
        for page in MarkdownPage.all {
            for link in page.links {
                guard let anchor = link.anchor, let anchors = Self.anchors[link.path] else { continue }
                links += 1
                #expect(anchors.contains(anchor), "\(page.path) links to \(link.target)")
            }
        }
        #expect(links > 50)
    }
}

@Suite struct MarkdownPageTests {
    @Test func `anchors are those of GitHub`() {
        let text = "# A [linked](x.md) `code`, twice\n## Same\n```\n# a comment\n```\n### Same\nText\n"
        let anchors = MarkdownPage("docs/page.md", text: text).anchors
        #expect(anchors == ["a-linked-code-twice", "same", "same-1"])
    }

    @Test func `links are relative to their page`() {
        let text = """
            [a](store.md#views), [b](../Pipelines), [c](#here), [d](https://example.org/x#y)
            ```text
            [e](none.md)
            ```
            """
        let links = MarkdownPage("docs/page.md", text: text).links
        #expect(links.map(\.path) == ["docs/store.md", "Pipelines", "docs/page.md"])
        #expect(links.map(\.anchor) == ["views", nil, "here"])
    }
}
