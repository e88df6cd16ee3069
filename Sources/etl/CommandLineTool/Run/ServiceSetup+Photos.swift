package import Jobs
import System

/// The model that reads photos, from the environment and the key file.
///
/// `ETL_GEMINI_KEY` names Google's Gemini; `ETL_VISION_URL` and `ETL_VISION_MODEL` a service with OpenAI's interface, which comes
/// first: whoever runs a model of his own does not want photos to go elsewhere.
extension ServiceSetup {
    private static let (gemini, vision) = ("gemini", "vision")

    /// The names of the variables for a model that reads photos.
    static let visionVariables =
        ["URL", "MODEL", "KEY", "RATE", "DAILY"].flatMap { [variable(gemini, $0), variable(vision, $0)] }

    /// The names of the variables with keys of such models.
    static let visionSecrets = [variable(gemini, "KEY"), variable(vision, "KEY")]

    /// The model that reads photos; nil if none is configured.
    package var photoModel: VisionEndpoint? {
        get throws(CommandFailure) {
            if let url = try address(Self.vision) {
                guard let model = value(Self.variable(Self.vision, "MODEL")) else {
                    throw CommandFailure(
                        .configuration, "\(Self.variable(Self.vision, "URL")) needs the name of a model.",
                        advice: "Set \(Self.variable(Self.vision, "MODEL")).")
                }
                return try limited(
                    .openAI(url: url, model: model, key: value(Self.variable(Self.vision, "KEY"))),
                    Self.vision)
            }
            guard let key = value(Self.variable(Self.gemini, "KEY")) else { return nil }
            return try limited(
                .gemini(
                    url: try address(Self.gemini),
                    model: value(Self.variable(Self.gemini, "MODEL")) ?? VisionEndpoint.geminiModel, key: key),
                Self.gemini)
        }
    }

    private func limited(
        _ endpoint: VisionEndpoint, _ name: String
    ) throws(CommandFailure) -> VisionEndpoint {
        var endpoint = endpoint
        endpoint.rate = try rate(Self.variable(name, "RATE"))
        endpoint.daily = try number(Self.variable(name, "DAILY"))
        return endpoint
    }

    private func address(_ service: String) throws(CommandFailure) -> String? {
        let name = Self.variable(service, "URL")
        guard let url = value(name) else { return nil }
        guard Self.isAddress(url) else {
            throw CommandFailure(
                .configuration, "Invalid value for \(name): expected an http or https address.")
        }
        return url
    }
}
