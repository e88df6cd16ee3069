import Formats
import Queries
import System

/// What a library can be downloaded as, and what a program cannot hold of it.
struct DownloadsPage {
    /// A file that holds everything.
    struct Whole {
        /// The format as the address names it.
        var name: String
        var title: String
        var hint: String
    }

    static let whole = [
        Whole(
            name: "xlsx", title: "Excel workbook",
            hint: "All books with everything that etl knows, for a spreadsheet."),
        Whole(name: "csv", title: "CSV", hint: "The same as text. It can be edited and imported again."),
        Whole(name: "ndjson", title: "JSON lines", hint: "The same for programs, one book a line."),
        Whole(
            name: "html", title: "Report",
            hint: "One page with totals, charts and lists, to keep or to share."),
    ]

    /// The programs that a file can be written for. One of them takes a folder, which is no download.
    static let programs = LibraryFormats.layouts.filter { !$0.isFolder }

    /// The libraries, and the one that is downloaded.
    var choice: LibraryChoice
    var viewer: PageViewer

    private func path(_ page: String, _ format: String? = nil) -> String {
        PageLink.path(page, [("library", choice.current), ("format", format)])
    }

    /// Says which library is downloaded, and leads to the others.
    private func writeChoice(_ format: String?, _ html: inout HTML) {
        choice.write(
            to: { PageLink.path("/page/downloads", [("library", $0), ("format", format)]) }, &html)
        if choice.isOpen, choice.current == nil {
            html.tag(
                "p", ["class": "warning"],
                "The file will contain the books of all \(choice.libraries.count) libraries. To download only one, choose it above."
            )
        }
    }

    /// The list of formats.
    func document() -> [UInt8] {
        PageFrame(title: "Download the library", place: .library, viewer: viewer).document { html in
            writeChoice(nil, &html)
            html.tag("ul", ["class": "list"]) { html in
                for format in Self.whole {
                    html.tag("li") { html in
                        html.tag("a", ["href": path("/page/export", format.name)], format.title)
                        html.tag("span", ["class": "hint"], format.hint)
                    }
                }
            }
            html.tag("h2", "For another program")
            html.tag(
                "p", ["class": "hint"], "You see what the program cannot hold before you download the file.")
            html.tag("ul", ["class": "list"]) { html in
                for program in Self.programs {
                    html.tag("li") { html in
                        html.tag("a", ["href": path("/page/downloads", program.name)], program.title)
                    }
                }
            }
        }
    }

    /// What a program cannot hold, and the way to the file.
    func document(_ program: any ExportLayout, losing report: LossReport) -> [UInt8] {
        let title = "Download for \(program.title)"
        return PageFrame(title: title, place: .library, viewer: viewer).document { html in
            writeChoice(program.name, &html)
            if report.unidentified > 0 {
                html.tag(
                    "p", ["class": "warning"],
                    "\(PageText.count(report.unidentified, "book")) would have neither a title nor an ISBN there. Correct them first."
                )
            }
            if report.count == 0 {
                html.tag(
                    "p",
                    "\(program.title) can hold everything of \(CountText.count(report.entries, "entry", plural: "entries"))."
                )
            } else {
                html.tag(
                    "p", ["class": "warning"],
                    "\(program.title) cannot hold everything: of \(CountText.count(report.entries, "entry", plural: "entries")), \(PageText.grouped(report.incomplete)) lose or change something."
                )
                let names = ["Field", "Lost", "Changed", "For example"]
                PageTable.write(names, caption: nil, into: &html) { rows in
                    for field in report.fields {
                        rows.add([
                            PageText.words(of: field.name), PageText.grouped(field.lost),
                            PageText.grouped(field.changed),
                            field.examples.first.map(Self.words) ?? "",
                        ])
                    }
                }
            }
            html.tag("p", ["class": "buttons"]) { html in
                let file = path("/page/export", program.name)
                html.tag("a", ["class": "button", "href": file], "Download the file")
                html.tag("a", ["class": "button quiet", "href": path("/page/downloads")], "Other formats")
            }
        }
    }

    private static func words(_ example: LossReport.Example) -> String {
        let value = PageText.cut(example.value)
        let change = example.written.isEmpty ? value : "\(value) becomes \(example.written)"
        return "\(example.book): \(change)"
    }
}
