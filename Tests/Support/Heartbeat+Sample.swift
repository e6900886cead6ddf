import SurfWire

extension Heartbeat {
  /// Of an app of which no more matters than how far its stream is.
  package static func sample(_ progress: StreamProgress = StreamProgress()) -> Heartbeat {
    Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: "app", host: "host", processID: 3,
      contentType: "", acceptsResets: false, datagramSize: 1_472, progress: progress)
  }
}
