import StateSurf

/// A list of things to do.
package enum App: StateSurfable {
  /// All that the program remembers.
  package struct State: StateInitializable, Equatable {
    package var todos: [Todo] = []
    package var filter = Filter.all
    /// Never used twice, so that a number keeps meaning the same thing.
    package var nextID = 1

    package init() {}

    /// Those that the filter lets through.
    package var shown: [Todo] { todos.filter(filter.admits) }
  }

  /// One thing to do.
  package struct Todo: Codable, Equatable, Sendable {
    package let id: Int
    package var title: String
    package var isDone = false
  }

  /// Which things to show.
  package enum Filter: String, CaseIterable, Codable, Sendable {
    case open, done, all

    func admits(_ todo: Todo) -> Bool {
      switch self {
      case .open: !todo.isDone
      case .done: todo.isDone
      case .all: true
      }
    }
  }

  /// All that can happen.
  package enum Action: Codable, Equatable, Sendable {
    case add(String)
    case done(Int)
    case undone(Int)
    case edit(Int, String)
    case remove(Int)
    /// Removes the items that are done.
    case clear
    case filter(Filter)
  }
}
