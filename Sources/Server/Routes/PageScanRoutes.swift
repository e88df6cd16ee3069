import Contract
import Database
import Jobs
import Queries
import Store
import Syntax
import System

/// Sending photos from the first page, and showing them on the pages of their jobs.
enum PageScanRoutes {
    static let all: [Route] = [
        PageRoutes.page(
            .post, "/page/scans", "pageScan", limit: .scan, scope: .import, body: .form(receive),
            form: .form([.required("photos[]", .list(.formatted("binary"), 1...ShelfPhoto.mostPhotos))]),
            failing: [400, 413, 503]
        ) { call, backend in
            guard backend.settings.jobs.scans != nil else {
                return .answer(
                    PageRoutes.failure("This server does not read photos.", status: 503, call))
            }
            return .answer(
                call.refusal(of: .photos, backend).map { PageRoutes.failure($0, call) }
                    ?? Response(200, .bytes([])))
        }
    ]

    private static func receive(
        _ call: Route.Call, _ form: FormReceiver.Form, _ backend: Backend
    ) async -> Response {
        var files = form.files
        do throws(ImportRoutes.ImportRefusal) {
            let options = try ScanRoutes.options(form, isBatch: false, atMost: ShelfPhoto.mostPhotos)
            do throws(UploadFolder.Refusal) { try files.keep() } catch { throw .upload(error) }
            do throws(JobRefusal) {
                return PageRoutes.seeJob(try await call.accept(options, backend).job, call)
            } catch {
                throw .job(error)
            }
        } catch {
            files.discard()
            switch error {
            case .job(let refusal): return PageRoutes.failure(refusal, call)
            case .upload, .request:
                let answer = error.response(
                    limit: backend.uploads.limit, now: backend.clock.epochMilliseconds())
                let sentence =
                    answer.status == 413
                    ? "A photo may have \(ShelfPhoto.mostBytes >> 20) MB."
                    : "Choose 1 to \(ShelfPhoto.mostPhotos) photos."
                return PageRoutes.failure(sentence, status: answer.status, call)
            }
        }
    }

    /// What the page of a scan shows; nil for another job.
    static func panel(of job: Job, in store: Connection, _ backend: Backend) throws(ETLError) -> ScanPanel? {
        guard let scan = job.options?.scan, job.undoneBy == nil else { return nil }
        let folder = PhotoFolder(of: backend.settings.store)
        let photos = scan.photos.enumerated().map { index, note in
            var photo = ScanPanel.Photo(note: note)
            if let digest = note.digest, folder.photo(digest)?.type.isShownByBrowsers ?? false,
                let size = folder.shownSize(digest)
            {
                photo.image = ("/page/jobs/\(job.name)/photos/\(index + 1)", size.width, size.height)
            }
            return photo
        }
        return ScanPanel(
            photos: photos, books: try ScannedBooks.books(of: job, in: store),
            library: job.library == JobOptions.defaultLibrary ? nil : job.library)
    }

    /// A photo of a job that the viewer may see.
    static func photo(_ name: String, _ call: Route.Call, _ backend: Backend) -> Response {
        let missing = PageRoutes.failure("There is no such photo.", status: 404, call)
        guard let number = call.path["number"].flatMap({ Int($0) }),
            let store = try? StoreFile.openIfStarted(backend.settings.store),
            let photos = try? JobTable(store).job(named: name)?.options?.scan?.photos,
            photos.indices.contains(number - 1), let digest = photos[number - 1].digest,
            let photo = PhotoFolder(of: backend.settings.store).photo(digest)
        else { return missing }
        return Response(
            200, .bytes(photo.bytes),
            fields: [
                ("Content-Type", photo.type.mediaType), ("Cache-Control", "private, max-age=86400"),
            ])
    }
}
