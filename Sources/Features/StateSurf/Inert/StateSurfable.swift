#if !Live
  public import FoundationEssentials
  public import SurfStore

  /// A state that has an initial value and can be read from bytes.
  public protocol StateInitializable: Codable, Sendable {
    /// The state that the app starts in.
    init()

    /// The state that `data` describes, or `nil`.
    init?(from data: Data)
  }

  extension StateInitializable {
    /// Decodes JSON; `nil` if `data` is not JSON or not of this type.
    public init?(from data: Data) {
      do {
        self = try JSONDecoder().decode(Self.self, from: data)
      } catch {
        return nil
      }
    }
  }

  /// A program whose state changes only by the actions of one reducer.
  public protocol StateSurfable {
    /// All that the program remembers.
    associatedtype State: StateInitializable
    /// All that can happen to it.
    associatedtype Action: Sendable
    /// How an action changes the state.
    static var reducer: Reducer<Action, State> { get }
    /// The rules that each state must satisfy.
    static var validators: [Validator<State>] { get }
    /// The actions that viewers would offer to dispatch.
    static var actionCreators: [ActionCreator] { get }
  }

  /// An action that viewers would offer to people.
  public struct ActionCreator: Hashable, Sendable {
    /// The name of the enum's case, or what the app reads as an action's `type`.
    public let name: String
    /// The labels of its values in order; `_` for a value without a label.
    public let arguments: [String]

    /// `ActionCreator("move", "from", "to")` offers `move(from:to:)`.
    public init(_ name: String, _ arguments: String...) {
      self.name = name
      self.arguments = arguments
    }
  }

  extension StateSurfable {
    /// None.
    public static var actionCreators: [ActionCreator] { [] }
    /// None.
    public static var validators: [Validator<State>] { [] }
  }

  extension StateSurfable where Action: CaseIterable & Decodable {
    /// None: there is no viewer to choose one.
    public static var actionCreators: [ActionCreator] { [] }
  }
#endif
