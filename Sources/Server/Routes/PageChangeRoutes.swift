import Contract
import Database
import Jobs
import Queries
import Store
import System

/// The pages that correct books and undo changes.
enum PageChangeRoutes {
    /// Maximum number of changes that are undone together.
    private static let mostJobs = 200

    /// Maximum size of the form of an entry, which has its review twice.
    private static let entryBytes = 512 << 10

    static let all: [Route] = [
        PageRoutes.page(
            .get, "/page/undo", "pageUndo", scope: .import,
            taking: [.query("job", .text(.job), isRequired: true, "The job that is undone.")],
            failing: [400, 404, 409]
        ) { call, backend in
            .work(.previews) { ask(call, backend) }
        },
        PageRoutes.page(
            .post, "/page/undo", "pageUndone", scope: .import, body: .fields(limit: 64 << 10),
            form: .fields([.required("job", .list(.text(.job), 1...mostJobs))]),
            failing: [404, 409]
        ) { call, backend in
            .work(.waiters) { await undo(call, backend) }
        },
        PageRoutes.page(
            .post, "/page/book", "pageCorrection", scope: .import, body: .fields(limit: 64 << 10),
            form: .fields([
                .required("id", .string),
                .required("field", .names(EditableField.allCases.filter(\.isSettable).map(\.name))),
                .optional("value", .string), .optional("library", .string),
            ]),
            failing: [404, 409]
        ) { call, backend in
            .work(.waiters) { await correct(call, backend) }
        },
        PageRoutes.page(
            .post, "/page/entry", "pageEntry", scope: .import, body: .fields(limit: entryBytes),
            form: .fields(
                [
                    .required("id", .string), .required("entry", .string), .required("format", .string),
                    .required("library", .string),
                ]
                    + EntryForm.fields.flatMap {
                        [.optional($0.name, .string), .optional(EntryForm.shownName($0), .string)]
                    }),
            failing: [404, 409]
        ) { call, backend in
            .work(.waiters) { await change(call, backend) }
        },
    ]

    /// Changes to the library by jobs with these names, as far as a request may see it.
    ///
    /// - Parameter count: Number of the latest changes that are wanted besides; nil for none.
    static func changes(
        by names: Set<String>, latest count: Int? = nil, in store: Connection, _ call: Route.Call,
        _ backend: Backend
    ) throws(ETLError) -> ChangeList {
        let library = call.access.library
        let (chosen, undone) = try JobLogEntry.some(in: store, ofLibrary: library) {
            (table) throws(ETLError) in
            // What was before a removal is of somebody who had a library of the same name.
            var removal: Int64 = 0
            if let library { removal = try table.lastRemoval(of: library)?.id ?? 0 }
            func isShown(_ job: Job) -> Bool { job.changesLibrary && job.id > removal }
            var jobs: [Int64: Job] = [:]
            for name in names {
                if let job = try table.job(named: name), isShown(job) { jobs[job.id] = job }
            }
            if let count {
                var left = count
                let latest = try table.newest(ofLibrary: library) { job in
                    if isShown(job) { left -= 1 }
                    return left == 0 || job.id <= removal
                }
                for job in latest where isShown(job) { jobs[job.id] = job }
            }
            return jobs.values.sorted { $0.id > $1.id }
        }
        return ChangeList(
            chosen, undone: undone,
            files: backend.jobs.fileNames(of: Set((chosen + undone).map(\.job.name)), in: library))
    }

    // MARK: Undo

    private static func ask(_ call: Route.Call, _ backend: Backend) -> Response {
        // It ends when its client leaves.
        let preview = PreviewTime(.max, clock: backend.clock, isAbandoned: call.isAbandoned)
        defer { preview.end() }
        let name = call.parameter("job") ?? ""
        do throws(ETLError) {
            guard let store = try StoreFile.openIfStarted(backend.settings.store),
                let item = try changes(by: [name], in: store, call, backend).items.first
            else { return unknown(call) }
            let change = try UndoPreview.change(
                undoing: [name], withLater: true, in: backend.settings.store, stop: preview.fullTime)
            let others = Set(change.undone.map(\.name)).subtracting([name])
            let later = try changes(by: others, in: store, call, backend).items
            // A job of a library that this client may not see must not be undone by it.
            guard later.count == others.count else {
                return PageRoutes.failure(
                    "Changes of other libraries built on it, so it cannot be undone here.", status: 409, call)
            }
            let page = UndoPage(
                item: item, change: change, later: later, viewer: call.viewer(backend))
            return PageRoutes.html(page.document())
        } catch {
            return call.isAbandoned() ? Answer.abandoned : PageRoutes.failure(error, call)
        }
    }

