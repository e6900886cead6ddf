import StateSurf
import SurfStore

extension App {
  /// Actions that a viewer can dispatch.
  package static let actionCreators: [ActionCreator] = [
    ActionCreator("add", "_ title"), ActionCreator("done", "_ number"),
    ActionCreator("undone", "_ number"), ActionCreator("edit", "_ number", "_ title"),
    ActionCreator("remove", "_ number"), ActionCreator("clear"),
    ActionCreator("filter", "_ open, done or all"),
  ]

  /// A number that is not on the list changes nothing.
  package static let reducer = Reducer<Action, State>.reduce { action, state in
    switch action {
    case .add(let title):
      state.todos.append(Todo(id: state.nextID, title: title))
      state.nextID &+= 1
    case .done(let id):
      change(id, in: &state) { $0.isDone = true }
    case .undone(let id):
      change(id, in: &state) { $0.isDone = false }
    case .edit(let id, let title):
      change(id, in: &state) { $0.title = title }
    case .remove(let id):
      state.todos.removeAll { $0.id == id }
    case .clear:
      state.todos.removeAll(where: \.isDone)
    case .filter(let filter):
      state.filter = filter
    }
  }

  private static func change(_ id: Int, in state: inout State, _ body: (inout Todo) -> Void) {
    guard let index = state.todos.firstIndex(where: { $0.id == id }) else { return }
    body(&state.todos[index])
  }
}
