import Foundation
import SurfCipher
import SurfSeal
import Testing

/// The places where keys are found, and the faults of their file.
@Suite final class KeyFileTests {
  private static let drive = GroupKey(.drive, Octets32(0..<32)!)
  private static let key = drive
  private static let other = GroupKey(.drive, Octets32(1...32)!)

  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "surf-keys-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func `the first key seals, and all open`() throws {
    let text = "# ours\n\(Self.key.text)\n\n  \(Self.other.text)  # until Monday\n"
    let ring = try #require(try read(text)).ring
    #expect(ring.sealingKey == Self.key)
    #expect(ring.keys == [Self.key, Self.other])
    let watch = Self.drive.watchKey
    #expect(try read(watch.text)?.ring.sealingKey == watch)
  }

  @Test func `line ends may be Windows's`() throws {
    let text = "\u{feff}\(Self.key.text)\r\n\(Self.other.text)\r\n"
    let contents = try #require(try read(text))
    #expect(contents.ring.keys == [Self.key, Self.other] && contents.hasWindowsLineEnds)
    #expect(try read(Self.key.text + "\n")?.hasWindowsLineEnds == false)
  }

  @Test func `a drive key and its watch key have one id, and the drive key is tried`() throws {
    let watch = Self.drive.watchKey
    let ring = try #require(try read("\(Self.key.text)\n\(watch.text)\n\(Self.other.text)\n")).ring
    #expect(ring.keys(with: Self.key.id) == [Self.key])
    #expect(ring.needlessWatchKeys == [watch] && ring.ambiguousIDs == [])
    #expect(try read(Self.key.text + "\n" + Self.key.text)?.ring.needlessWatchKeys == [])
    #expect(KeyRing(watch, [Self.other]).needlessWatchKeys == [])
  }

  @Test func `what is no key file is told, and is never taken for none`() throws {
    let faults: [(String, KeyRingError)] = [
      ("", .empty), ("# nothing\n\r\n", .empty),
      (Self.key.text.replacing("-drive-", with: "-steer-"), .line(1, .kind)),
      ("\n" + Self.key.text.replacing("-1-a", with: "-1-b"), .line(2, .checksum)),
      ("-----BEGIN OPENSSH PRIVATE KEY-----", .line(1, .otherProgram)),
    ]
    for (text, fault) in faults {
      let error = #expect(throws: KeyFileError.self) { _ = try read(text) }
      #expect(error?.fault == .contents(fault), "\(text)")
      #expect(error?.description.contains(folder) == true && error?.fix.isEmpty == false)
    }
    let place = #expect(throws: KeyFileError.self) { _ = try KeyFile(path: folder).read() }
    #expect(place?.fault == .folder)
    mkfifo(folder + "/fifo", 0o600)
    let fifo = #expect(throws: KeyFileError.self) { _ = try KeyFile(path: folder + "/fifo").read() }
    #expect(fifo?.fault == .noFile)
  }

  @Test func `a file that somebody named must be there, and the usual one need not`() throws {
    let home = ["XDG_CONFIG_HOME": folder]
    let usual = try #require(KeyFile(environment: home))
    #expect(usual.path == folder + "/statesurf/key")
    #expect(try usual.read() == nil)
    let named = try #require(KeyFile(environment: [KeyFile.variable: usual.path]))
    let error = #expect(throws: KeyFileError.self) { _ = try named.read() }
    #expect(error?.fault == .unreadable(ENOENT))
    // Where a folder should be, there is a file.
    #expect(FileManager.default.createFile(atPath: folder + "/statesurf", contents: nil))
    #expect(try usual.read() == nil)
  }

  @Test func `a file may be mounted as clusters do it`() throws {
    // A link to a link, of another user, that all may read.
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder + "/..1", withIntermediateDirectories: false)
    try (Self.key.text + "\n").write(
      toFile: folder + "/..1/key", atomically: false, encoding: .utf8)
    chmod(folder + "/..1/key", 0o644)
    try manager.createSymbolicLink(atPath: folder + "/..data", withDestinationPath: "..1")
    try manager.createSymbolicLink(atPath: folder + "/key", withDestinationPath: "..data/key")
    let contents = try #require(try KeyFile(path: folder + "/key").read())
    #expect(contents.ring.keys == [Self.key] && contents.isReadableByAll)
  }

  @Test func `the environment names the file`() {
    let variable = KeyFile.variable
    let places: [([String: String], String?)] = [
      ([:], nil), (["HOME": "/home/ada"], "/home/ada/.config/statesurf/key"),
      (["HOME": "ada"], nil), (["HOME": "/h", "XDG_CONFIG_HOME": "x"], "/h/.config/statesurf/key"),
      (["HOME": "/h", "XDG_CONFIG_HOME": "/x"], "/x/statesurf/key"),
      (["HOME": "/h", variable: "none"], nil), (["HOME": "/h", variable: "k"], "k"),
      (["HOME": "/h", variable: ""], "/h/.config/statesurf/key"),
    ]
    for (environment, path) in places {
      #expect(KeyFile(environment: environment)?.path == path, "\(environment)")
    }
  }

  @Test func `a new key is its owner's alone, and replaces none`() throws {
    let file = KeyFile(path: folder + "/deep/er/key")
    let key = try GroupKey.random()
    try file.write(key)
    let contents = try #require(try file.read())
    #expect(contents.ring.keys == [key] && contents.mode == 0o600 && !contents.isReadableByAll)
    let error = #expect(throws: KeyFileError.self) { try file.write(Self.other) }
    #expect(error?.fault == .exists)
    #expect(try file.read()?.ring.keys == [key])
    chmod(file.path, 0o644)
    #expect(try file.read()?.isReadableByAll == true)
    let nowhere = KeyFile(path: file.path + "/key")
    let refusal = #expect(throws: KeyFileError.self) { try nowhere.write(key) }
    #expect(refusal?.fault == .unwritable(ENOTDIR))
    #expect(try GroupKey.random() != key)
  }

  private func read(_ text: String) throws -> KeyFile.Contents? {
    let path = folder + "/key"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return try KeyFile(path: path).read()
  }
}
