import Queries

/// Tables of pages.
enum PageTable {
    /// A check box before a row, which belongs to a form elsewhere on the page.
    struct Box {
        /// The id of the form.
        var form: String
        var name: String
        var value: String
        /// What it chooses, for those who do not see the row.
        var label: String
        var isChecked = false
    }

    /// The rows of a table while it is written.
    struct Rows {
        fileprivate let names: [String]
        fileprivate var html: HTML

        /// Adds a row. A cell may have a link, and a language if it is a book's title.
        ///
        /// - Parameters:
        ///   - box: The check box before the cells; nil in tables without them.
        ///   - times: Cells that are times in milliseconds since 1970.
        ///   - picture: Writes the picture of the second cell.
        mutating func add(
            _ cells: [String], box: Box? = nil, links: [Int: String] = [:], languages: [Int: String] = [:],
            times: [Int: Int64] = [:], picture: ((inout HTML) -> Void)? = nil
        ) {
            let names = names
            html.tag("tr") { html in
                if let box {
                    html.tag("td", ["data-name": PageTable.boxes]) { PageTable.write(box, &$0) }
                }
                for (index, cell) in cells.enumerated() {
                    // Small screens show each cell under its column's name.
                    html.tag("td", ["data-name": index < names.count ? names[index] : ""]) { html in
                        if index == 1, let picture {
                            html.tag("span", ["class": "pictured"]) { html in
                                picture(&html)
                                html.text(cell)
                            }
                            return
                        }
                        if let time = times[index] { return PageText.moment(time, &html) }
                        guard let link = links[index] else { return html.text(cell) }
                        let language = languages[index]
                        html.tag(
                            "a", ["href": link, "lang": language, "dir": language.map { _ in "auto" }], cell)
                    }
                }
            }
        }
    }

    /// The link of a column's name, which sorts by it.
    struct Sorting {
        var link: String
        /// `ascending` or `descending`; nil if the table is not sorted by the column.
        var direction: String?
    }

    /// The name of the column of check boxes.
    private static let boxes = "Choose"

    /// - Parameter hasBoxes: Whether each row begins with a check box.
    static func write(
        _ names: [String], caption: String?, hasBoxes: Bool = false, sorting: [Int: Sorting] = [:],
        into html: inout HTML, _ body: (inout Rows) -> Void
    ) {
        html.tag("div", ["class": "scroll"]) { html in
            html.tag("table") { html in
                if let caption { html.tag("caption", caption) }
                html.tag("thead") { html in
                    html.tag("tr") { html in
                        if hasBoxes { write(boxes, nil, &html) }
                        for (index, name) in names.enumerated() { write(name, sorting[index], &html) }
                    }
                }
                html.tag("tbody") { html in
                    var rows = Rows(names: names, html: html)
                    body(&rows)
                    html = rows.html
                }
            }
        }
    }

    private static func write(_ box: Box, _ html: inout HTML) {
        html.open(
            "input",
            [
                "type": "checkbox", "form": box.form, "name": box.name, "value": box.value,
                "aria-label": box.label, "checked": box.isChecked ? "" : nil,
            ])
    }

    private static func write(_ name: String, _ sorting: Sorting?, _ html: inout HTML) {
        guard let sorting else { return html.tag("th", ["scope": "col"], name) }
        html.tag("th", ["scope": "col", "aria-sort": sorting.direction]) {
            $0.tag("a", ["href": sorting.link], name)
        }
    }
}
