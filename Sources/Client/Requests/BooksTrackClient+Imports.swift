public import Foundation

/// Options of an import, as `etl import` has them.
public struct ImportOptions: Sendable, Hashable {
    /// Whose library it is; nil for the default.
    public var library: String?
    /// The format of the file; nil to recognize it.
    public var format: String?
    /// Providers to ask, separated by commas, or `none`; nil for the server's.
    public var providers: String?
    /// Whether the file overwrites newer values.
    public var replaces = false

    /// The usual options.
    public init(library: String? = nil, format: String? = nil, providers: String? = nil) {
        self.library = library
        self.format = format
        self.providers = providers
    }

    fileprivate var fields: [(String, String)] {
        [
            ("library", library), ("format", format), ("providers", providers),
            ("replace", replaces ? "true" : nil),
        ]
        .compactMap { name, value in value.map { (name, $0) } }
    }
}

/// Imports, and what is known about jobs.
extension BooksTrackClient {
    /// Uploads a library export. The job runs whatever happens to this client afterwards.
    ///
    /// It is sent again only if the service has certainly not accepted it, since a second upload would be a second job.
    ///
    /// - Parameters:
    ///   - bytes: The file, in any format that `etl import` reads; at most the server's limit, 50 MB by default.
    ///   - name: The file's name.
    public func importFile(
        _ bytes: Data, named name: String, _ options: ImportOptions = ImportOptions()
    ) async throws(BooksTrackError) -> Job {
        var request = request("POST", "/api/v2/imports")
        request.mayBeRepeated = false
        let form = MultipartForm(file: bytes, named: name, fields: options.fields)
        request.fields["Content-Type"] = form.contentType
        request.body = form.body
        return try await data(of: request)
    }

    /// How far a job is.
    public func status(of job: Job) async throws(BooksTrackError) -> JobStatus {
        try Self.plain(try await send(request("GET", "/v1/jobs/\(job.jobId)", token: job.token)))
    }

    /// The results of an import, also of one that still runs: what it has so far.
    public func results(of job: Job) async throws(BooksTrackError) -> ImportResults {
        try await data(of: request("GET", "/api/v2/imports/\(job.jobId)/results", token: job.token))
    }

    /// The rejected rows under the columns of their file, as CSV, to be corrected.
    public func rejectedRows(of job: Job) async throws(BooksTrackError) -> Data {
        try await send(
            request("GET", "/v1/jobs/\(job.jobId)/errors", query: [("format", "csv")], token: job.token)
        ).body
    }

    /// Cancels a job. Canceling it again changes nothing.
    public func cancel(_ job: Job) async throws(BooksTrackError) {
        _ = try await send(request("DELETE", "/v1/jobs/\(job.jobId)", token: job.token))
    }

    /// A status, with or without an envelope.
    private static func plain(_ answer: TransportAnswer) throws(BooksTrackError) -> JobStatus {
        if let status = try? JSONDecoder().decode(JobStatus.self, from: answer.body) { return status }
        return try data(of: answer)
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
