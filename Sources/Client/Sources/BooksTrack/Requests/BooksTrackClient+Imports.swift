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
        let form = MultipartForm([.init("file", name, bytes)], fields: options.fields)
        return try await upload(form, to: "/api/v2/imports", progress: progress)
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
            MultipartForm([.init("file", "corrected.csv", list)]), to: "/v1/jobs/\(job.id)/corrections",
            token: job.token)
    }
}
