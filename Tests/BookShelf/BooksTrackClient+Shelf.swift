public import BooksTrack
public import Foundation

extension BooksTrackClient {
    /// The client of an app. It needs one only.
    ///
    /// - Parameters:
    ///   - token: A token of the server; nil if it needs none.
    ///   - transport: `URLSessionTransport()` on Apple's platforms.
    public static func forShelf(
        at server: URL, token: String? = nil, over transport: any Transport
    ) -> BooksTrackClient {
        BooksTrackClient(
            Configuration(server: server, token: token, clientVersion: "Shelf 1.0"), transport: transport)
    }

    /// Sentence to show when the user has scanned a barcode.
    public func sentence(aboutBarcode barcode: String) async -> String {
        do throws(BooksTrackError) {
            guard let book = try await lookUp(barcode: barcode), let work = book.work else {
                return "Nobody knows this book."
            }
            let authors = (book.authors ?? []).map(\.name)
            return authors.isEmpty ? work.title : "\(work.title) by \(authors.joined(separator: ", "))"
        } catch .service(let error) where error.code == .invalidISBN {
            return "This is not the barcode of a book."
        } catch .service(let error) where error.code == .circuitOpen {
            let seconds = (error.retryAfter ?? .seconds(60)).components.seconds
            let provider = error.provider?.rawValue ?? "The provider"
            return "\(provider) is not available. Try again in \(seconds) seconds."
        } catch {
            return error.isRetryable ? "The service cannot be reached. Try again." : "This did not work."
        }
    }
}
