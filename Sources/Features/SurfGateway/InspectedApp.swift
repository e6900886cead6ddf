import RemoteInspector
import SurfWire

/// An app of the network, as front ends of RemoteInspector see it.
struct InspectedApp {
  /// What its ids begin with.
  let label: String
  var values = LiveValues<InspectorFrame>()
  /// Its state, which stands in for values while it has none.
  private(set) var state: InspectorFrame?
  private var stateBytes: [UInt8] = []
  /// It may be in another state than the one shown.
  private var isStale = true
  private var nextStateAt = Duration.zero

  init(label: String) { self.label = label }

  func id(of value: String) -> String { "\(label)/\(value)" }

  mutating func touch() { isStale = true }

  /// When its state may be shown again; nil if nothing is new.
  var deadline: Duration? { isStale && values.isEmpty ? nextStateAt : nil }

  /// Takes its state at present.
  ///
  /// - Parameter bytes: JSON; nil if it is not known.
  /// - Returns: whether front ends must be told.
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

  /// Octets that are kept of it.
  var size: Int { values.size + stateBytes.count + (state?.bytes.count ?? 0) }

  /// Gives up half of its values, or its state: front ends that come later do not get it.
  mutating func shrink() {
    (state, stateBytes) = (nil, [])
    values.shrink(to: values.size / 2)
  }

  /// It has values, and is seen by them.
  ///
  /// - Returns: whether a state was shown until now.
  mutating func hideState() -> Bool {
    defer { (state, stateBytes, isStale) = (nil, [], true) }
    return state != nil
  }
}
