import Books
package import Contract
import Queries
import Store

/// The named schemas of the contract's objects. Tests validate the output against them.
package enum ContractSchemas {
    /// All of them, by name.
    package static let all: [(name: String, schema: Schema)] =
        records.compactMap { record in record.schemaName.map { ($0, record.shape) } } + [
            ("ImportResults", importResults), ("JobResults", jobResults),
            ("RequestedBooks", requestedBooks), ("BarcodeRequest", barcodeRequest),
        ]

    private static let records: [any ContractRecord.Type] = [
        ResponseMetadata.self, Envelope.Failure.self, WorkDTO.self, EditionDTO.self, AuthorDTO.self,
        BookDTO.self, BookSearchResponse.self, FlatBooks.self, EnrichedBook.self, AcceptedJob.self,
        JobStatusDTO.self, QualityReport.self, CanceledJob.self, RecordError.self, ListedError.self,
        ServerHealth.self, ScanResults.self, DetectedBook.self,
    ]

    // Results are written in pieces, by writers that hold no record.

    private static let errors = Schema.Field.required("errors", [RecordError].schema)

    private static let quality = Schema.Field.optional("quality", QualityReport.schema)

    private static let importResults = Schema.object(
        Schema.fields { JobCounts().bookCounts(into: &$0) } + [
            errors, .required("books", [ParsedBook].schema), .required("successRate", .string),
            .required("timestamp", .integer), quality,
        ])

    private static let jobResults = Schema.object([
        .optional("books", [ParsedBook].schema), .optional("enrichedBooks", [EnrichedBook].schema),
        .optional("detectedBooks", [DetectedBook].schema), errors, quality,
    ])

    // Requests are read, not written.

    private static let book = Schema.choice(
        ["isbn", "barcode", "title", "author"].map { .optional($0, .limited(0...RequestedBook.longest)) },
        of: ["isbn", "barcode", "title"])

    private static let requestedBooks = Schema.choice(
        [
            .optional("books", .list(book, 0...RequestedBook.most)),
            .optional("barcodes", .list(.limited(1...RequestedBook.longest), 0...RequestedBook.most)),
            .optional("jobId", .either([.string, .null])),
        ], of: ["books", "barcodes"])

    // Some clients send null for what they do not have.
    private static let barcodeRequest = Schema.object([
        .required("barcode", .text(.isbn)), .optional("idempotencyKey", .either([.text(.key), .null])),
        .optional("preferProvider", .either([Provider.schema, .null])),
    ])
}
