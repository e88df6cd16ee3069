import Books
import Contract
import Formats
import Store
import Syntax
import System

/// The pages from an upload to its import. An upload that is not imported is removed after an hour.
enum PageUploadRoutes {
    static let all: [Route] = [
        PageRoutes.page(
            .post, "/page/uploads", "pageUpload", limit: .imports, scope: .import, body: .form(receive)
        ) {
            _, _ in .answer(Response(200, .bytes([])))
        },
        PageRoutes.page(.get, "/page/uploads/{upload}", "pageInspection", scope: .import, failing: [400]) {
            call, backend in
            .work(.previews) { await inspect(call, [:], backend) }
        },
        PageRoutes.page(
            .post, "/page/uploads/{upload}", "pageImport", scope: .import, body: .fields(limit: 16_384),
            form: .fields(
                [
                    .optional("action", .names(["import", "inspect", "discard"])),
                    .optional(
                        InspectionPage.Question.fieldName,
                        .list(.names(InspectionPage.Question.allCases.map(\.rawValue)), 0...2)),
                ]
                    + ImportOptions.fields.map { .optional($0, ImportOptions.schema(of: $0)) })
        ) { call, backend in
            // Everything but these two shows the preview again.
            .work(["import", "discard"].contains(call.value("action")) ? .writers : .previews) {
                await decide(call, backend)
            }
        },
    ]

    private static func receive(
        _ call: Route.Call, _ form: FormReceiver.Form, _ backend: Backend
    ) async -> Response {
        var files = form.files
        guard !files.paths.isEmpty, form.fileNames.allSatisfy({ $0.field == "file" }) else {
            files.discard()
            return PageRoutes.failure("The form has no file.", status: 400, call)
        }
        backend.pendingUploads.add(
            PendingUpload(
                upload: files.name, files: files.paths, names: form.fileNames.map(\.name),
                owner: call.access.owner),
            at: backend.clock.epochMilliseconds())
        return PageRoutes.seeOther("/page/uploads/\(files.name)")
    }

    private static func missing(_ call: Route.Call) -> Response {
        PageRoutes.failure("This upload is no longer here. Upload the file again.", status: 404, call)
    }

    /// - Parameters:
    ///   - choices: The fields of the form.
    ///   - unanswered: Why the form cannot be used, if its fields can; nil if nothing is missing.
    private static func inspect(
        _ call: Route.Call, _ choices: [String: String], refusing unanswered: String? = nil,
        _ backend: Backend
    ) async -> Response {
        guard let pending = backend.pendingUploads[call.path["upload"] ?? "", of: call.access.owner] else {
            return missing(call)
        }
        var (options, refusal) = options(pending, choices)
        refusal = refusal ?? unanswered
        options.confine(to: call.access.library)
        var files: [InspectionPage.File] = []
        let time = backend.settings.previewTime / UInt64(max(1, pending.files.count))
        for (path, name) in zip(pending.files, pending.names) {
            let preview = PreviewTime(time, clock: backend.clock, isAbandoned: call.isAbandoned)
            let result = inspection(
                path, options, limit: backend.settings.expansionLimit,
                until: CalendarDate.tomorrow(of: backend.clock.epochMilliseconds()), in: preview)
            preview.end()
            if call.isAbandoned() { return Answer.abandoned }
            var file = InspectionPage.File(name: name, path: path, result: result)
            if case .success(let inspection) = result {
                file.known = (try? known(inspection, options, backend)) ?? KnownRecords()
            }
            files.append(file)
        }
        let page = InspectionPage(
            upload: pending.upload, files: files, choices: choices, columns: columns(call), refusal: refusal,
            viewer: call.viewer(backend))
        return PageRoutes.html(page.document(), status: refusal == nil ? 200 : 400)
    }

    /// Number of records of a file that are looked up in the library.
    private static let mostCompared = 100_000

