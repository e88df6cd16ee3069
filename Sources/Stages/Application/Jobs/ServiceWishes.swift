package import Pipeline

/// What definitions, configuration files and `--set` may say of the services, under `providers:`. Keys are not among it:
/// others may read such files, and a job keeps what its definition says.
package enum ServiceWishes {
    /// Where a service is asked.
    package static let baseURL = Setting<String?>.url(
        "baseURL", "Where it is asked, in place of the usual address: a mirror, or test providers.")
    /// Requests a second.
    package static let rate = Setting<Double?>.number(
        "rate", in: 0.001...100_000, "Requests a second, where a plan grants or a mirror takes others.")
    /// Calls a day.
    package static let daily = Setting<Int?>.integer(
        "daily", in: 1...1_000_000_000, "Calls that a plan grants a day.")
    /// ISBNs in a request.
    package static let batch = Setting<Int?>.integer(
        "batch", in: 1...1_000_000_000, "ISBNs that a plan grants in one request.")

    /// The services, by the names of the command line.
    package static let providers = [
        ProviderSettings(
            "openlibrary", summary: "Open Library, by ISBN, key, title and author.",
            settings: [baseURL.spec, rate.spec]),
        ProviderSettings(
            "google-books", summary: "Google Books, by ISBN, title and author.",
            settings: [baseURL.spec, rate.spec, daily.spec]),
        ProviderSettings(
            "isbndb", summary: "ISBNdb, by ISBN, title and author.",
            settings: [baseURL.spec, rate.spec, daily.spec, batch.spec]),
        ProviderSettings(
            "wikidata", summary: "Wikidata, for what is known of authors.",
            settings: [baseURL.spec, rate.spec]),
    ]
}
