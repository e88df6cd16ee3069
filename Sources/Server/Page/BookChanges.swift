import Contract
import Queries
import Store

/// Changes to one book, the latest first.
struct BookChanges {
    private let steps: [(step: HistoryStep, item: ChangeList.Item)]

    /// Maximum number of changes of a book that are listed.
    private static let mostSteps = 10

    /// The names of the jobs whose changes are listed.
    static func jobs(of history: BookHistory?) -> Set<String> {
        Set((history?.steps ?? []).suffix(mostSteps).map(\.job.name))
    }

    /// - Parameters:
    ///   - history: The history of the book; nil if it is not known.
    ///   - list: Those of these jobs that the user may see.
    ///   - library: The only library whose entries may be shown; nil for all.
    init(_ history: BookHistory?, as list: ChangeList, of library: String?) {
        let items = Dictionary(list.items.map { ($0.job.name, $0) }) { first, _ in first }
        steps = (history?.steps ?? []).suffix(Self.mostSteps).reversed().compactMap { step in
            guard let item = items[step.job.name] else { return nil }
            var step = step
            if let library {
                step.changes.removeAll { $0.kind == .entry && !$0.key.hasPrefix("\(library)/") }
            }
            return (step, item)
        }
    }

    func write(mayUndo: Bool, _ html: inout HTML) {
        guard !steps.isEmpty else { return }
        html.tag("section", ["aria-labelledby": "changes"]) { html in
            html.tag("h2", ["id": "changes"], "History")
            html.tag("ul", ["class": "list"]) { html in
                for (step, item) in steps {
                    html.tag("li") { html in
                        ChangeList.write(
                            item, at: step.startedAt ?? item.job.startedAt, mayUndo: mayUndo, &html)
                        for change in step.changes where change.effect == .changed {
                            Self.write(change, &html)
                        }
                    }
                }
            }
        }
    }

    private static func write(_ change: RowChange, _ html: inout HTML) {
        html.tag("ul", ["class": "fields"]) { html in
            for field in change.fields {
                html.tag("li") { html in
                    html.text("\(PageText.words(of: field.field)): ")
                    html.tag("del", shown(field.before))
                    html.text(" → ")
                    html.tag("ins", shown(field.after))
                }
            }
        }
    }

    private static func shown(_ values: [String]) -> String {
        values.isEmpty ? "none" : values.joined(separator: "; ")
    }
}
