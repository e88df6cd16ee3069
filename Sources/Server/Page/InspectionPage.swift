import Books
import Formats
import Queries
import Store
import Syntax
import System

/// Preview of how uploaded files would be read, before anything is stored.
struct InspectionPage {
    /// A file, or why it cannot be read.
    struct File {
        var name: String
        var path: String
        var result: Result<Inspection, Unreadable>
        /// What the library has of it already.
        var known = KnownRecords()

        /// A message about the file under the name that the user knows, without its path on this machine.
        fileprivate func named(_ message: String) -> String { message.replacing(path, with: name) }
    }

    /// Why a file cannot be read, in a sentence.
    struct Unreadable: Error {
        var sentence: String
        /// Whether only the preview had too little time.
        var isImportable = false
    }

    var upload: String
    var files: [File]
    /// The fields of the form as they were sent last.
    var choices: [String: String]
    /// The fields that were chosen for columns, by the numbers of the columns.
    var columns: [Int: String] = [:]
    /// Why the last choice could not be used; nil if it could.
    var refusal: String?
    var viewer: PageViewer

    private var isReadable: Bool {
        files.allSatisfy {
            switch $0.result {
            case .success: true
            case .failure(let failure): failure.isImportable
            }
        }
    }

    func document() -> [UInt8] {
        PageFrame(title: "How your file is read", place: .home, viewer: viewer).document { html in
            if let refusal { html.tag("p", ["class": "failure", "role": "alert"], refusal) }
            for file in files { write(file, &html) }
            let action = "/page/uploads/\(upload)"
            html.tag(
                "form", ["method": "post", "action": action, "id": ColumnChoices.form, "class": "choices"]
            ) {
                html in
                html.tag("fieldset") { html in
                    html.tag("legend", "Options")
                    writeChoices(&html)
                }
                FormInput.hidden(questions.map { (Question.fieldName, $0.rawValue) }, &html)
                writeQuestions(&html)
                html.tag("div", ["class": "buttons sticky"]) { html in
                    if isReadable {
                        html.tag("button", ["name": "action", "value": "import"], "Import")
                    }
                    for (action, text) in [
                        ("inspect", "Read it again with these options"), ("discard", "Discard the upload"),
                    ] {
                        html.tag(
                            "button",
                            ["name": "action", "value": action, "class": "quiet", "formnovalidate": ""], text)
                    }
                }
            }
        }
    }

    private func write(_ file: File, _ html: inout HTML) {
        html.tag("section") { html in
            html.tag("h2", file.name)
            switch file.result {
            case .failure(let failure):
                html.tag("p", ["class": "failure", "role": "alert"], file.named(failure.sentence))
            case .success(let inspection): write(inspection, of: file, &html)
            }
        }
    }

    private func write(_ inspection: Inspection, of file: File, _ html: inout HTML) {
        let score = inspection.scores.first { $0.formatName == inspection.formatName }?.score ?? 0
        html.tag("dl", ["class": "facts"]) { html in
            for (name, value) in [
                ("Format", LibraryFormats.title(of: inspection.formatName)),
                (
                    "Why", inspection.evidence ?? "\(PageText.percent(score)) of the column names match."
                ),
                ("Records", "\(inspection.recordCount)"),
                ("Encoding", inspection.text?.encoding.encoding.rawValue ?? ""),
                (
                    "Dates",
                    inspection.dates.evidence.map {
                        (inspection.dates.order == .monthFirst ? "Month first. " : "Day first. ") + $0
                    } ?? ""
                ),
            ] where !value.isEmpty {
                html.tag("dt", name)
                html.tag("dd", value)
            }
        }
        writeKnown(file.known, of: inspection, &html)
        for warning in inspection.warnings {
            html.tag("p", ["class": "warning"], file.named(warning.message.description))
        }
        if inspection.isPartial {
            html.tag(
                "p", ["class": "warning"],
                "This preview ended early, because the file is large: it shows its first records. The import reads all."
            )
        }
        writeSamples(inspection, &html)
        if !inspection.problems.isEmpty { writeProblems(inspection, &html) }
        writeColumns(inspection, &html)
    }

    private func writeKnown(_ known: KnownRecords, of inspection: Inspection, _ html: inout HTML) {
        let program = LibraryFormats.origin(of: inspection.formatName)
        if known.areAnotherPersons, let example = known.example {
            html.tag("p", ["class": "warning"]) { html in
                html.text(
                    "This looks like another person’s file. Your library has \(known.dated) of its books from \(program) too, and \(known.otherwiseDated) of them were added on other days, such as "
                )
                html.tag("cite", ["dir": "auto"], example.title)
                html.text(" on \(example.inFile) instead of \(example.inLibrary).")
            }
        } else if known.updates > 0 {
            html.tag(
                "p",
                "\(PageText.grouped(known.updates)) of these records are in your library already, from \(program). They are updated."
            )
        }
        if !known.others.isEmpty {
            let programs = known.others.map {
                "\(LibraryFormats.origin(of: $0.format)) (\(PageText.grouped($0.count)))"
            }
            html.tag(
                "p", ["class": "warning"],
                "Your library has books of this file already, from \(programs.joined(separator: ", ")). Choose below what becomes of them."
            )
        }
    }

