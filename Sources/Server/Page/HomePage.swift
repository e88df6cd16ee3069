import Contract
import Formats
import Jobs
import Queries
import Store
import System

/// The first page: a form to drop a file on, and the jobs that the viewer may see.
struct HomePage {
    /// A job in the list.
    struct Item {
        var name: String
        var state: JobState
        var files: String
        /// Number of records; of a scan the number of photos until they are read, then of books.
        var count: String
        /// When it was ordered, in milliseconds since 1970.
        var time: Int64
    }

    var jobs: [Item]
    var viewer: PageViewer
    /// Maximum size of an upload in bytes.
    var limit: Int
    /// The model that reads photos; nil if the server reads none.
    var model: VisionEndpoint?
    /// Whether the user may administer the server.
    var isAdministrator: Bool

    func document() -> [UInt8] {
        PageFrame(title: "Import your library", place: .home, viewer: viewer).document { html in
            html.tag(
                "form",
                [
                    "method": "post", "action": "/page/uploads", "enctype": "multipart/form-data",
                    "class": "drop", "data-drop": "",
                ]
            ) { html in
                html.tag(
                    "label", ["for": "file"],
                    "Choose an export of Goodreads, LibraryThing, StoryGraph or another program, or drop it here."
                )
                html.open(
                    "input", ["type": "file", "id": "file", "name": "file", "required": "", "multiple": ""])
                html.tag(
                    "p", ["class": "hint", "id": "limit"],
                    "Up to \(limit >> 20) MB. Nothing is stored in your library before you have seen how the file is read."
                )
                html.tag("button", "Upload")
            }
            html.tag("p") { html in
                html.text("Only one book? ")
                html.tag("a", ["href": "/page/add"], "Add it by ISBN or title")
                html.text(".")
            }
            if let model { Self.write(model, &html) }
            html.tag("section", ["aria-labelledby": "jobs"]) { html in
                html.tag("h2", ["id": "jobs"], "Your imports")
                if jobs.isEmpty { html.tag("p", ["class": "hint"], "There are none yet.") }
                html.tag("ul", ["class": "list"]) { html in for job in jobs { Self.write(job, &html) } }
            }
            if isAdministrator {
                html.tag("p") { $0.tag("a", ["href": "/page/admin"], "Administration: queue and users") }
            }
        }
    }

    /// Writes the form for photos of shelves, which says where they go.
    private static func write(_ model: VisionEndpoint, _ html: inout HTML) {
        html.tag(
            "form",
            [
                "method": "post", "action": "/page/scans", "enctype": "multipart/form-data",
                "class": "drop", "data-drop": "",
            ]
        ) { html in
            html.tag(
                "label", ["for": "photos"],
                "No list? Choose up to \(ShelfPhoto.mostPhotos) photos of your shelves, or drop them here.")
            html.open(
                "input",
                [
                    "type": "file", "id": "photos", "name": "photos[]", "required": "", "multiple": "",
                    "accept": "image/jpeg,image/png,image/webp,image/heic,image/heif",
                ])
            html.tag(
                "p", ["class": "hint"],
                "They are sent to \(model.host), where \(model.model) reads the spines. The place and everything else that the camera noted is removed before."
            )
            html.tag("button", "Read the photos")
        }
    }

    private static func write(_ job: Item, _ html: inout HTML) {
        html.tag("li") { html in
            html.tag("a", ["href": "/page/jobs/\(job.name)"], job.files.isEmpty ? "A file" : job.files)
            html.tag("span", ["class": "state \(job.state.rawValue)"], PageText.state(job.state))
            html.tag("span", ["class": "hint"]) { html in
                html.text("\(job.count), ")
                PageText.moment(job.time, &html)
            }
        }
    }
}

/// Words that several pages need.
enum PageText {
    static func count(_ number: Int, _ noun: String) -> String { CountText.count(number, noun) }

    /// A number with commas: `12,000`.
    static func grouped(_ number: Int) -> String { CountText.grouped(number) }

    static func state(_ state: JobState) -> String {
        switch state {
        case .initialized: "waiting"
        case .processing: "running"
        case .completed: "done"
        case .failed: "failed"
        case .canceled: "canceled"
        }
    }

    /// Writes a cover from this server, or else the first letter of the title. Pictures from elsewhere would tell their
    /// servers what you read.
    ///
    /// - Parameter address: The address of the image, if the server has one.
    static func cover(_ title: String, at address: String? = nil, _ html: inout HTML) {
        if let address {
            return html.open("img", ["class": "cover", "src": address, "alt": "", "loading": "lazy"])
        }
        html.tag("span", ["class": "cover", "aria-hidden": "true"], String(title.prefix(1)).uppercased())
    }

    /// Writes a time in milliseconds since 1970, as `2026-11-27 07:58 UTC`. Where scripts run, the time zone is the
    /// browser's.
    static func moment(_ time: Int64, _ html: inout HTML) {
        let stamp = Timestamp.withoutFraction(time)
        html.tag("time", ["datetime": stamp], "\(stamp.replacing("T", with: " ").dropLast(4)) UTC")
    }

    /// Stars, without a fraction if there is none.
    static func rating(_ stars: Double) -> String {
        stars == stars.rounded() ? "\(Int(stars))" : "\(stars)"
    }

    /// A record of a file: its program, and its id there. An id that etl has made says nothing to a user.
    static func record(_ formatName: String, _ sourceID: String) -> String {
        let program = LibraryFormats.origin(of: formatName)
        return sourceID.hasPrefix("~") ? program : "\(program) \(sourceID)"
    }

    /// The name of a field in words: `firstPublicationYear` as `first publication year`, `workID` as `work ID`.
    static func words(of field: String) -> String {
        var words: [String] = [""]
        var wasUppercase = true
        for character in field {
            if character.isUppercase, !wasUppercase { words.append("") }
            wasUppercase = character.isUppercase
            words[words.count - 1].append(character)
        }
        func isAbbreviation(_ word: String) -> Bool { word.count > 1 && word.allSatisfy(\.isUppercase) }
        return words.map { isAbbreviation($0) ? $0 : $0.lowercased() }.joined(separator: " ")
    }

    /// The beginning of a value that may be long.
    static func cut(_ text: String) -> String {
        text.count > longestValue ? "\(text.prefix(longestValue))…" : text
    }

    /// Maximum length of a value that is shown beside others, in characters.
    private static let longestValue = 80

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded()))%" }
}