    /// What the library has of a file's records. A library that is locked is not waited for: the import says it too.
    private static func known(
        _ inspection: Inspection, _ options: ImportOptions, _ backend: Backend
    ) throws(ETLError) -> KnownRecords {
        guard let store = try StoreFile.openIfStarted(backend.settings.store) else { return KnownRecords() }
        return try KnownRecords(
            inspection.facts, formatName: inspection.formatName, library: options.library, in: store)
    }

    private static func inspection(
        _ path: String, _ options: ImportOptions, limit: ExpansionLimit?, until latest: CalendarDate?,
        in preview: PreviewTime
    ) -> Result<Inspection, InspectionPage.Unreadable> {
        do throws(ETLError) {
            return .success(
                try Inspection(
                    try options.reading(of: [path], limit: limit), facts: mostCompared,
                    until: latest, surveyingUntil: preview.halfTime, readingUntil: preview.fullTime))
        } catch {
            if error.kind == .temporary, preview.fullTime.isRaised {
                return .failure(
                    .init(
                        sentence: "The file is too large for a preview. It can be imported without one.",
                        isImportable: true))
            }
            return .failure(.init(sentence: error.message))
        }
    }

    /// The fields that the form chooses for columns, by the numbers of the columns.
    private static func columns(_ call: Route.Call) -> [Int: String] {
        var chosen: [Int: String] = [:]
        for (name, value) in call.fields where name.hasPrefix(ColumnChoices.prefix) && !value.isEmpty {
            if let number = Int(name.dropFirst(ColumnChoices.prefix.count)), number > 0 {
                chosen[number] = value
            }
        }
        return chosen
    }

    /// The job that the choices make of a pending upload, and why one of them cannot be used.
    private static func options(_ pending: PendingUpload, _ choices: [String: String]) -> (
        ImportOptions, refusal: String?
    ) {
        var options = ImportOptions(.files, job: pending.upload)
        options.upload = pending.upload
        options.files = pending.files
        options.names = pending.names
        for (name, value) in choices.sorted(by: { $0.key < $1.key }) where ImportOptions.fields.contains(name)
        {
            if let refusal = options.set(name, value) { return (options, "\(name): \(refusal.message)") }
        }
        return (options, nil)
    }

    private static func decide(_ call: Route.Call, _ backend: Backend) async -> Response {
        let (upload, uploads) = (call.path["upload"] ?? "", backend.pendingUploads)
        var choices: [String: String] = [:]
        for (name, value) in call.fields where ImportOptions.fields.contains(name) {
            choices[name] = value.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        var refusal: String?
        switch ColumnChoices.mapping(columns(call)) {
        case .success(let mapping): choices["map"] = mapping ?? choices["map"]
        case .failure(let two): refusal = two.sentence
        }
        switch call.value("action") {
        case "discard":
            guard uploads.discard(upload, of: call.access.owner) else { return missing(call) }
            backend.uploads.remove(upload)
            return PageRoutes.seeOther("/")
        case "import" where refusal == nil: break
        default: return await inspect(call, choices, refusing: refusal, backend)
        }
        // Browsers do not send the form without the answers; other clients may.
        let asked = call.fields.filter { $0.name == InspectionPage.Question.fieldName }
            .compactMap { InspectionPage.Question(rawValue: $0.value) }
        if let open = asked.first(where: { choices[$0.rawValue]?.isEmpty != false }) {
            return await inspect(call, choices, refusing: "Answer the question “\(open.title)”.", backend)
        }
        guard let pending = uploads.claim(upload, of: call.access.owner, by: call.user) else {
            return missing(call)
        }
        let (options, unusable) = options(pending, choices)
        guard unusable == nil else {
            uploads.release(upload, isImported: false)
            return await inspect(call, choices, backend)
        }
        do throws(JobRefusal) {
            // The key makes a second click show the job of the first one.
            let key = RequestKey("\(upload) import", asking: "page")
            let job = try await call.accept(options, key: key, backend).job
            uploads.release(upload, isImported: true)
            return PageRoutes.seeJob(job, call)
        } catch {
            uploads.release(upload, isImported: false)
            return PageRoutes.failure(error, call)
        }
    }
}