    private static func undo(_ call: Route.Call, _ backend: Backend) async -> Response {
        do throws(ETLError) {
            let names = call.fields.filter { $0.name == "job" }.map(\.value)
            guard !names.isEmpty, names.count <= mostJobs,
                let store = try StoreFile.openIfStarted(backend.settings.store)
            else { return unknown(call) }
            let known = try changes(by: Set(names), in: store, call, backend).items
            guard known.count == Set(names).count else { return unknown(call) }
            // Undoes only the jobs that the page has shown: if more was built on them meanwhile, this fails.
            let change = try await ResultsStore(backend.settings.store).undo(
                UndoRequest(jobs: names, name: JobName.make()))
            backend.watch.noteEnd()
            return PageRoutes.seeOther("/page/library?changed=\(change.job?.name ?? "")")
        } catch {
            guard error.kind != .conflict else {
                return PageRoutes.failure(
                    "The library has changed since you opened this page. Nothing was undone. Open the change again to see what its undo does now.",
                    status: 409, call)
            }
            return PageRoutes.failure(error, call)
        }
    }

    private static func unknown(_ call: Route.Call) -> Response {
        PageRoutes.failure("This change is not known.", status: 404, call)
    }

    // MARK: Corrections

    /// The form that corrects a book.
    ///
    /// - Parameters:
    ///   - book: Nil if the request may not correct it. Then the form has no fields.
    ///   - store: The store, open for reading.
    static func form(
        _ id: String, of book: EditableBook?, in store: Connection, _ call: Route.Call, _ backend: Backend
    ) throws(ETLError) -> CorrectionForm {
        var form = CorrectionForm(
            fields: [], id: id, library: call.access.library == nil ? PageRoutes.namedLibrary(call) : nil,
            looksUp: backend.jobs.settings.refreshes != nil)
        guard let book else { return form }
        let isShared =
            if let tenant = tenant(call) { try book.isShared(besides: tenant, in: store) } else { false }
        form.fields = EditableField.allCases.filter {
            $0.isSettable && ($0.part == .entry || !isShared) && (try? book.row(of: $0)) != nil
        }
        return form
    }

    /// The library whose user sends a request and must not change what other libraries show; nil for anybody else.
    static func tenant(_ call: Route.Call) -> String? {
        call.access.has(.admin) ? nil : call.access.library
    }

    private static func correct(_ call: Route.Call, _ backend: Backend) async -> Response {
        let (id, name) = (call.value("id") ?? "", call.value("field") ?? "")
        let value = call.value("value") ?? ""
        guard let field = EditableField(named: name) else {
            return PageRoutes.failure("There is no such field.", status: 400, call)
        }
        do throws(ETLError) {
            let values = try field.values(of: value)
            defer { backend.watch.noteEnd() }
            let report = try await LibraryEdits(backend.settings.store).edit(
                BookReference(id), library: PageRoutes.namedLibrary(call), tenant: tenant(call),
                pipeline: "set",
                [(field, .set(values))])
            let library = call.access.library == nil ? PageRoutes.namedLibrary(call) : nil
            guard field == .isbn else {
                return PageRoutes.seeOther(PageLink.book(id, in: library, changed: report.job))
            }
            // It may have been found by the ISBN that it has no longer.
            guard let isbn = values.first else { return PageRoutes.seeOther("/page/library") }
            guard let change = report.job,
                let job = await lookUp(.init(isbn: isbn, library: library, change: change), call, backend)
            else { return PageRoutes.seeOther(PageLink.book(isbn, in: library, changed: report.job)) }
            return PageRoutes.seeJob(job, call)
        } catch {
            guard error.kind == .usage else { return PageRoutes.failure(error, call) }
            return PageRoutes.book(call, id: id, refusing: (name, value), because: error.message, backend)
        }
    }

