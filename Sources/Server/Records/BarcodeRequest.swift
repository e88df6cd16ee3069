package import Books
package import Contract
import Syntax

/// A book that a client is holding and asks about interactively:
/// `{"barcode":…,"idempotencyKey":…,"preferProvider":…}`.
package struct BarcodeRequest: Sendable, Hashable {
    package var isbn: ISBN
    /// Requests with the same key get the same answer; nil without one.
    package var key: String?
    /// Provider to ask first; nil for the usual order.
    package var preferred: Provider?

    /// Reads a body.
    ///
    /// - Parameter header: The value of the header field `Idempotency-Key`; nil without the field.
    package static func read(_ body: [UInt8], key header: String?) -> Result<BarcodeRequest, ResponseError> {
        var (barcode, key, provider): (String?, String?, String?)
        do throws(JSONReadError) {
            try JSONReader.read(body) { reader throws(JSONReadError) in
                try reader.forEachKey { name, value throws(JSONReadError) in
                    // Some clients send null for what they do not have.
                    switch name {
                    case "barcode": barcode = try value.takeNull() ? nil : try value.string().string
                    case "idempotencyKey": key = try value.takeNull() ? nil : try value.string().string
                    case "preferProvider": provider = try value.takeNull() ? nil : try value.string().string
                    default: break
                    }
                }
                try reader.finish()
            }
        } catch {
            return .failure(refusal("body", "", "The body must be a JSON object with a barcode."))
        }
        guard let barcode else { return .failure(refusal("barcode", "", "The body has no barcode.")) }
        guard let isbn = ISBNReader.read(barcode).isbn else { return .failure(.invalidISBN(barcode)) }
        var request = BarcodeRequest(isbn: isbn)
        if let key = key ?? header.map(IdempotencyKey.unquoted) {
            if let refusal = IdempotencyKey.refusal(key) { return .failure(refusal) }
            request.key = key
        }
        if let provider {
            // As in `provider` or as in `source` of an answer.
            let name = provider.replacing("_", with: "-")
            guard let known = Provider(contractName: name) else {
                let names = Provider.allCases.map(\.contractName).joined(separator: ", ")
                return .failure(refusal("preferProvider", provider, "Providers are \(names)."))
            }
            request.preferred = known
        }
        return .success(request)
    }

    private static func refusal(_ field: String, _ value: String, _ reason: String) -> ResponseError {
        .invalidRequest(field, value: value, reason: reason)
    }
}

extension BarcodeRequest {
    /// The question as text: requests with one key must ask the same.
    package var question: String {
        ([isbn.isbn13] + (preferred.map { [$0.contractName] } ?? [])).joined(separator: " ")
    }

    private init(isbn: ISBN) {
        self.isbn = isbn
        (key, preferred) = (nil, nil)
    }
}
