import Books
import Contract
import Queries

/// A book: its values with their origins, its editions, and the user's data about it.
struct BookPage {
    var explanation: Explanation
    var form: CorrectionForm
    var history: BookChanges
    /// Whether the user may undo changes.
    var mayUndo: Bool
    var viewer: PageViewer

    func document() -> [UInt8] {
        let title = explanation.title
        return PageFrame(title: title?.text ?? "Book", viewer: viewer).document { html in
            if let original = title?.original {
                html.tag("p", ["class": "byline"]) { html in
                    html.text("Original title: ")
                    html.tag("bdi", original)
                }
            }
            let names = explanation.authors.map(\.author.name).joined(separator: ", ")
            if !names.isEmpty { html.tag("p", ["class": "byline"], names) }
            for remark in explanation.remarks { html.tag("p", ["class": "warning"], remark) }
            if !explanation.entries.isEmpty { writeEntries(&html) }
            form.write(&html)
            if let work = explanation.work { write(work, "Work", &html) }
            for edition in explanation.editions { write(edition, "Edition", &html) }
            history.write(mayUndo: mayUndo, &html)
        }
    }

    private func writeEntries(_ html: inout HTML) {
        html.tag("h2", "In your library")
        PageTable.write(["Library", "Shelf", "Your rating", "Read", "From"], caption: nil, into: &html) {
            rows in
            for entry in explanation.entries {
                rows.add([
                    entry.library, entry.shelf ?? "", entry.rating.map(PageText.rating) ?? "",
                    entry.dateRead ?? "",
                    PageText.record(entry.formatName, entry.sourceID),
                ])
            }
        }
    }

    private func write(_ part: Explanation.Part, _ heading: String, _ html: inout HTML) {
        html.tag("h2", heading)
        PageTable.write(["Value of", "Value", "Comes from"], caption: nil, into: &html) { rows in
            for field in part.fields {
                let origin = [field.source.map(Self.words), field.reason].compactMap { $0 }
                rows.add([
                    PageText.words(of: field.field.name), field.values.joined(separator: "; "),
                    origin.joined(separator: ". "),
                ])
            }
        }
    }

    private static func words(_ source: Explanation.Source) -> String {
        switch source {
        case .provider(let provider, let record, let match):
            "\(provider.contractName) \(record), by \(match.name)"
        case .row(_, let formatName, let sourceID): "your file (\(PageText.record(formatName, sourceID)))"
        case .otherLibrary: "another user's file"
        case .user: "a correction"
        }
    }
}
