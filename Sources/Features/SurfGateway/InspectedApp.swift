import RemoteInspector
import SurfWire

/// One app of the network as `InspectorRelay` shows it to front ends.
struct InspectedApp {
  /// The prefix of its ids.
  let label: String
  var values = LiveValues<InspectorFrame>()
  /// Its state, shown in place of values while it has none.
  private(set) var state: InspectorFrame?
  private var stateBytes: [UInt8] = []
  /// Whether its state may have changed since it was shown.
  private var isStale = true
  private var nextStateAt = Duration.zero

  init(label: String) { self.label = label }

  func id(of value: String) -> String { "\(label)/\(value)" }

  mutating func touch() { isStale = true }

  /// When its state may be shown again; nil if it has not changed, or values are shown instead.
  var deadline: Duration? { isStale && values.isEmpty ? nextStateAt : nil }

  /// Takes its current state.
  ///
  /// - Parameter bytes: JSON; nil if the state is not known.
  /// - Returns: whether to send it to front ends.
  mutating func show(_ bytes: [UInt8]?, arrival: UInt64, at now: Duration) -> Bool {
    isStale = false
    nextStateAt = now + GatewayLimits.inspectorInterval
    guard let bytes, bytes.count <= InspectorLimits.messageSizeMax,
      state == nil || bytes != stateBytes
    else { return false }
    stateBytes = bytes
    state = InspectorFrame(
      bytes: InspectorMessage.update(id: label, data: bytes), arrival: arrival)
    return true
  }

  /// Octets kept for it.
  var size: Int { values.size + stateBytes.count + (state?.bytes.count ?? 0) }

  /// Drops its state and half of its values: front ends that connect later do not get them.
  mutating func shrink() {
    (state, stateBytes) = (nil, [])
    values.shrink(to: values.size / 2)
  }

  /// Call once it has values, which are shown in place of its state.
  ///
  /// - Returns: whether the state was shown until now.
  mutating func hideState() -> Bool {
    defer { (state, stateBytes, isStale) = (nil, [], true) }
    return state != nil
  }
}
