import Testing

/// The page of capabilities is true, and names the test that proves each one.
@Suite struct CapabilityTests {
  static let rows =
    (try? Repository.text(Capabilities.page)).map { Capabilities.rows(under: "Row", of: $0) } ?? []

  @Test func `every capability has one row`() {
    #expect(Capabilities.ids.count == 202)
    #expect(Self.rows.map(\.id) == Capabilities.ids)
  }

  @Test(arguments: rows)
  func `a row has its five columns, and a proof or what is missing`(row: Capabilities.Row) {
    #expect(row.cells.count == 5 && !row.cells.contains(""))
    #expect(!row.proofs.isEmpty || row.isIncomplete)
  }

  @Test(arguments: rows)
  func `every test that is named exists`(row: Capabilities.Row) {
    #expect(row.proofs.filter { !Capabilities.isThere($0) } == [])
  }

  @Test(arguments: [
    ("surf.sh", true), ("surfs.sh", false), ("SwiftRexStyleTests/LawTests", true),
    ("SurfStoreTests/LawTest", false), ("SurfWireTests/LawTests", false),
    ("SwiftRexStyleTests/LawTests.lifts compose", true),
    ("SwiftRexStyleTests/LawTests.lifts decompose", false),
    ("SurfStoreTests/StoreTests.appliesActionsInOrder", true), ("", false),
  ])
  func `a test is found by its name alone`(name: String, isThere: Bool) {
    #expect(Capabilities.isThere(name) == isThere)
  }
}
