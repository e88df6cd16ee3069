/// What a runner runs: a source, stages and a sink that fit each other, each with its name and its share of workers.
public struct Flow: Sendable {
    /// A stage in its place.
    public struct Step: Sendable {
        /// Its name in the pipeline file, for counters and messages.
        public var name: String
        /// Asked by ``workers`` tasks at once.
        public var stage: any Stage
        /// Batches it works on at once, at least 1.
        public var workers: Int
        /// Batches that may wait before it, at least 1.
        public var capacity: Int

        /// Places a stage. Fewer than one worker or waiting batch count as one.
        public init(name: String, stage: any Stage, workers: Int = 1, capacity: Int = 4) {
            self.name = name
            self.stage = stage
            self.workers = max(1, workers)
            self.capacity = max(1, capacity)
        }
    }

    /// The source's name in the pipeline file, for counters and messages.
    public var sourceName: String
    /// Where batches come from.
    public var source: any Source
    /// The stages in the order of the dataflow; none is allowed.
    public var steps: [Step]
    /// The sink's name in the pipeline file.
    public var sinkName: String
    /// Where batches are committed, one at a time, in the order of the input.
    public var sink: any Sink
    /// Batches between source and sink at most: read but not written. Bounds the memory of a run.
    public var window: Int
    /// Bytes that may wait before one stage.
    public var bytesBeforeStage: Int

    /// Steps whose types do not fit each other are found when the run begins, not here: a ``Plan`` finds them
    /// before. Bounds
    /// under 1 count as 1.
    public init(
        sourceName: String, source: any Source, steps: [Step], sinkName: String, sink: any Sink,
        window: Int = 16, bytesBeforeStage: Int = 8 << 20
    ) {
        self.sourceName = sourceName
        self.source = source
        self.steps = steps
        self.sinkName = sinkName
        self.sink = sink
        self.window = max(1, window)
        self.bytesBeforeStage = max(1, bytesBeforeStage)
    }
}