    /// Begins to look an edition up.
    ///
    /// - Returns: The job; nil if nobody can be asked, or no further job is accepted. The ISBN stays then, too.
    private static func lookUp(
        _ edition: ImportOptions.Edition, _ call: Route.Call, _ backend: Backend
    ) async -> AcceptedJob? {
        guard backend.jobs.settings.refreshes != nil else { return nil }
        var options = ImportOptions(.edition, job: JobName.make())
        options.edition = edition
        return try? await call.accept(options, backend).job
    }

    /// The fields to be changed whose values are neither what the form has shown nor what is wanted, with their values now.
    ///
    /// - Parameters:
    ///   - id: The book.
    ///   - values: The wanted values.
    private static func changedSince(
        _ call: Route.Call, _ id: String, _ entry: EditableBook.EntryID, of library: String?,
        _ values: [EditableField: String], _ backend: Backend
    ) throws(ETLError) -> [(EditableField, now: String)] {
        let store = try StoreFile.openForReading(backend.settings.store)
        let rows = try Explainer(store, library: library).explain(BookReference(id), job: nil).rows(
            in: store)
        let forms = rows.map { EntryForm(entry: $0.entry, row: $0.row, number: 0, book: id) }
        guard let form = forms.first(where: { $0.id == entry && $0.entry.library == library }) else {
            return []
        }
        // Browsers send line ends in their own way.
        func plain(_ text: String) -> String {
            text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        }
        return EntryForm.fields.compactMap { field in
            guard let wanted = values[field], let shown = call.value(EntryForm.shownName(field)) else {
                return nil
            }
            let now = form.shown(field)
            return plain(now) == plain(shown) || plain(now) == plain(wanted) ? nil : (field, now)
        }
    }

    /// Sets the fields of an entry that differ from those that were shown.
    private static func change(_ call: Route.Call, _ backend: Backend) async -> Response {
        let id = call.value("id") ?? ""
        let library = PageRoutes.namedLibrary(call)
        let entry = EditableBook.EntryID(
            formatName: call.value("format") ?? "", sourceID: call.value("entry") ?? "")
        // Forms send each line end as two characters.
        func sent(_ name: String) -> String? { call.value(name)?.replacing("\r\n", with: "\n") }
        var refused = EntryForm.Refused(id: entry, library: library ?? "", values: [:], reason: "")
        for field in EntryForm.fields {
            guard let value = sent(field.name), value != sent(EntryForm.shownName(field)) else { continue }
            refused.values[field] = value
        }
        var actions: [(field: EditableField, action: EditRequest.Action)] = []
        for field in EntryForm.fields {
            guard let value = refused.values[field] else { continue }
            do throws(ETLError) {
                let values = try field.values(of: value)
                try EntryForm.check(field, values, now: backend.clock.epochMilliseconds())
                actions.append((field, .set(values)))
            } catch {
                refused.reason = "\(EntryForm.label(field)): \(error.sentences)"
                return PageRoutes.book(call, id: id, changing: refused, backend)
            }
        }
        let shown = call.access.library == nil ? library : nil
        guard !actions.isEmpty else { return PageRoutes.seeOther(PageLink.book(id, in: shown)) }
        do throws(ETLError) {
            let changed = try changedSince(call, id, entry, of: library, refused.values, backend)
            if !changed.isEmpty {
                let values = changed.map { field, now in
                    "\(EntryForm.label(field)): \(now.isEmpty ? "empty" : "“\(PageText.cut(now))”")"
                }
                refused.reason =
                    "Changed since you opened this page, and now: \(values.joined(separator: "; ")). Save again to replace it."
                refused.status = 409
                return PageRoutes.book(call, id: id, changing: refused, backend)
            }
            defer { backend.watch.noteEnd() }
            let report = try await LibraryEdits(backend.settings.store).edit(
                BookReference(id), entry: entry, library: library, tenant: tenant(call), pipeline: "set",
                actions)
            return PageRoutes.seeOther(PageLink.book(id, in: shown, changed: report.job))
        } catch {
            guard error.kind != .missing else { return PageRoutes.failure(error, call) }
            // What was typed stays in the form.
            (refused.reason, refused.status) = PageRoutes.sentence(of: error)
            return PageRoutes.book(call, id: id, changing: refused, backend)
        }
    }
}
