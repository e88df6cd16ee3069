// swift-tools-version: 6.2
import PackageDescription

/// The Swift client of the BooksTrack service, for apps. It depends on nothing but Foundation.
let package = Package(
    name: "BooksTrack",
    // The first with `Clock` and `Duration`. URLSession has had `bytes(for:)` for longer.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    products: [.library(name: "BooksTrack", targets: ["BooksTrack"])],
    targets: [
        .target(
            name: "BooksTrack",
            // As the package of the service sets them. Swift 6.2 is the first that knows the last one.
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ]
)
