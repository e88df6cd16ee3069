package import Application

/// All routes. Router, OpenAPI document and tests read this list.
package enum RouteList {
    package static let all =
        SearchRoutes.all + EnrichmentRoutes.all + ImportRoutes.all + JobRoutes.all + SocketRoutes.all
        + ScanRoutes.all + LegacyRoutes.all + SystemRoutes.all + PageRoutes.all

    /// What the OpenAPI document says about them.
    package static var documented: [DocumentedPath] {
        all.map { route in
            DocumentedPath(
                path: route.path, method: route.method.rawValue, operation: route.operation,
                isLimited: route.limit != nil, needsServerToken: route.scope != nil)
        }
    }
}
