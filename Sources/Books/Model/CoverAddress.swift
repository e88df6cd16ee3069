/// Addresses of covers in the sizes that services have. Other addresses stay as they are.
package enum CoverAddress {
    /// Whether a text is an address of the web. Nothing else is put into a page, or asked for.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("https://") || text.hasPrefix("http://")
    }

    /// The address of an image of the size that a page shows.
    package static func page(_ address: String) -> String {
        openLibrary(address, size: "M") ?? google(address)?.last ?? address
    }

    /// The address that clients get: of the largest image that Google Books may show, not of its thumbnail.
    package static func shown(_ address: String) -> String { google(address)?.first ?? address }

    /// Addresses of the same image, the largest first.
    package static func largest(_ address: String) -> [String] {
        guard isAddress(address) else { return [] }
        if let large = openLibrary(address, size: "L") { return [large] }
        return google(address) ?? [address]
    }

    /// Open Library has three sizes, and answers with an empty image instead of 404 unless asked not to.
    private static func openLibrary(_ address: String, size: Character) -> String? {
        guard address.hasPrefix("https://covers.openlibrary.org/") else { return nil }
        let path = address.prefix { $0 != "?" }
        guard path.hasSuffix(".jpg"), path.dropLast(5).last == "-" else { return nil }
        return path.dropLast(5) + "\(size).jpg?default=false"
    }

    /// Google Books has the largest image that it may show at zoom 0, and draws a curled corner if asked to.
    private static func google(_ address: String) -> [String]? {
        guard let scheme = ["https://", "http://"].first(where: address.hasPrefix) else { return nil }
        let rest = address.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" }
        guard host == "books.google.com" || host == "books.googleusercontent.com",
            let question = rest.firstIndex(of: "?")
        else { return nil }
        let fields = rest[rest.index(after: question)...].split(separator: "&").filter { $0 != "edge=curl" }
        let path = "https://" + rest[...question]
        let known = path + fields.joined(separator: "&")
        guard fields.contains(where: { $0.hasPrefix("zoom=") }) else { return [known] }
        func zoomed(_ zoom: Substring) -> String {
            path + fields.map { $0.hasPrefix("zoom=") ? zoom : $0 }.joined(separator: "&")
        }
        let full = zoomed("zoom=0")
        // Not every book has an image at zoom 0.
        return [full, full == known ? zoomed("zoom=1") : known]
    }
}
