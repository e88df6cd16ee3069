import Books
import Contract
import Foundation
import Store
import Testing

@testable import TestSupport

/// Titles are untrusted text: whatever they contain, the JSON stays valid and keeps the text.
@Suite struct HostileTextTests {
    static let texts = [
        #""},{"title":"injected"#, "back\\slash\\", "\u{0}\u{1}\u{1F}\u{7F}", "line\r\nend\tand\u{B}tab",
        "\u{2028}\u{2029}", "👩‍👩‍👧‍👦🏳️‍🌈", "e\u{301}\u{327}", "\u{FEFF}bom", "\u{202E}right to left",
        "</script><!--",
        String(repeating: "\"", count: 10_000), String(repeating: "漢", count: 5_000), "null", "",
    ]

    @Test(arguments: texts)
    func `texts survive every JSON object unchanged`(text: String) throws {
        var work = WorkDTO(id: text, title: text, isbndbQuality: 0, reviewStatus: .needsReview)
        work.subjectTags = [text, text]
        work.description = text
        let read = try Written(work).decoded(as: V21.Work.self)
        #expect(Array(read.title.utf8) == Array(text.utf8))
        #expect(read.subjectTags == [text, text] && read.description == text)

        let view = Written { out in
            var view = ImportResultsWriter(JobCounts(), into: &out)
            view.error(RecordError(row: 2, isbn: text, error: text, file: text), into: &out)
            view.book(BookDTO(isbn: text, title: text, authors: [text]), into: &out)
            view.end(timestamp: 0, into: &out)
        }
        let results = try view.decoded(as: V32.ImportResults.self)
        #expect(results.errors == [.init(row: 2, isbn: text, error: text)])
        #expect(results.books.first?.authors == [text])

        let failure = Written {
            Envelope.failure(.invalidQuery(text, value: text, reason: text), timestamp: 0, into: &$0)
        }
        let details = try failure.decoded(as: V21.Envelope<V32.BookDTO, [String: String]>.self).error?.details
        #expect(details == [text: text])
    }

    @Test(arguments: texts)
    func `a message is one line, whatever text it contains`(text: String) {
        let progress = JobProgress(processedCount: 1, totalCount: 2)
        let written = Written(
            JobMessage(
                jobId: "j", pipeline: .csvImport, timestamp: 0,
                .progress(progress, sentence: text, currentItem: text)))
        let lineEnds: Set<Unicode.Scalar> = ["\n", "\r", "\u{B}", "\u{C}", "\u{2028}", "\u{2029}"]
        #expect(!written.text.unicodeScalars.contains { lineEnds.contains($0) })
    }
}
