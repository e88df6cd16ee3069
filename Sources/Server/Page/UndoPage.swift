import Queries
import Store

/// Preview of an undo.
struct UndoPage {
    /// The job.
    var item: ChangeList.Item
    /// Changes that an undo would make.
    var change: LibraryChange
    /// The later jobs that built on it, and are undone too.
    var later: [ChangeList.Item]
    var viewer: PageViewer

    func document() -> [UInt8] {
        PageFrame(title: "Undo this?", place: .library, viewer: viewer).document { html in
            html.tag("p", ["class": "byline"]) { html in
                html.text("\(item.words), ")
                PageText.moment(item.job.startedAt, &html)
            }
            if !later.isEmpty {
                html.tag("div", ["class": "warning"]) { html in
                    html.tag("p", "Later changes built on it. They are undone too:")
                    html.tag("ul") { html in for item in later { html.tag("li", item.words) } }
                }
            }
            writeCounts(&html)
            html.tag("form", ["method": "post", "action": "/page/undo", "class": "choices"]) { html in
                FormInput.hidden(change.undone.map { ("job", $0.name) }, &html)
                html.tag("div", ["class": "buttons"]) { html in
                    html.tag("button", later.isEmpty ? "Undo" : "Undo all \(later.count + 1) changes")
                    html.tag("a", ["class": "button quiet", "href": "/page/library"], "Keep everything")
                }
            }
            html.tag("p", ["class": "hint"], "An undo can be undone.")
        }
    }

    private func writeCounts(_ html: inout HTML) {
        let rows = change.rows
        PageTable.write(["What", "Removed", "Restored"], caption: nil, into: &html) { table in
            for (name, count) in [
                ("Entries", rows.entries), ("Works", rows.works), ("Editions", rows.editions),
                ("Authors", rows.authors),
            ] where count.deleted + count.restored > 0 {
                table.add([name, "\(count.deleted)", "\(count.restored)"])
            }
        }
    }
}
