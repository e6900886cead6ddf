public import SurfStore

/// A value that a view both shows and changes: read from a state, written by an action.
///
/// Any thread may use it. A value that is set counts once the store has taken the action: at once,
/// unless the store is in use.
@dynamicMemberLookup @propertyWrapper
public struct Binding<Value: Sendable>: Sendable {
  private let get: @Sendable () -> Value
  private let set: @Sendable (Value) -> Void

  /// A binding of a pair of closures.
  public init(
    get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void
  ) {
    self.get = get
    self.set = set
  }

  /// The value now; setting it calls `set`.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }

  /// The binding itself: `$name` of a property that is declared with it.
  public var projectedValue: Binding { self }

  /// A part of the value; setting it sets the whole with this part changed. It is read before: of
  /// two threads that change two parts at the same time, one may undo the other.
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
  /// A binding to what `get` reads from the state; setting it dispatches the action that `send`
  /// makes of the new value.
  ///
  /// ```swift
  /// let title = store.binding(get: \.title, send: Action.setTitle)
  /// ```
  ///
  /// The action comes from the line of this call.
  public func binding<Value: Sendable>(
    get: @escaping @Sendable (State) -> Value, send action: @escaping @Sendable (Value) -> Action,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Binding<Value> {
    let source = ActionSource(file: file, function: function, line: line)
    return Binding(get: { get(self.state) }, set: { self.dispatch(action($0), from: source) })
  }
}

extension ObservableViewModel {
  /// A binding to what `get` reads from the latest state; setting it dispatches the action that
  /// `send` makes of the new value. Whoever reads it, observes `state`.
  public func binding<Value: Sendable>(
    get: @escaping @Sendable (StateType) -> Value,
    send action: @escaping @Sendable (Value) -> ActionType,
    file: StaticString = #fileID, function: StaticString = #function, line: UInt = #line
  ) -> Binding<Value> {
    let source = ActionSource(file: file, function: function, line: line)
    return Binding(get: { get(self.state) }, set: { self.dispatch(action($0), from: source) })
  }
}
