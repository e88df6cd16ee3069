import Testing

@testable import Server

@Suite struct ReadinessTests {
    @Test
    func `a server is ready with room on the disk, a store that can be written, and a queue that moves`() {
        let ready = Readiness(freeBytes: 256 << 20, isWritable: true, oldestWait: 6 * 3_600)
        #expect(ready.problem() == nil)
        var other = ready
        other.freeBytes = nil
        #expect(other.problem() == nil)
        other.freeBytes = 1
        #expect(other.problem()?.contains("disk") == true)
        other = ready
        other.waitsForRoom = true
        #expect(other.problem()?.contains("room") == true)
        other = ready
        other.isWritable = false
        #expect(other.problem()?.contains("written") == true)
        other = ready
        other.oldestWait += 1
        #expect(other.problem()?.contains("waited") == true)
    }
}
