public import SurfStore

/// A value that a view both shows and changes: it reads from a state, and dispatches an action to
/// write.
///
/// Any thread may use it. A write takes effect when the store has performed the action:
/// immediately, unless the store is in use.
@dynamicMemberLookup @propertyWrapper
public struct Binding<Value: Sendable>: Sendable {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void

  /// Makes a binding of two closures.
  public init(
    get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void
  ) {
    self.get = get
    self.set = set
  }

  /// The current value. Setting it calls `set`.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding itself, as `$name` of a wrapped property.
  public var projectedValue: Binding { self }

  /// A part of the value. Setting it reads the whole value and sets it with this part changed. If
  /// two threads set two parts at the same time, one may undo the other's change.
  public subscript<Part: Sendable>(
    dynamicMember keyPath: any WritableKeyPath<Value, Part> & Sendable
  ) -> Binding<Part> {
    Binding<Part>(
      get: { get()[keyPath: keyPath] },
      set: { part in
        var value = get()
        value[keyPath: keyPath] = part
        set(value)
      })
  }
}

extension Store {
  /// Makes a binding that reads the state by `get`, and dispatches the action that `send` makes of
  /// a new value.
  ///
  /// ```swift
  /// let title = store.binding(get: \.title, send: Action.setTitle)
  /// ```
  ///
  /// The action's source is the line of this call.
  public func binding<Value: Sendable>(
    get: @escaping @Sendable (State) -> Value, send action: @escaping @Sendable (Value) -> Action,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Binding<Value> {
    let source = ActionSource(file: file, function: function, line: line)
    return Binding(get: { get(self.state) }, set: { self.dispatch(action($0), from: source) })
  }
}

extension ObservableViewModel {
  /// Makes a binding that reads the latest state by `get`, and dispatches the action that `send`
  /// makes of a new value. A view that reads it observes `state`.
  public func binding<Value: Sendable>(
    get: @escaping @Sendable (StateType) -> Value,
    send action: @escaping @Sendable (Value) -> ActionType,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Binding<Value> {
    let source = ActionSource(file: file, function: function, line: line)
    return Binding(get: { get(self.state) }, set: { self.dispatch(action($0), from: source) })
  }
}
