import SurfWire

extension Heartbeat {
  /// A heartbeat for tests that care only about the progress of the stream.
  package static func sample(_ progress: StreamProgress = StreamProgress()) -> Heartbeat {
    Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: "app", host: "host", processID: 3,
      contentType: "", acceptsResets: false, datagramSize: 1_472, progress: progress)
  }
}
