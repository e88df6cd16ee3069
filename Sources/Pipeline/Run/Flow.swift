/// A source, stages and a sink, ready to be run by a ``Runner``.
package struct Flow: Sendable {
    /// A stage with its name, workers and input capacity.
    package struct StageRun: Sendable {
        /// Its name in the pipeline file, for counters and messages.
        package var name: String
        /// Called by ``workers`` tasks at the same time.
        package var stage: any Stage
        /// Number of batches processed at the same time, at least 1.
        package var workers: Int
        /// Maximum number of batches waiting before the stage, at least 1.
        package var capacity: Int

        /// Values of `workers` and `capacity` below 1 become 1.
        package init(name: String, stage: any Stage, workers: Int = 1, capacity: Int = 4) {
            self.name = name
            self.stage = stage
            self.workers = max(1, workers)
            self.capacity = max(1, capacity)
        }
    }

    /// The source's name in the pipeline file, for counters and messages.
    package var sourceName: String
    /// Source of batches.
    package var source: any Source
    /// The stages in the order of the dataflow. May be empty.
    package var stages: [StageRun]
    /// The sink's name in the pipeline file.
    package var sinkName: String
    /// Sink that commits batches, in the order of the input.
    package var sink: any Sink
    /// Maximum number of batches between source and sink: read but not yet written. Bounds the memory of a
    /// run.
    package var window: Int
    /// Maximum number of bytes waiting before one stage.
    package var bytesBeforeStage: Int

    /// Does not check that the types of the stages fit each other: the run fails if they do not. A ``Plan``
    /// checks them earlier. Limits below 1 become 1.
    package init(
        sourceName: String, source: any Source, stages: [StageRun], sinkName: String, sink: any Sink,
        window: Int = 16, bytesBeforeStage: Int = 8 << 20
    ) {
        self.sourceName = sourceName
        self.source = source
        self.stages = stages
        self.sinkName = sinkName
        self.sink = sink
        self.window = max(1, window)
        self.bytesBeforeStage = max(1, bytesBeforeStage)
    }
}
