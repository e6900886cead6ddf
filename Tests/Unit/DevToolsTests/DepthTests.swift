import DevTools
import JSONTree
import Testing

@Suite("States that are nested deep")
struct DepthTests {
  private indirect enum Tree: Codable, Sendable {
    case leaf
    case node(Tree)
  }

  private static func tree(_ depth: Int) -> Tree {
    (0..<depth).reduce(.leaf) { tree, _ in .node(tree) }
  }

  @Test func `they are shown as far as it goes, and the app goes on`() throws {
    let environment = DevToolsEnvironment.live(for: Tree.self)
    for text in [
      environment.encodeState(Self.tree(12_000)), environment.encodeAction(Self.tree(12_000)),
    ] {
      #expect(JSON(ifValid: Array(text.utf8)) != nil)
      #expect(text.contains("<Tree>"))
      // A truncated state cannot be restored.
      #expect(environment.decodeState?(text) == nil)
    }
    let deep = String(repeating: #"{"node":{"_0":"#, count: 50_000)
    #expect(environment.decodeState?(deep) == nil)
  }

  @Test func `what the limit allows is restored`() throws {
    let environment = DevToolsEnvironment.live(for: Tree.self)
    let text = environment.encodeState(Self.tree(240))
    let restored = try #require(environment.decodeState?(text) as? Tree)
    #expect(environment.encodeState(restored) == text)
  }
}
