import Foundation

/// A form with files.
struct MultipartForm {
    /// A file of a form.
    struct File {
        let field: String
        let name: String
        let bytes: Data

        init(_ field: String, _ name: String, _ bytes: Data) {
            self.field = field
            self.name = name
            self.bytes = bytes
        }
    }

    let contentType: String
    let body: Data

    init(_ files: [File], fields: [(String, String)] = []) {
        let boundary = "BooksTrack-\(UUID().uuidString)"
        contentType = "multipart/form-data; boundary=\(boundary)"
        var body = Data()
        body.reserveCapacity(files.reduce(0) { $0 + $1.bytes.count + 512 } + fields.count * 256)
        for (field, value) in fields {
            body += Data(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field)\"\r\n\r\n\(value)\r\n".utf8)
        }
        for file in files {
            // A quote or line end in a name would end the header.
            let name = String(file.name.map { $0 == "\"" || $0.isNewline ? "_" : $0 })
            body += Data(
                ("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(file.field)\"; filename=\"\(name)\"\r\n"
                    + "Content-Type: application/octet-stream\r\n\r\n").utf8)
            body += file.bytes + Data("\r\n".utf8)
        }
        self.body = body + Data("--\(boundary)--\r\n".utf8)
    }
}

extension BooksTrackClient {
    /// Sends a form that begins a job.
    ///
    /// It is sent again only if the service has certainly not accepted it, since a second form would be a second job.
    ///
    /// - Parameters:
    ///   - token: The token of the job that the form is about; nil for the server's.
    ///   - progress: Called with the share that has been sent, from 0 to 1.
    func upload(
        _ form: MultipartForm, to path: String, token: String? = nil,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(BooksTrackError) -> Job {
        var request = request("POST", path, token: token)
        request.mayBeRepeated = false
        request.fields["Content-Type"] = form.contentType
        request.body = form.body
        let total = Double(max(1, form.body.count))
        let answer = try await send(request) { progress?(min(1, Double($0) / total)) }
        progress?(1)
        return try Self.success(answer).data
    }
}