    private func writeSamples(_ inspection: Inspection, _ html: inout HTML) {
        html.tag("h3", "The first records")
        let names = ["Row", "Title", "People", "Rating", "Shelf", "Read", "ISBN", "Binding"]
        PageTable.write(names, caption: nil, into: &html) { rows in
            for sample in inspection.samples {
                rows.add([
                    "\(sample.record)", sample.title, sample.people.joined(separator: ", "),
                    sample.rating, sample.shelf, sample.dateRead,
                    sample.isbns.map { $0.filter { $0 != "=" && $0 != "\"" } }.joined(separator: " "),
                    sample.format?.contractName ?? "",
                ])
            }
        }
    }

    private func writeProblems(_ inspection: Inspection, _ html: inout HTML) {
        html.tag("h3", "Expected rejects and warnings")
        PageTable.write(["Reason", "Records", "First rows", "Example"], caption: nil, into: &html) { rows in
            for problem in inspection.problems {
                rows.add([
                    problem.code.replacing("_", with: " "), "\(problem.count)",
                    problem.firstRecords.map(String.init).joined(separator: ", "),
                    problem.example,
                ])
            }
        }
    }

    private func writeColumns(_ inspection: Inspection, _ html: inout HTML) {
        let unread = inspection.unread.map(\.name)
        if !unread.isEmpty {
            html.tag("p", ["class": "hint"]) { html in
                html.text("Kept as they are, and not shown in your library: ")
                html.tag("span", ["dir": "auto"], unread.joined(separator: ", "))
                html.text(".")
            }
        }
        ColumnChoices(inspection: inspection, chosen: columns, isOpen: files.count == 1).write(&html)
    }

    private func writeChoices(_ html: inout HTML) {
        let formats = LibraryFormats.all.map { ($0.name, LibraryFormats.title(of: $0.name)) }
        FormInput.select(
            "format", "Format", [(LibraryFormats.automatic, "as the file shows")] + formats,
            chosen: choices["format"], &html)
        FormInput.select(
            "dates", "Dates such as 2/4/2026",
            [
                ("", "as the file shows"), (DateOrder.dayFirst.rawValue, "2 April"),
                (DateOrder.monthFirst.rawValue, "4 February"),
            ], chosen: choices["dates"], &html)
        html.tag("label", ["for": "library"], "Library")
        html.open(
            "input",
            [
                "id": "library", "name": "library", "value": choices["library"] ?? JobOptions.defaultLibrary,
                "maxlength": "64",
            ])
        if files.count > 1 {
            html.tag("label", ["for": "map"], "Columns, such as title=Buch,author=Autor")
            html.open("input", ["id": "map", "name": "map", "value": choices["map"] ?? ""])
        }
        if !hasOthers {
            writeSwitch(
                "join", "Join with the books of other programs, where it is certainly the same book", &html)
        }
        writeSwitch(
            "replace", "Overwrite newer values, if this export is older than an earlier one", &html)
        if !looksForeign {
            writeSwitch("samePerson", "Update my books even if the file looks like another person’s", &html)
        }
    }

    private var looksForeign: Bool { files.contains(where: \.known.areAnotherPersons) }
    private var hasOthers: Bool { files.contains { !$0.known.others.isEmpty } }

    /// A question that only the user can answer. Its raw value is the option that the answer sets.
    enum Question: String, CaseIterable {
        case join, samePerson

        /// The name of the hidden fields with the questions of a page.
        static let fieldName = "asked"

        var title: String {
            switch self {
            case .join: "Books that you have from another program"
            case .samePerson: "Whose file is this?"
            }
        }
    }

    /// The questions of this page.
    private var questions: [Question] {
        (hasOthers ? [.join] : []) + (looksForeign ? [.samePerson] : [])
    }

    /// Writes the questions. Browsers do not send the form without the answers.
    private func writeQuestions(_ html: inout HTML) {
        if hasOthers {
            html.tag("fieldset") { html in
                html.tag("legend", Question.join.title)
                for (value, text) in [
                    (
                        "true",
                        "Join them: each book is there once, with what both programs say. You can undo it."
                    ),
                    ("false", "Keep both: each of these books is there twice."),
                ] {
                    FormInput.check(
                        "radio", "join", value: value, text, isChecked: choices["join"] == value,
                        isRequired: true, &html)
                }
            }
        }
        if looksForeign {
            html.tag("fieldset") { html in
                html.tag("legend", Question.samePerson.title)
                FormInput.check(
                    "checkbox", "samePerson", "Mine: update my books with it", isRequired: true, &html)
                html.tag(
                    "p", ["class": "hint"],
                    "If it is another person’s, write another name under “Library” and read it again with these options."
                )
            }
        }
    }

    private func writeSwitch(_ name: String, _ text: String, _ html: inout HTML) {
        FormInput.check("checkbox", name, text, isChecked: choices[name] == "true", &html)
    }
}
