import JSONTree

/// JavaScript knows no integer beyond 2^53 exactly. Those go to a panel as `{"$int":"…"}`, so that
/// people see the exact number, and a panel's export reads back unchanged.
enum ExactNumber {
  private static let mark = "$int"
  /// The digits of 2^53 - 1.
  private static let digitCount = 16

  /// JSON text with every such integer marked.
  static func marked(_ json: [UInt8]) -> [UInt8] {
    let runs = json.withUnsafeBufferPointer(largeIntegers)
    guard !runs.isEmpty else { return json }
    var marked: [UInt8] = []
    var next = 0
    for run in runs {
      marked += json[next..<run.lowerBound]
      marked += Array("{\"\(mark)\":\"".utf8) + json[run] + Array("\"}".utf8)
      next = run.upperBound
    }
    return marked + json[next...]
  }

  static func marked(_ json: String) -> String {
    String(decoding: marked(Array(json.utf8)), as: UTF8.self)
  }

  /// The same JSON with the numbers themselves.
  static func restored(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): return .array(elements.map(restored))
    case .object(let object):
      if object.members.count == 1, let text = object[mark]?.string, let number = integer(text) {
        return number
      }
      return .object(
        JSONObject(object.members.map { .init(key: $0.key, value: restored($0.value)) }))
    case .null, .bool, .number, .string: return json
    }
  }

  private static func integer(_ text: String) -> JSON? {
    guard let json = JSON(ifValid: Array(text.utf8)), case .number = json else { return nil }
    return json
  }

  /// The places of integers that JavaScript would change.
  private static func largeIntegers(_ json: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var index = 0
    while index < json.count {
      switch json[index] {
      case UInt8(ascii: "\""): index = end(ofString: index, json)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let end = end(ofNumber: index, json)
        if isLarge(json[index..<end]) { runs.append(index..<end) }
        index = end
      default: index += 1
      }
    }
    return runs
  }

  private static func end(ofString start: Int, _ json: UnsafeBufferPointer<UInt8>) -> Int {
    var index = start + 1
    while index < json.count, json[index] != UInt8(ascii: "\"") {
      index += json[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, json.count)
  }

  private static func end(ofNumber start: Int, _ json: UnsafeBufferPointer<UInt8>) -> Int {
    var index = start
    while index < json.count, isOfNumber(json[index]) { index += 1 }
    return index
  }

  private static func isOfNumber(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func isLarge(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
    guard digits.count >= digitCount,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return false }
    return digits.count > digitCount || !digits.lexicographicallyPrecedes("9007199254740992".utf8)
  }
}
