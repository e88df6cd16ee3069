import Contract
import Queries
import Store
import System

/// Changes to the library, in the words of a page.
struct ChangeList {
    /// A job that changed the library.
    struct Item {
        var entry: JobLogEntry
        /// Description of the change.
        var words: String

        var job: Job { entry.job }
        /// Whether it can be undone.
        var isUndoable: Bool { entry.isKnown && job.undoneBy == nil }
    }

    /// The latest first.
    var items: [Item]

    /// A list without changes.
    static let empty = ChangeList([], undone: [], files: [:])

    /// - Parameters:
    ///   - entries: The changes, the latest first.
    ///   - undone: The jobs that they undid, the latest first.
    ///   - files: The clients' names of their files, by the names of the jobs.
    init(_ entries: [JobLogEntry], undone: [JobLogEntry], files: [String: [String]]) {
        var words: [String: String] = [:]
        for entry in (entries + undone).sorted(by: { $0.job.id < $1.job.id }) {
            words[entry.job.name] = Self.words(entry, files: files[entry.job.name], words)
        }
        items = entries.map { Item(entry: $0, words: words[$0.job.name] ?? "") }
    }

    /// - Parameters:
    ///   - files: The names of its files on the client's machine; nil if they are not known.
    ///   - earlier: The words for earlier jobs.
    private static func words(
        _ entry: JobLogEntry, files: [String]?, _ earlier: [String: String]
    ) -> String {
        let job = entry.job
        if let first = entry.undoes.first {
            let more = entry.undoes.count > 1 ? " and \(entry.undoes.count - 1) more" : ""
            return "Undo of: \(earlier[first] ?? first)\(more)"
        }
        if job.isRemoval { return "Removed the library \(job.library)" }
        if let edit = job.options?.edit {
            let books = edit.book ?? PageText.count(edit.books, "book")
            guard edit.fields == 0 else { return "\(correction(edit)) \(books)" }
            return switch job.pipeline {
            case Job.removePipeline: "Removed \(books)"
            case "merge": "Combined \(books)"
            case "split": "Split \(books)"
            case "duplicates": "Joined \(books)"
            default: "\(job.pipeline): \(books)"
            }
        }
        if job.isRefresh { return "Refreshed stored books" }
        let known = files ?? fileNames(of: job)
        return known.isEmpty ? "Imported a file" : "Imported \(known.joined(separator: ", "))"
    }

    /// The verb and the fields of a correction: `Corrected rating and status of`.
    private static func correction(_ edit: EditNote) -> String {
        let names = (edit.names ?? []).map {
            $0 == EditableField.shelf.name ? "status" : PageText.words(of: $0).lowercased()
        }
        guard !names.isEmpty, names.count <= mostFields else { return "Corrected" }
        let list =
            names.count == 1
            ? names[0] : names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
        return "Corrected \(list) of"
    }

    /// Maximum number of fields that are named.
    private static let mostFields = 3

    /// The names of a job's files that say something to a user. Paths of this machine are not for clients, and the name
    /// that an upload has here means nothing.
    static func fileNames(of job: Job) -> [String] {
        job.inputNames.map { FolderPath.lastName($0) }.filter { !$0.allSatisfy(\.isNumber) }
    }

    /// Writes the latest changes with what undoes them.
    ///
    /// - Parameter mayUndo: Whether the user may undo them.
    func write(most: Int, mayUndo: Bool, _ html: inout HTML) {
        guard !items.isEmpty else { return }
        html.tag("section", ["aria-labelledby": "changes"]) { html in
            html.tag("h2", ["id": "changes"], "Latest changes")
            html.tag("ul", ["class": "list"]) { html in
                for item in items.prefix(most) {
                    html.tag("li") { html in
                        Self.write(item, at: item.job.startedAt, mayUndo: mayUndo, &html)
                    }
                }
            }
        }
    }

    /// Writes a change: its effects, its undo button, and its time.
    static func write(_ item: Item, at time: Int64, mayUndo: Bool, _ html: inout HTML) {
        html.tag("span", item.words)
        writeWay(from: item, mayUndo: mayUndo, &html)
        html.tag("span", ["class": "hint"]) { PageText.moment(time, &$0) }
    }

    /// Writes the link that takes a change back, or why there is none.
    static func writeWay(from item: Item, mayUndo: Bool, _ html: inout HTML) {
        if item.job.undoneBy != nil {
            html.tag("span", ["class": "state"], "undone")
        } else if !item.isUndoable {
            html.tag("span", ["class": "state"], "cannot be undone")
        } else if mayUndo {
            html.tag("a", ["href": Self.path(item.job.name), "aria-label": "Undo: \(item.words)"], "Undo")
        }
    }

    /// The path of the page that takes a job back.
    static func path(_ job: String) -> String { "/page/undo?job=\(PageLink.escaped(job))" }
}
