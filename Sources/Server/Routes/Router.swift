/// Finds the route of a request.
package struct Router: Sendable {
    /// The result of looking for a route.
    package enum Match: Sendable {
        case route(Route, path: [String: String])
        /// The path has other methods.
        case otherMethods([RequestHead.Method])
        case none
    }

    /// Routes without parameters, by path, as ``choose(_:among:)`` takes them.
    private var fixed: [String: [(route: Route, path: [String: String])]] = [:]
    /// Routes with parameters, by the number of their path's parts.
    private var patterns: [Int: [Route]] = [:]

    package init(_ routes: [Route]) {
        for route in routes {
            if route.path.contains("{") {
                patterns[route.segments.count, default: []].append(route)
            } else {
                fixed[route.path, default: []].append((route, [:]))
            }
        }
    }

    /// - Parameters:
    ///   - path: The path as it was sent.
    ///   - segments: Its parts, unescaped.
    package func match(
        _ method: RequestHead.Method?, path: String, segments: () throws(EscapedText.Malformed) -> [String]
    ) throws(EscapedText.Malformed) -> Match {
        // HEAD is GET without a body.
        let wanted = method == .head ? .get : method
        if let routes = fixed[path] { return Self.choose(wanted, among: routes) }
        let parts = try segments()
        let found = (patterns[parts.count] ?? []).compactMap { route in
            Self.values(route.segments, parts).map { (route, $0) }
        }
        return Self.choose(wanted, among: found)
    }

    private static func choose(
        _ method: RequestHead.Method?, among found: [(route: Route, path: [String: String])]
    ) -> Match {
        if let match = found.first(where: { $0.route.method == method }) {
            return .route(match.route, path: match.path)
        }
        return found.isEmpty ? .none : .otherMethods(found.map(\.route.method))
    }

    private static func values(_ pattern: [Substring], _ parts: [String]) -> [String: String]? {
        var values: [String: String] = [:]
        for (segment, part) in zip(pattern, parts) {
            if segment.hasPrefix("{") {
                values[String(segment.dropFirst().dropLast())] = part
            } else if segment != part {
                return nil
            }
        }
        return values
    }
}

/// All routes. Router, OpenAPI document and tests read this list.
package enum RouteList {
    package static let all =
        SearchRoutes.all + EnrichmentRoutes.all + ImportRoutes.all + JobRoutes.all + SocketRoutes.all
        + ScanRoutes.all + LegacyRoutes.all + SystemRoutes.all + PageRoutes.all

    /// Their descriptions for the OpenAPI document.
    package static var documented: [DocumentedPath] {
        all.map { route in
            DocumentedPath(
                path: route.path, method: route.method.rawValue, operation: route.operation,
                isLimited: route.limit != nil, needsServerToken: route.scope != nil)
        }
    }
}
