package import Contract
package import Syntax

/// OpenAPI description of an operation of the server.
package struct Operation: Sendable {
    /// A parameter of query, path or head.
    package struct Parameter: Sendable {
        /// Location of the parameter.
        package enum Place: String, Sendable, JSONWritable { case query, path, header }

        package var place: Place
        package var name: String
        package var schema: Schema
        package var isRequired: Bool
        package var summary: String
        /// Whether a value that does not fit is refused before the route sees it. If not, the route does that itself.
        package var isChecked = true

        /// A parameter of the query.
        package static func query(
            _ name: String, _ schema: Schema = .text(.text), isRequired: Bool = false,
            isChecked: Bool = true, _ summary: String
        ) -> Parameter {
            Parameter(
                place: .query, name: name, schema: schema, isRequired: isRequired, summary: summary,
                isChecked: isChecked)
        }

        /// A header field.
        package static func header(_ name: String, _ schema: Schema = .string, _ summary: String) -> Parameter
        {
            Parameter(place: .header, name: name, schema: schema, isRequired: false, summary: summary)
        }
    }

    /// A body.
    package struct Content: Sendable {
        package var type: String
        package var schema: Schema

        package init(_ type: String, _ schema: Schema) {
            self.type = type
            self.schema = schema
        }

        /// JSON.
        package static func json(_ schema: Schema) -> Content { Content("application/json", schema) }
    }

    /// Its name, unique among all operations.
    package var name: String
    package var summary: String
    package var parameters: [Parameter] = []
    package var request: Content?
    /// Successes by status; those without content have no body.
    package var successes: [(status: Int, content: [Content])]
    /// Statuses of failures that only this operation has.
    package var failures: [Int] = []
    /// Whether a job's token is needed.
    package var needsJobToken = false
    /// Whether failures are pages. Those that concern any request, such as a wrong host, are JSON here too.
    package var isForBrowsers = false

    /// Whether a client can use it, so that the document describes it. WebSockets are beyond OpenAPI.
    package var isOffered = true

    /// An operation that answers 200.
    package init(_ name: String, _ summary: String, _ content: Content...) {
        self.name = name
        self.summary = summary
        successes = [(200, content)]
    }

    /// The same as an operation that the document leaves out.
    package func leftOut() -> Operation {
        var operation = self
        operation.isOffered = false
        return operation
    }

    /// The same with parameters.
    package func taking(_ parameters: Parameter...) -> Operation {
        var operation = self
        operation.parameters += parameters
        return operation
    }

    /// The same with a body.
    package func reading(_ content: Content) -> Operation {
        var operation = self
        operation.request = content
        return operation
    }

    /// The same with another status of success.
    package func answering(_ status: Int, _ content: Content...) -> Operation {
        var operation = self
        operation.successes = operation.successes.filter { !$0.content.isEmpty || $0.status != 200 }
        operation.successes.append((status, content))
        return operation
    }

    /// The same with statuses of failures.
    package func failing(_ statuses: Int...) -> Operation {
        var operation = self
        operation.failures += statuses
        return operation
    }

    /// The same for the holder of a job's token.
    package func forJobs() -> Operation {
        var operation = taking(
            .query("token", .text(.text), "The job's token, if it is not in the field Authorization."))
        operation.needsJobToken = true
        return operation
    }
}

/// A path, its method, and its operation.
package struct DocumentedPath: Sendable {
    package var path: String
    package var method: String
    package var operation: Operation
    /// Whether the client's requests are limited.
    package var isLimited: Bool
    /// Whether a server with tokens asks for one.
    package var needsServerToken: Bool

    package init(
        path: String, method: String, operation: Operation, isLimited: Bool, needsServerToken: Bool
    ) {
        self.path = path
        self.method = method
        self.operation = operation
        self.isLimited = isLimited
        self.needsServerToken = needsServerToken
    }

    /// The names in braces.
    private var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The statuses of its failures.
    private var failures: [Int] {
        var statuses: Set<Int> = [403, 421]
        statuses.formUnion(operation.failures)
        if !operation.parameters.isEmpty || operation.request != nil { statuses.insert(400) }
        if operation.request != nil { statuses.formUnion([413, 415]) }
        if operation.needsJobToken || needsServerToken { statuses.insert(401) }
        if !pathParameters.isEmpty { statuses.insert(404) }
        if isLimited { statuses.formUnion([429, 503]) }
        return statuses.subtracting(operation.successes.map(\.status)).sorted()
    }

    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("operationId", operation.name)
            out.field("summary", operation.summary)
            out.field("parameters", parameters)
            if let request = operation.request {
                out.field("requestBody") { out in
                    out.field("required", true)
                    Self.write([request], into: &out)
                }
            }
            out.field("responses") { out in
                for (status, content) in operation.successes {
                    out.key("\(status)")
                    out.object { out in
                        out.field("description", "Success")
                        Self.write(content, into: &out)
                    }
                }
                for status in failures {
                    out.key("\(status)")
                    out.object { out in
                        let name = operation.isForBrowsers ? "FailedPage" : "Failure"
                        out.field("$ref", "#/components/responses/\(name)")
                    }
                }
            }
            var schemes: [String] = []
            if operation.needsJobToken { schemes.append("jobToken") }
            if needsServerToken { schemes.append("serverToken") }
            if !schemes.isEmpty { out.field("security", schemes.map(Requirement.init)) }
        }
    }

    private struct Requirement: JSONWritable {
        var scheme: String

        func write(into out: inout JSONWriter) {
            out.object { out in
                out.key(scheme)
                out.array { _ in }
            }
        }
    }

    private var parameters: [Operation.Parameter] {
        pathParameters.map {
            Operation.Parameter(
                place: .path, name: $0, schema: .text(.job), isRequired: true,
                summary: $0 == "jobId" ? "Name of the job." : "Name of the upload.")
        } + operation.parameters
    }

    private static func write(_ content: [Operation.Content], into out: inout JSONWriter) {
        guard !content.isEmpty else { return }
        out.field("content") { out in
            for one in content {
                out.key(one.type)
                out.object { $0.field("schema", one.schema) }
            }
        }
    }
}

extension Operation.Parameter: JSONWritable {
    package func write(into out: inout JSONWriter) {
        out.object { out in
            out.field("name", name)
            out.field("in", place)
            out.field("required", isRequired)
            out.field("description", summary)
            out.field("schema", schema)
        }
    }
}

extension Operation {
    /// Why the parameters of a request do not fit the description; nil if they do.
    ///
    /// - Parameter value: The first value of a parameter; nil if there is none.
    func refusal(_ value: (Parameter) -> String?) -> ResponseError? {
        for parameter in parameters where parameter.isChecked && parameter.place != .path {
            let text = value(parameter)
            let isISBN = parameter.schema == .text(.isbn)
            if text?.isEmpty ?? true, parameter.isRequired, text == nil || isISBN {
                return .invalidQuery(
                    parameter.name, value: "", reason: "The parameter \(parameter.name) is missing.")
            }
            guard text != nil || parameter.isRequired else { continue }
            if let reason = parameter.schema.refusal(of: text ?? "", in: parameter.name) {
                if isISBN { return .invalidISBN(text ?? "") }
                return parameter.place == .query
                    ? .invalidQuery(parameter.name, value: text ?? "", reason: reason)
                    : .invalidRequest(parameter.name, value: text ?? "", reason: reason)
            }
        }
        return nil
    }
}
