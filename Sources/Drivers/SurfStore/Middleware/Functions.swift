/// For `lift(state: ignore)`: a middleware that needs no state.
@Sendable public func ignore<Value>(_: Value) {}

/// The value itself.
@Sendable public func identity<Value>(_ value: Value) -> Value { value }

/// For `lift(outputAction: absurd)`: a middleware that dispatches nothing.
@Sendable public func absurd<Value>(_ never: Never) -> Value {}
