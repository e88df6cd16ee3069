public import Foundation

/// Options of an import, as `etl import` has them.
public struct ImportOptions: Sendable, Hashable {
    /// Owner of the library; nil for the default.
    public var library: String?
    /// The format of the file; nil to recognize it.
    public var format: String?
    /// Providers to ask; an empty list for none, nil for the server's.
    public var providers: [Provider]?
    /// Whether the file overwrites newer values.
    public var replaces = false

    /// The usual options.
    public init(library: String? = nil, format: String? = nil, providers: [Provider]? = nil) {
        self.library = library
        self.format = format
        self.providers = providers
    }

    fileprivate var fields: [(String, String)] {
        let names = providers.map { $0.isEmpty ? "none" : $0.map(\.rawValue).joined(separator: ",") }
        return [
            ("library", library), ("format", format), ("providers", names),
            ("replace", replaces ? "true" : nil),
        ]
        .compactMap { name, value in value.map { (name, $0) } }
    }
}

/// Imports.
extension BooksTrackClient {
    /// Uploads a library export. The job runs whatever happens to this client afterwards.
    ///
    /// It is sent again only if the service has certainly not accepted it, since a second upload would be a second job.
    ///
    /// - Parameters:
    ///   - bytes: The file, in any format that `etl import` reads; at most the server's limit, 50 MB by default.
    ///   - name: The file's name.
    ///   - options: Options of the import.
    ///   - progress: Called with the share of the upload that has been sent, from 0 to 1.
    public func importFile(
        _ bytes: Data, named name: String, _ options: ImportOptions = ImportOptions(),
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(BooksTrackError) -> Job {
        try await upload(bytes, named: name, options.fields, to: "/api/v2/imports", progress: progress)
    }

    /// Uploads the library export at an address of the device, such as a document that the user has chosen.
    ///
    /// - Parameters:
    ///   - file: The file; the app must be allowed to read it.
    ///   - options: Options of the import.
    ///   - progress: Called with the share of the upload that has been sent, from 0 to 1.
    /// - Throws: ``BooksTrackError/unreadable(_:)`` if the file cannot be read.
    public func importFile(
        at file: URL, _ options: ImportOptions = ImportOptions(),
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(BooksTrackError) -> Job {
        let bytes: Data
        do { bytes = try Data(contentsOf: file, options: .mappedIfSafe) } catch {
            throw .unreadable("\(file.lastPathComponent): \(error.localizedDescription)")
        }
        return try await importFile(bytes, named: file.lastPathComponent, options, progress: progress)
    }

    /// Uploads the corrected list of a job's rejected rows, which ``rejectedRows(of:)`` gave, as a separate job.
    ///
    /// Rows that are still wrong stay rejected. Uploading a list twice changes nothing more.
    public func importCorrections(_ list: Data, of job: Job) async throws(BooksTrackError) -> Job {
        try await upload(
            list, named: "corrected.csv", [], to: "/v1/jobs/\(job.id)/corrections", token: job.token)
    }

    private func upload(
        _ bytes: Data, named name: String, _ fields: [(String, String)], to path: String,
        token: String? = nil, progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(BooksTrackError) -> Job {
        var request = request("POST", path, token: token)
        request.mayBeRepeated = false
        let form = MultipartForm(file: bytes, named: name, fields: fields)
        request.fields["Content-Type"] = form.contentType
        request.body = form.body
        let total = Double(max(1, form.body.count))
        let answer = try await send(request) { progress?(min(1, Double($0) / total)) }
        progress?(1)
        return try Self.success(answer).data
    }
}

/// A form with one file.
struct MultipartForm {
    let contentType: String
    let body: Data

    init(file: Data, named name: String, fields: [(String, String)]) {
        let boundary = "BooksTrack-\(UUID().uuidString)"
        contentType = "multipart/form-data; boundary=\(boundary)"
        var body = Data()
        for (field, value) in fields {
            body += Data(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field)\"\r\n\r\n\(value)\r\n".utf8)
        }
        // A quote or line end in a name would end the header.
        let name = String(name.map { $0 == "\"" || $0.isNewline ? "_" : $0 })
        body += Data(
            ("--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n").utf8)
        self.body = body + file + Data("\r\n--\(boundary)--\r\n".utf8)
    }
}
