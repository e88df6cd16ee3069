/// The version of the contract that a client was written for. Records are the same in both; only the answer to an ISBN
/// differs, because version 3.2 decodes it as one flat book.
enum APIVersion: String {
    case two = "2.1"
    case three = "3.2"

    /// A client that states a version gets it. The published client of version 3.2 states none: it is known by the name that
    /// it sends with every request.
    init(of head: RequestHead) {
        if let stated = head["X-API-Version"] {
            self = stated.hasPrefix("3") ? .three : .two
        } else {
            let isThree =
                head["Accept"]?.contains("application/vnd.bookstrack.v3+json") ?? false
                || head["X-Client-Version"]?.hasPrefix("ios-v") ?? false
            self = isThree ? .three : .two
        }
    }

    /// The fields of a request that decide, for `Vary`.
    static let fields = "Accept, X-API-Version, X-Client-Version"
}
