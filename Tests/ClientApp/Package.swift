// swift-tools-version: 6.2
import PackageDescription

/// The smallest app that depends on the Swift client, built by `make client`.
let package = Package(
    name: "ClientApp",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    dependencies: [.package(path: "../../Sources/Client")],
    targets: [
        .executableTarget(
            name: "ClientApp", dependencies: [.product(name: "BooksTrack", package: "Client")])
    ]
)
