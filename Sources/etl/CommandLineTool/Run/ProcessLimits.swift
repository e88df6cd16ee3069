import Glibc
import System

/// The system's limits for this process. Without enough descriptors or memory the runtime would end it without a
/// word.
package enum ProcessLimits {
    /// Number of descriptors to request if the hard limit allows it.
    private static let wantedDescriptors: rlim_t = 256
    /// Descriptors that must be free at the start.
    private static let fewestDescriptors = 24
    /// Address space with which small commands work, in bytes.
    private static let leastMemory: rlim_t = 256 << 20

    /// Raises the limits as far as allowed. Returns a failure if a limit is too low for any work; then nothing else
    /// may be started.
    package static func prepare() -> CommandFailure? {
        var files = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0,
            files.rlim_cur < wantedDescriptors
        {
            files.rlim_cur = min(files.rlim_max, wantedDescriptors)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        }
        guard canOpenFiles(fewestDescriptors) else {
            return CommandFailure(
                .configuration, "This process can open too few files: fewer than \(fewestDescriptors) more.",
                advice: "Raise the limit, for example with `ulimit -n \(wantedDescriptors)`.")
        }
        guard let memory = memoryLimit else { return nil }
        guard memory >= leastMemory else {
            return CommandFailure(
                .configuration,
                "The memory limit of this process is too low: \(HumanText.bytes(Int(clamping: memory))).",
                advice:
                    "Raise it to at least \(HumanText.bytes(Int(leastMemory))), for example with `ulimit -v unlimited`."
            )
        }
        explainFailedAllocations()
        return nil
    }

    /// The lower one of the limits of address space and data; nil if there is none.
    private static var memoryLimit: rlim_t? {
        let limits = [RLIMIT_AS, RLIMIT_DATA].compactMap { resource -> rlim_t? in
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0,
                limit.rlim_cur < rlim_t(Int64.max)
            else { return nil }
            return limit.rlim_cur
        }
        return limits.min()
    }

    private static func canOpenFiles(_ count: Int) -> Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = FileSystem.open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            opened.append(descriptor)
        }
        return true
    }

    /// Swift ends the process if memory cannot be allocated. Under a memory limit that is the likely reason for an
    /// abort, so it is named.
    private static func explainFailedAllocations() {
        for number in [SIGABRT, SIGILL, SIGTRAP] {
            signal(number) { _ in
                let text: StaticString = """
                    etl: error: The memory limit of this process (ulimit -v) is too low for this command.
                      advice: Raise it and run the same command again. Committed records are kept.

                    """
                // write(2) and _exit(2) may be called in a handler.
                _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
                _exit(ExitStatus.configuration.rawValue)
            }
        }
    }
}
