import Foundation
import Testing

/// A text file in Tests/Snapshots with text that users see. Tests generate the text and compare it with the
/// file, so that a change of wording or layout shows up in a review.
struct Snapshot {
    /// Differing lines shown by a failure.
    private static let linesShown = 6
    /// Rewrites the files instead of comparing.
    static let update = "ETL_UPDATE_SNAPSHOTS=1 swift test --filter SnapshotTests"

    /// The name of the file: `help.txt`.
    let name: String

    var path: String { "Tests/Snapshots/\(name)" }

    /// The text of the file; empty if there is none.
    var text: String { Tree.text(path) }

    /// Compares generated text with the file, or writes the file if `ETL_UPDATE_SNAPSHOTS` is 1.
    func expect(_ generated: String) throws {
        if ProcessInfo.processInfo.environment["ETL_UPDATE_SNAPSHOTS"] == "1" {
            try Data(generated.utf8).write(to: Tree.root.appending(path: path))
        } else if let difference = Self.difference(from: text, to: generated) {
            Issue.record("\(path) differs, \(difference)\nIf the new text is right: \(Self.update)")
        }
    }

    /// The first lines that differ; nil if the texts are equal.
    static func difference(from old: String, to new: String) -> String? {
        guard old != new else { return nil }
        let (old, new) = (lines(old), lines(new))
        let first = zip(old, new).prefix { $0 == $1 }.count
        let marked = [("-", old), ("+", new)].flatMap { mark, lines in
            lines.dropFirst(first).prefix(Self.linesShown).map { "\(mark) \($0)" }
        }
        return "first in line \(first + 1):\n" + marked.joined(separator: "\n")
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
}

@Suite struct SnapshotComparisonTests {
    @Test func `equal texts do not differ`() {
        #expect(Snapshot.difference(from: "a\nb\n", to: "a\nb\n") == nil)
    }

    @Test func `the first differing lines are shown, old ones before new ones`() {
        #expect(Snapshot.difference(from: "a\nb\n", to: "a\nc\n") == "first in line 2:\n- b\n- \n+ c\n+ ")
        #expect(Snapshot.difference(from: "a", to: "a\nb") == "first in line 2:\n+ b")
    }
}
