#if THREAD_SANITIZER
import Glibc
#else
import Synchronization
#endif

/// A value behind a lock.
///
/// It is a `Mutex`. The thread sanitizer does not understand `Mutex` and reports false races, so builds with
/// `-DTHREAD_SANITIZER` use a pthread lock with the same interface.
package final class Guarded<Value: Sendable>: Sendable {
    #if THREAD_SANITIZER
    // Proof: the value is accessed only in `withLock`, between lock and unlock. Sanitizer builds only.
    private final class Cell: @unchecked Sendable {
        var value: Value
        let lock: UnsafeMutablePointer<pthread_mutex_t>
        init(_ value: Value) {
            self.value = value
            lock = .allocate(capacity: 1)
            lock.initialize(to: pthread_mutex_t())
            pthread_mutex_init(lock, nil)
        }
        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }
    }
    private let cell: Cell
    /// Puts a value behind a lock.
    package init(_ value: Value) { cell = Cell(value) }
    /// Runs `body` with exclusive access to the value.
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(cell.lock)
        defer { pthread_mutex_unlock(cell.lock) }
        return body(&cell.value)
    }
    #else
    private let mutex: Mutex<Value>
    /// Puts a value behind a lock.
    package init(_ value: Value) { mutex = Mutex(value) }
    /// Runs `body` with exclusive access to the value.
    package func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        mutex.withLock(body)
    }
    #endif
}
