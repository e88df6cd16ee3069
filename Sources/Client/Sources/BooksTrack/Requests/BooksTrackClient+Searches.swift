/// Searches in the service's library and catalogs, and at its providers.
extension BooksTrackClient {
    /// The book with an ISBN; nil if it is not found.
    ///
    /// - Parameter isbn: 10 or 13 digits; hyphens are allowed.
    public func book(isbn: String) async throws(BooksTrackError) -> Book? {
        var request = request("GET", "/v1/search/isbn", query: [("isbn", isbn)])
        request.fields["X-API-Version"] = "3"
        do {
            return try await data(of: request)
        } catch .service(let error) where error.code == .notFound {
            return nil
        } catch {
            throw error
        }
    }

    /// The works, editions and authors for an ISBN.
    public func search(isbn: String) async throws(BooksTrackError) -> SearchResults {
        try await results(of: "isbn", [("isbn", isbn)])
    }

    /// Books by words of their title.
    ///
    /// - Parameters:
    ///   - title: At least 2 characters; typing errors are tolerated.
    ///   - limit: At most 20.
    public func search(title: String, limit: Int = 20) async throws(BooksTrackError) -> SearchResults {
        try await results(of: "title", [("q", title), ("limit", "\(limit)")])
    }

    /// Books by words of an author's name.
    ///
    /// - Parameters:
    ///   - author: A name, or a part of it.
    ///   - limit: At most 20.
    public func search(author: String, limit: Int = 20) async throws(BooksTrackError) -> SearchResults {
        try await results(of: "author", [("q", author), ("limit", "\(limit)")])
    }

    /// Books by title and author, of which one can be nil.
    public func search(title: String?, author: String?) async throws(BooksTrackError) -> SearchResults {
        try await results(of: "advanced", [("title", title), ("author", author)])
    }

    /// Books of the library that are similar to one, the most similar first; none if it is not in the library.
    ///
    /// - Parameters:
    ///   - isbn: 10 or 13 digits; hyphens are allowed.
    ///   - limit: At most 20.
    /// - Throws: `.service` with the code `invalidRequest` if the service compares no books.
    public func similar(isbn: String, limit: Int = 20) async throws(BooksTrackError) -> SearchResults {
        try await results(of: "similar", [("isbn", isbn), ("limit", "\(limit)")])
    }

    /// Books by any words, flat.
    ///
    /// - Parameters:
    ///   - words: Words of title and author.
    ///   - limit: At most 20.
    public func books(_ words: String, limit: Int = 20) async throws(BooksTrackError) -> [Book] {
        try await books([("q", words), ("limit", "\(limit)")])
    }

    /// Books by what they are about, flat.
    ///
    /// - Parameters:
    ///   - text: What they are about, such as "a quiet book about grief".
    ///   - limit: At most 20.
    /// - Throws: `.service` with the code `invalidRequest` if the service has no search by meaning.
    public func books(about text: String, limit: Int = 20) async throws(BooksTrackError) -> [Book] {
        try await books([("q", text), ("mode", "semantic"), ("limit", "\(limit)")])
    }

    private func books(_ query: [(String, String?)]) async throws(BooksTrackError) -> [Book] {
        struct Answer: Decodable { var books: [Book] }
        let answer: Answer = try await data(of: request("GET", "/api/v2/search", query: query))
        return answer.books
    }

    private func results(
        of kind: String, _ query: [(String, String?)]
    ) async throws(BooksTrackError) -> SearchResults {
        let answer = try await answer(
            to: request("GET", "/v1/search/\(kind)", query: query), as: SearchResults.self)
        var results = answer.data
        results.metadata = answer.metadata
        return results
    }
}
