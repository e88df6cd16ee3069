import Books
import Bytes
package import Contract
package import Formats
package import Jobs
import Sources
package import Store
package import Syntax
package import System

/// A request for an import over HTTP, complete enough for a later process to run it.
package struct ImportOptions: Sendable, Hashable, Codable {
    /// Mode of an import.
    package enum Kind: String, Sendable, Hashable, Codable {
        /// Library exports.
        case files
        /// A list of books to look up. They go into a library of their own.
        case books
        /// A corrected list of another job's rejected rows.
        case corrections
        /// Photos of shelves, in which a model reads the books.
        case photos
        /// Nothing new: the pending records of another job, because matches were decided or services answer again.
        case resume
        /// Nothing new: the stored books, from catalogs and services. The server requests it itself.
        case refresh
        /// Nothing new: one stored edition, because its user has given it another ISBN.
        case edition

        /// Whether it imports an upload, which counts for quotas.
        package var hasUpload: Bool { self != .resume && !isRefresh }

        /// Whether it asks again about stored books.
        package var isRefresh: Bool { self == .refresh || self == .edition }
    }

    /// An edition that is looked up.
    package struct Edition: Sendable, Hashable, Codable {
        /// The ISBN-13.
        package var isbn: String
        /// The library of the edition; nil for all.
        package var library: String?
        /// The job that has given it the ISBN.
        package var change: String

        package init(isbn: String, library: String?, change: String) {
            (self.isbn, self.library, self.change) = (isbn, library, change)
        }
    }

    /// The library of books that were only sent to be looked up, so that they do not appear among the user's
    /// own.
    package static let lookUpLibrary = "enrichment"

    package var kind: Kind
    /// The job's name; of corrections and resumptions the earlier job's.
    package var job: String
    /// The name of the upload with its files.
    package var upload = ""
    /// Paths on this machine.
    package var files: [String] = []
    /// The files' names on the client's machine, for messages.
    package var names: [String] = []
    package private(set) var library: String
    /// Whether the library, if it has no books yet, shares no works and editions with others.
    package private(set) var isPrivate = false
    /// Reading options by name, as they would be typed.
    package private(set) var words: [String: String] = [:]
    /// Names of the providers to ask, in order of preference; nil for all that are configured.
    package private(set) var providers: [String]?
    /// The wait for services after its last run; nil if it has not been run, or waits for nothing.
    package var wait: ServiceWait?
    /// How long it has worked before it waited for services, or before a server ended, in milliseconds; nil if unknown.
    package var worked: Int64?
    /// Bytes of the upload.
    package var bytes = 0
    /// Records of a small upload, as far as its line ends show; nil if they were not counted.
    package var records: Int?
    /// The address that it came from, as limits count it; empty for the server itself.
    package var sender = ""
    /// Whether an older export overwrites too.
    package private(set) var replaces = false
    /// Whether entries of other programs that are certainly of one book become one; nil if that was not asked for.
    package private(set) var joins: Bool?
    /// Whether a file that looks like another person's updates entries; nil if that was not said.
    package private(set) var isSamePerson: Bool?
    /// When a refresh begins nothing more, in milliseconds since 1970; nil for no limit.
    package var until: Int64?
    /// The edition of a job for one.
    package var edition: Edition?
    /// Whether the photos of a scan were sent as a batch, whose clients know other messages; nil for other jobs.
    package var isBatch: Bool?
    /// What was read in the photos of a scan; nil as long as they are not read. ``files`` is the table of its books then.
    package var scan: ScanNote?

    /// The pipeline that the contract names.
    package var pipeline: JobPipeline {
        switch kind {
        case .books, .refresh, .edition: .batchEnrichment
        case .photos: .aiScan
        case .files, .corrections, .resume: scan == nil ? .csvImport : .aiScan
        }
    }

    /// Whether a model has to read its photos before it can be run.
    package var awaitsModel: Bool { kind == .photos && scan == nil }

    /// Whether services may be asked, so that the job takes long.
    package var asksServices: Bool { providers?.contains { $0 != Provider.catalogName } ?? true }

    package init(_ kind: Kind, job: String) {
        self.kind = kind
        self.job = job
        library = kind == .books ? Self.lookUpLibrary : JobOptions.defaultLibrary
    }

    /// Sets an option from a field of a form.
    ///
    /// - Returns: Why the value cannot be used; nil if it was set.
    package mutating func set(_ field: String, _ value: String) -> ResponseError? {
        func refusal(_ reason: String) -> ResponseError {
            .invalidRequest(field, value: value, reason: reason)
        }
        guard !value.isEmpty else { return nil }
        switch field {
        case "library":
            let name = value.normalized(.c)
            guard TextRule.library.accepts(name) else { return refusal(TextRule.library.requirement) }
            library = name
        case "format":
            guard Self.formats.contains(value) else {
                return refusal("Formats are \(Self.formats.joined(separator: ", ")).")
            }
            words[field] = value == LibraryFormats.automatic ? nil : value
        case "providers":
            let names = value == "none" ? [] : value.split(separator: ",").map(String.init)
            guard names.allSatisfy(Self.providers.contains) else {
                return refusal("Providers are none, or a list of \(Self.providers.joined(separator: ", ")).")
            }
            // One that is named twice is asked once.
            providers = names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        case "map":
            do throws(ETLError) { _ = try ColumnOptions(parsing: value) } catch {
                return refusal(error.message)
            }
            words[field] = value
        case "dates":
            guard DateOrder(rawValue: value) != nil else {
                return refusal(
                    "The order of dates is \(DateOrder.allCases.map(\.rawValue).joined(separator: " or ")).")
            }
            words[field] = value
        case "replace", "join", "samePerson":
            guard let isSet = Self.switches[value] else {
                return refusal("Write true or false.")
            }
            switch field {
            case "join": joins = isSet
            case "samePerson": isSamePerson = isSet
            default: replaces = isSet
            }
        case "encoding", "delimiter", "quote", "header":
            var options = TextOptions()
            guard options.take(field, value) else {
                return refusal("Expected \(TextOptions.requirement(field)).")
            }
            words[field] = value
        default:
            return refusal("There is no such field.")
        }
        return nil
    }

    /// Uses a mapping file on this machine.
    package mutating func useMapping(file: String) { words["mapping"] = file }

    /// The fields that ``set(_:_:)`` knows.
    package static let fields = [
        "library", "format", "providers", "map", "dates", "replace", "join", "samePerson", "encoding",
        "delimiter", "quote", "header",
    ]

    /// Puts the job into the library of its sender's token, whatever it names. Such a library is private.
    ///
    /// - Parameter library: Nil for a token without one.
    package mutating func confine(to library: String?) {
        guard let library else { return }
        self.library = library
        isPrivate = true
    }

    private static let formats = [LibraryFormats.automatic] + LibraryFormats.all.map(\.name)
    private static let providers =
        [Provider.catalogName] + ServiceDefinition.all.filter(\.isOfBooks).map(\.name)
    private static let switches = ["true": true, "1": true, "on": true, "false": false, "0": false]

    /// Description of a field. An empty value leaves the option as it is.
    package static func schema(of field: String) -> Schema {
        switch field {
        case "library": return .text(.library)
        case "format": return .names([""] + formats)
        case "providers":
            let names = "(\(providers.joined(separator: "|")))"
            return .matching("^(none|\(names)(,\(names))*)?$")
        case "map":
            let names = LibraryField.allCases.map { String(describing: $0) }.joined(separator: "|")
            let pair = #"(\#(names))=[^,\x00-\x20\x7F-\xA0\s][^,]*"#
            return .matching("^(\(pair)(,\(pair))*)?$")
        case "dates": return .names([""] + DateOrder.allCases.map(\.rawValue))
        case "replace", "join", "samePerson": return .names([""] + switches.keys.sorted())
        case "encoding": return .names([""] + TextEncoding.allCases.map(\.rawValue))
        case "delimiter": return .matching(#"^(tab|[\x00-\x09\x0B\x0C\x0E-\x7F])?$"#)
        case "quote": return .matching(#"^(none|backslash|[\x00-\x09\x0B\x0C\x0E-\x7F])?$"#)
        case "header": return .matching("^(none|[1-9][0-9]{0,8})?$")
        default: return .string
        }
    }

    /// Settings for reading files.
    ///
    /// - Parameter limit: Limit of their expanded size.
    /// - Throws: `.configuration` for options that cannot be used together.
    package func reading(
        of files: [String], limit: ExpansionLimit?
    ) throws(ETLError) -> ReadSettings {
        var reading = ReadSettings(files: files)
        reading.expansionLimit = limit
        try reading.take(words: words.sorted { $0.key < $1.key }.map { (key: $0.key, word: $0.value) })
        return reading
    }

    /// The request for an import.
    ///
    /// - Parameter template: A request with store, catalogs, services and pipeline.
    /// - Throws: `.configuration` for options that cannot be used together.
    package func request(_ template: ImportRequest) throws(ETLError) -> ImportRequest {
        var request = template
        request.bookLimit = nil
        request.freshName = job
        request.jobName = job
        request.pipelineChoice = .any
        let limit = template.reading.expansionLimit
        request.reading = try reading(of: files, limit: limit)
        switch kind {
        case .corrections:
            request.reading = ReadSettings(files: [])
            request.reading.expansionLimit = limit
            request.mode = .corrections(ImportRequest.CorrectedFile(files.first ?? ""))
            return request
        case .resume:
            request.mode = .pending
            return request
        // The template has the mode, and which books are due.
        case .refresh: return request
        case .edition:
            var refresh = RefreshOptions(mode: .replace)
            refresh.condition = edition.map { "isbn = \"\($0.isbn)\"" }
            refresh.library = isPrivate ? library : edition?.library
            request.mode = .refresh(RefreshRequest(refresh))
            return request
        case .files, .books, .photos: break
        }
        request.scan = scan
        request.library = library
        request.isPrivate = isPrivate
        // Rows that are corrected later belong to an upload that had room, and lists without a library share one.
        request.bookLimit = library == Self.lookUpLibrary ? nil : template.bookLimit
        if let providers {
            request.providers = providers
            if !providers.contains(Provider.catalogName) { request.catalogPaths = [] }
        }
        request.replaces = replaces
        request.joins = joins ?? false
        request.isSamePerson = isSamePerson ?? false
        return request
    }
}
