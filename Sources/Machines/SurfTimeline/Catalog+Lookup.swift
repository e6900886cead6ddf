import SurfBasics
import SurfWire

/// The result of looking up an instance by text that a person typed.
package enum Lookup: Sendable {
  case one(Instance)
  /// Names that the person may have meant, nearest first.
  case none(suggestions: [String])
  /// Several instances match. The caller must not guess among them.
  case ambiguous([Instance])
}

extension Catalog {
  /// Finds an instance by app name, by `name#pid`, or by four or more leading digits of its id.
  /// Each may end in `@host`, and `@host` alone finds the only instance on that machine. With nil,
  /// finds the only instance there is.
  ///
  /// Case does not matter. Live instances win over gone ones, and a restarted instance replaces its
  /// earlier session.
  package func find(_ name: String?) -> Lookup {
    let known = instances.filter { !isSuperseded($0) }
    guard let name else { return Self.choose(known) }
    let found = Self.matches(name, in: known)
    guard found.isEmpty else { return Self.choose(found) }
    var names: [String] = []
    for candidate in known.flatMap({ Self.names($0, like: name) })
    where !names.contains(candidate) {
      names.append(candidate)
    }
    return .none(suggestions: nearest(to: name, in: names))
  }

  /// Try names first: an app may be called "cafe", or "me@home".
  private static func matches(_ name: String, in known: [Instance]) -> [Instance] {
    for matches in [matchesName, matchesID] as [(Instance, String) -> Bool] {
      let found = known.filter { matches($0, name) }
      if !found.isEmpty { return found }
    }
    // A host name may contain an @, too, so try each one, starting from the last.
    for at in name.indices.reversed() where name[at] == "@" {
      let host = announced(name[name.index(after: at)...])
      let there = known.filter { $0.host.lowercased() == host }
      guard !there.isEmpty else { continue }
      let found = at == name.startIndex ? there : matches(String(name[..<at]), in: there)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The part of a name that fits into a heartbeat. People may type all of it.
  private static func announced(_ name: some StringProtocol) -> String {
    String(name).clipped(toUTF8: Limits.labelSizeMax).lowercased()
  }

  private static func names(_ instance: Instance, like name: String) -> [String] {
    guard name.contains("@") else { return [instance.name, instance.label] }
    return ["", instance.name, instance.label].map { "\($0)@\(instance.host)" }
  }

  /// Whether a later session of the same store exists.
  private func isSuperseded(_ instance: Instance) -> Bool {
    guard instance.status != .live,
      let index = instances.lastIndex(where: { $0.id == instance.id })
    else { return false }
    return instances[index].session != instance.session
  }

  private static func choose(_ found: [Instance]) -> Lookup {
    let live = found.filter { $0.status == .live }
    let candidates = live.isEmpty ? found : live
    guard let first = candidates.first else { return .none(suggestions: []) }
    return candidates.count == 1 ? .one(first) : .ambiguous(candidates)
  }

  private static func matchesName(_ instance: Instance, _ name: String) -> Bool {
    let suffix = "#\(instance.processID)"
    let bare = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    // Keep what follows a # or an @: that is another process or host, and clipping it would find
    // the wrong app.
    let isPlain = !bare.contains { $0 == "#" || $0 == "@" }
    let known = isPlain ? announced(bare) : bare.lowercased()
    return [name.lowercased(), known].contains(instance.name.lowercased())
  }

  private static func matchesID(_ instance: Instance, _ prefix: String) -> Bool {
    prefix.count >= 4 && instance.id.description.hasPrefix(prefix.lowercased())
  }
}
