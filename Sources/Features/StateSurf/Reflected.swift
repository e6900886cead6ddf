/// A value that is not `Codable`, in a state that viewers can put the program back into. They see
/// it as reflection does.
///
///     transceiver.onReset(initial: Reflected(Engine())) { engine.withLock { … = $0.value } }
///     transceiver.record(action: "start", state: Reflected(engine))
///
/// It is also a property wrapper, for one property in a state that is otherwise `Codable`:
///
///     struct Car: Codable {
///       var name = ""
///       @Reflected var engine = Engine()
///     }
///
/// The program keeps at least the newest 4,096 values that look different, whatever their types, or
/// fewer if they have more than 16 MiB of JSON. It finds the value that a viewer's JSON shows among
/// them, the newest if several look the same. Others are refused: an edited one, an older one, or
/// one from a file of another run. A class in the value is the same object in all rows, and is kept
/// alive as long as the transceiver is.
///
/// A value comes back whole, with what is `Redacted` in it. If `Configuration.redacted` names a
/// part of it, it comes back only while that part is the same.
///
/// Reflection is at most 64 levels deep, and 8 MiB of JSON. A longer value is shown in part, and
/// cannot be sent back. Only StateSurf can decode it: do not save it in a file of your own.
/// Without the trait `Live`, encoding and decoding throw.
@propertyWrapper
public struct Reflected<Value: Sendable>: Codable, Sendable {
  /// The value.
  public var value: Value

  /// The value.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// Wraps a value.
  public init(_ value: Value) { self.value = value }

  /// Wraps an initial value.
  public init(wrappedValue: Value) { value = wrappedValue }

  /// Finds the value that looks like this.
  public init(from decoder: any Decoder) throws {
    value = try Recorder.value(Value.self, seenIn: decoder)
  }

  /// Writes what reflection sees.
  public func encode(to encoder: any Encoder) throws {
    try Recorder.encode(reflecting: value, to: encoder)
  }
}

extension Reflected: Equatable where Value: Equatable {}
extension Reflected: Hashable where Value: Hashable {}
