/// Shared by the test targets.
public enum TestSupport {}
