import SurfBasics
import SurfWire

/// The result of a search for an instance by a person's text.
package enum Lookup: Sendable {
  case one(Instance)
  /// Names that the person may have meant, the nearest first.
  case none(suggestions: [String])
  /// More than one; do not touch any of them.
  case ambiguous([Instance])
}

extension Catalog {
  /// Finds an instance by app name, by `name#pid`, or by the first four or more digits of its id;
  /// nil for the only one there is. Each may end in `@host`, which alone stands for the only one on
  /// that machine.
  ///
  /// Names are compared without regard to case. A live instance is preferred to those that are
  /// gone, and a restarted one stands for its former self.
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

  /// A name comes first: an app may well be called "cafe", or "me@home".
  private static func matches(_ name: String, in known: [Instance]) -> [Instance] {
    for matches in [matchesName, matchesID] as [(Instance, String) -> Bool] {
      let found = known.filter { matches($0, name) }
      if !found.isEmpty { return found }
    }
    // A host's name may have an @, too: of several, the last that leads to an app counts.
    for at in name.indices.reversed() where name[at] == "@" {
      let host = announced(name[name.index(after: at)...])
      let there = known.filter { $0.host.lowercased() == host }
      guard !there.isEmpty else { continue }
      let found = at == name.startIndex ? there : matches(String(name[..<at]), in: there)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Heartbeats carry so much of a name, and its owner may know all of it.
  private static func announced(_ name: some StringProtocol) -> String {
    String(name).clipped(toUTF8: Limits.labelSizeMax).lowercased()
  }

  private static func names(_ instance: Instance, like name: String) -> [String] {
    guard name.contains("@") else { return [instance.name, instance.label] }
    return ["", instance.name, instance.label].map { "\($0)@\(instance.host)" }
  }

  /// Whether the same store runs again under another session.
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
    // Behind a mark stands another process, or a host: to cut those off would find the wrong app.
    let isPlain = !bare.contains { $0 == "#" || $0 == "@" }
    let known = isPlain ? announced(bare) : bare.lowercased()
    return [name.lowercased(), known].contains(instance.name.lowercased())
  }

  private static func matchesID(_ instance: Instance, _ prefix: String) -> Bool {
    prefix.count >= 4 && instance.id.description.hasPrefix(prefix.lowercased())
  }
}
