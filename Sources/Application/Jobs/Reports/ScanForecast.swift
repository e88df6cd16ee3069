import Contract
package import Syntax

/// What a scan of photos would send and cost: `etl plan` of photos.
package struct ScanForecast: Sendable, Hashable {
    /// A photo that cannot be sent.
    package struct Refusal: Sendable, Hashable {
        package var name: String
        /// Why, as a sentence.
        package var problem: String
    }

    /// Number of photos.
    package var photos: Int
    /// Photos that cannot be sent.
    package var refusals: [Refusal] = []
    /// The model's name, and the address where photos go.
    package var model: String
    package var address: String
    /// Bytes of the photos that would be sent.
    package var bytes = 0
    /// The questions to the model: each photo once. At most, each is asked twice.
    package var service = ServiceForecast(name: "vision")
}

extension ScanForecast: JSONObject {
    package func writeFields(into out: inout JSONWriter) {
        out.field("photos", photos)
        out.field("refused", refusals) { refusal, out in
            out.field("name", refusal.name)
            out.field("problem", refusal.problem)
        }
        out.field("model", model)
        out.field("address", address)
        out.field("bytes", bytes)
        out.field("services", [service])
    }
}
