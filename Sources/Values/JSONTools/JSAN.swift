import JSONTree

/// The marks that the panel puts into JSON for values that JSON has no form for, as its library
/// `jsan` writes them: `{"$jsan":"u"}` for `undefined`.
package enum JSAN {
  /// About how many bytes of JSON may come from copying referenced values.
  package static let copiedByteCountMax = 8 << 20

  /// `json` without marks:
  /// - `undefined` goes from objects, and is `null` elsewhere; NaN and infinities are `null`;
  /// - a date is ISO 8601, as `JSON.stringify` writes it: its milliseconds since 1970 would be read
  ///   as seconds since 2001; an invalid date is `null`;
  /// - a regular expression, error, symbol or function is the text that stands for it;
  /// - a `Map` is an object if all keys are strings, else an array of pairs; a `Set` is an array;
  /// - a reference is a copy of the value there; `null` where it leads back into itself, to
  ///   nothing, deeper than `JSON.depthMax`, or beyond `copiedByteCountMax` in all.
  ///
  /// With `bareReferences`, a string that writes a path to a value (`"$.a.b"`) is a reference, too.
  /// The panel does not send such strings, and a user's text may look like one.
  ///
  /// An object with an unknown mark stays as it is. Never traps.
  package static func plain(_ json: JSON, bareReferences: Bool = false) -> JSON {
    var restorer = JSANRestorer(document: json, bareReferences: bareReferences)
    return restorer.restore(json, at: JSANPaths.root)
  }

  /// The text of a mark; `nil` if `json` is not one.
  static func mark(_ json: JSON) -> String? {
    guard let object = json.object, object.members.count == 1,
      let member = object.members.first, member.key == "$jsan"
    else { return nil }
    return member.value.string
  }

  /// The member's value; a value named `$jsan` that is not a mark was sent in an array.
  static func original(_ member: JSONObject.Member) -> JSON {
    guard member.key == "$jsan", let elements = member.value.array, elements.count == 1
    else { return member.value }
    return elements[0]
  }
}
