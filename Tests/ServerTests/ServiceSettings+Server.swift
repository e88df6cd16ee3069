import FakeServices
import Jobs
import Services
import System
import TestSupport

/// Fake services for servers under test.
extension ServiceSettings {
    /// Fake services that are asked over a transport.
    static func fake(
        over transport: any HTTPTransport, _ names: [String] = FakeServices.names
    ) -> ServiceSettings {
        var services = fake(at: "http://fake.test", names, limits: FakeClient.limits)
        services.transport = transport
        return services
    }

    /// These services for every import, whatever it asks for.
    var always: ImportRequest.Services { { _, _, _ throws(ETLError) in self } }
}
