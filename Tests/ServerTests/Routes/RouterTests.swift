import Testing

@testable import Server

@Suite struct RouterTests {
    private static func route(_ method: RequestHead.Method, _ path: String) -> Route {
        Route(method, path, Operation("x", "x"), limit: nil, scope: nil) { _, _ in
            .answer(Response(200, .bytes([])))
        }
    }

    private static let router = Router([
        route(.get, "/a"), route(.post, "/a"), route(.get, "/a/{x}"), route(.delete, "/a/{x}"),
        route(.get, "/a/{x}/b/{y}"),
    ])

    private static func match(_ method: RequestHead.Method?, _ path: String) throws -> String {
        let head = Array(path.utf8).withUnsafeBytes { RequestHead(method: "GET", target: $0) }
        let match = try router.match(method, path: path) { () throws(EscapedText.Malformed) in
            try head.segments()
        }
        switch match {
        case .none: return "none"
        case .otherMethods(let methods): return methods.map(\.rawValue).joined(separator: " ")
        case .route(let route, let path):
            return
                "\(route.path) \(path.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))"
        }
    }

    @Test func `a route is found by method and path`() throws {
        #expect(try Self.match(.get, "/a") == "/a ")
        #expect(try Self.match(.head, "/a/1") == "/a/{x} x=1")
        #expect(try Self.match(.get, "/a/1%2F2/b/3") == "/a/{x}/b/{y} x=1/2 y=3")
        #expect(try Self.match(.put, "/a") == "GET POST")
        #expect(try Self.match(nil, "/a/1") == "GET DELETE")
        for path in ["/", "", "/a/", "/b", "/a/1/c/2", "/a/1/b/2/3", "a"] {
            #expect(["none", "GET DELETE"].contains(try Self.match(.put, path)), "\(path)")
        }
    }
}

@Suite struct RouteListTests {
    @Test func `no two routes have the same method and path, or the same name`() {
        let places = RouteList.all.map { "\($0.method) \($0.path)" }
        #expect(Set(places).count == places.count)
        let names = RouteList.all.map(\.operation.name)
        #expect(Set(names).count == names.count)
    }
}
