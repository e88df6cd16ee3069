import Glibc

/// Threads of the operating system, for work that blocks in C calls: a Swift task must not block its executor.
package enum SystemThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread that ends with its body.
    ///
    /// - Parameter stackBytes: The size of its stack; nil for the system's default.
    /// - Returns: Whether it started: false if the process may not have another thread.
    package static func start(stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { box in
                if let box { Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        if code != 0 { box.release() }
        return code == 0
    }
}
