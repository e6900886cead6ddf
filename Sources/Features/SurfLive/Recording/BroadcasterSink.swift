internal import SurfNetwork
internal import SurfThreads
internal import SurfWire

extension Broadcaster: RecordSink {}

/// The broadcaster as a sink, whose requests know their way back to it.
func broadcasterSink(
  configuration: Broadcaster.Configuration, onReset: @escaping @Sendable (ResetRequest) -> Void
) -> any RecordSink {
  let reference = BroadcasterReference()
  let broadcaster = Broadcaster(configuration: configuration) { reset in
    var request = ResetRequest(viewerName: reset.viewerName, state: reset.state) { result in
      reference.broadcaster?.answer(reset, with: result)
    }
    request.isCommand = reset.isCommand
    request.target = reset.position
    onReset(request)
  }
  reference.broadcaster = broadcaster
  return broadcaster
}

/// Lets the broadcaster's own handler reach it, without keeping it alive.
private final class BroadcasterReference: Sendable {
  private struct Weak: Sendable { weak var broadcaster: Broadcaster? }

  private let reference = Monitor(Weak())

  var broadcaster: Broadcaster? {
    get { reference.withLock { $0.broadcaster } }
    set { reference.withLock { $0.broadcaster = newValue } }
  }
}
