import Foundation
import SurfPersistence
import SurfStore
import Testing

@Suite struct PersistenceTests {
  struct Purse: Codable, Equatable {
    var dollars = 0
    var owner = "Jenny"
  }

  private let folder: Folder
  private let persistence: Persistence

  init() throws {
    folder = try Folder()
    persistence = Persistence(path: folder.file("Purse.json"))
  }

  private func write(_ text: String) throws {
    try text.write(toFile: persistence.path, atomically: false, encoding: .utf8)
  }

  /// Why nothing is loaded.
  private func fault() -> PersistenceError? {
    do throws(PersistenceError) {
      _ = try persistence.load(Purse.self)
      return nil
    } catch {
      return error
    }
  }

  @Test func `A default takes the place of what was not saved, and of nothing else`() throws {
    let poor = Purse(dollars: -1)
    #expect(try persistence.load(default: poor) == poor)
    try persistence.save(Purse(dollars: 5))
    #expect(try persistence.load(default: poor) == Purse(dollars: 5))
    try write("[")
    #expect(throws: PersistenceError.self) { try persistence.load(default: poor) }
  }

  @Test func `What was saved is loaded, and people can read it`() throws {
    try persistence.save(Purse(dollars: 5))
    #expect(try persistence.load() == Purse(dollars: 5))
    #expect(
      try String(contentsOfFile: persistence.path, encoding: .utf8)
        == """
        {
          "dollars" : 5,
          "owner" : "Jenny"
        }
        """)
    #expect(try folder.names == ["Purse.json"])
  }

  @Test func `The file is in the program's folder of the state home`() throws {
    let environment = ["XDG_STATE_HOME": folder.path, "HOME": "/nowhere"]
    let persistence = Persistence(name: "S.json", program: "a/b", environment: environment)
    #expect(persistence.path == folder.file("a_b/S.json"))
    try persistence.save(Purse())
    #expect(try persistence.load() == Purse())
  }

  @Test(arguments: [
    ("A\0x", "A_x"), ("a/\u{301}b", "a_\u{301}b"), ("..\0", ".._"), ("..", "_"), ("", "_"),
  ])
  func `Any name is one component of the path`(name: String, component: String) {
    let persistence = Persistence(
      name: name, program: name, environment: ["XDG_STATE_HOME": "/state"])
    #expect(Array(persistence.path.utf8) == Array("/state/\(component)/\(component)".utf8))
  }

  @Test(arguments: [nil, "relative", ""])
  func `Without a state home that is absolute, home has one`(stateHome: String?) {
    let environment = ["HOME": "/home/jenny", "XDG_STATE_HOME": stateHome].compactMapValues { $0 }
    let persistence = Persistence(name: "S.json", program: "..", environment: environment)
    #expect(persistence.path == "/home/jenny/.local/state/_/S.json")
  }

  @Test func `Each kind of bad file is told from the others`() throws {
    let path = persistence.path
    #expect(fault() == .nothingSaved(path: path))
    try write("")
    #expect(fault() == .empty(path: path))
    try write(#"{"dollars":5,"own"#)
    guard case .malformed(path, _) = fault() else {
      Issue.record("cut")
      return
    }
    try write(#"{"dollars":"many","owner":"Jenny"}"#)
    guard case .malformed(path, let reason) = fault() else {
      Issue.record("type")
      return
    }
    #expect(reason.hasPrefix("dollars: "))
  }

  @Test func `A folder in the file's place is neither read, nor replaced, nor removed`() throws {
    try FileManager.default.createDirectory(
      atPath: persistence.path, withIntermediateDirectories: false)
    #expect(fault() == .notAFile(path: persistence.path))
    #expect(throws: PersistenceError.notAFile(path: persistence.path)) {
      try persistence.save(Purse())
    }
    #expect(throws: PersistenceError.notAFile(path: persistence.path)) { try persistence.remove() }
    #expect(try folder.names == ["Purse.json"])
  }

  @Test func `A pipe holds nobody up`() {
    mkfifo(persistence.path, 0o600)
    #expect(fault() == .notAFile(path: persistence.path))
  }

  @Test func `What cannot be saved leaves the old file as it was`() throws {
    try persistence.save(Purse(dollars: 1))
    #expect(throws: PersistenceError.self) { try persistence.save([Double.nan]) }
    #expect(try persistence.load() == Purse(dollars: 1))
  }

  @Test func `A draft that a killed process left is written over`() throws {
    try String(repeating: "x", count: 1_000)
      .write(toFile: folder.file(".Purse.json.new"), atomically: false, encoding: .utf8)
    try persistence.save(Purse(dollars: 2))
    #expect(try persistence.load() == Purse(dollars: 2))
    #expect(try folder.names == ["Purse.json"])
  }

  @Test func `To remove what is not there is no error`() throws {
    try persistence.remove()
    try persistence.save(Purse())
    try persistence.remove()
    #expect(fault() == .nothingSaved(path: persistence.path))
  }

  @Test func `A store loads what its validators let pass`() throws {
    let store = Store(
      initial: Purse(), reducer: Reducer<Int, Purse>.reduce { $1.dollars += $0 },
      validators: [Validator("no debt") { $0.dollars >= 0 }])
    store.dispatch(3)
    try store.save(to: persistence)
    store.dispatch(1)
    try store.load(from: persistence)
    #expect(store.state.dollars == 3)
    try persistence.save(Purse(dollars: -1))
    let objection = Objection(validator: "no debt", reason: nil)
    #expect(throws: PersistenceError.rejected(path: persistence.path, objection)) {
      try store.load(from: persistence)
    }
    #expect(store.state.dollars == 3)
  }

  @Test func `Savers on many threads leave one whole state`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...8 {
        group.addTask { [persistence] in
          for _ in 1...20 { try persistence.save([Int](repeating: number, count: 5_000)) }
        }
      }
      try await group.waitForAll()
    }
    let numbers: [Int] = try persistence.load()
    #expect(Set(numbers).count == 1 && numbers.count == 5_000)
    #expect(try folder.names == ["Purse.json"])
  }
}
