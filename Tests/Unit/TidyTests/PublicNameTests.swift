import Foundation
import Testing

/// The names of the earlier projects are here, or the reason why they are not.
@Suite struct PublicNameTests {
  @Test func `every public name is declared, or the page says why not`() throws {
    let left = Capabilities.rows(under: "Name", of: try Repository.text(Capabilities.page))
      .flatMap { Capabilities.quotations($0.id) }
    let declarations = try PublicDeclarations()
    let absent = PublicNames.all.filter { !declarations.contain($0) }
    #expect(Set(absent).subtracting(left) == [], "neither declared nor explained")
    #expect(Set(left).subtracting(absent) == [], "explained, but declared or no name of theirs")
    #expect(Set(left).count == left.count)
  }

  @Test func `what stands in for a name is declared`() throws {
    let declarations = try PublicDeclarations()
    let rows = Capabilities.rows(under: "Name", of: try Repository.text(Capabilities.page))
    #expect(rows.count > 30)
    for row in rows {
      let names = Capabilities.quotations(row.cells[1])
      #expect(names.filter { !declarations.contain($0) } == [], "\(row.id)")
    }
  }

  @Test func `a declaration is public by its own word or its type's`() {
    let text = """
      public enum Mode {
        case manual, other(host: String)
        func hidden() {}
      }
      public protocol Reader {
        func read(from text: String)
      }
      @MainActor public static func live(
        for type: Int,
        mode: Mode = .manual
      ) {}
      package struct Inside {}
      """
    let declarations = PublicDeclarations(of: text.components(separatedBy: "\n"))
    for name in ["Mode.manual", "other(host:)", "Reader.read(from:)", "live(mode:)", "live(for:)"] {
      #expect(declarations.contain(name), "\(name)")
    }
    for name in ["hidden", "Inside", "live(host:)", "other(port:)", "Mode.hidden"] {
      #expect(!declarations.contain(name), "\(name)")
    }
  }
}
