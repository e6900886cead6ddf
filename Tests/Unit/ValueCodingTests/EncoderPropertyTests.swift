import Foundation
import Redaction
import SurfValues
import TestSupport
import Testing
import ValueCoding

/// Values of random shapes, as `JSONEncoder` writes them. With STATESURF_LONG=1 a million of them.
@Suite struct EncoderPropertyTests {
  private static let count: UInt64 =
    ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 1_000_000 : 2_000

  private let coder = ValueCoder(.foundation)

  private enum Outcome: Equatable {
    case text(String)
    case invalid([String])
    case refused([String])
  }

  private func outcome(_ body: () throws -> Data) -> Outcome? {
    do { return .text(String(decoding: try body(), as: UTF8.self)) } catch {
      switch error {
      case EncodingError.invalidValue(_, let context):
        return .invalid(context.codingPath.map(\.stringValue))
      case let refusal as Shape.Refusal: return .refused(refusal.path)
      default: return nil
      }
    }
  }

  /// Whether these are the same, or the path of an error names more.
  private func agrees(_ ours: Outcome?, _ theirs: Outcome?, isPlain: Bool) -> Bool {
    switch (ours, theirs) {
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.invalid(let one), .invalid(let other)), (.refused(let one), .refused(let other)):
      one == other || !isPlain && Self.contains(one, other)
    default: false
    }
  }

  private static func contains(_ path: [String], _ part: [String]) -> Bool {
    var rest = part[...]
    for key in path where key == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  @Test func `values of every shape are written as JSONEncoder writes them`() {
    let foundation = JSONEncoder()
    foundation.outputFormatting = .sortedKeys
    let plain = JSONEncoder()
    plain.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    plain.userInfo = RedactionMark.userInfo
    let marking = ValueCoder(.foundation, escapesSlashes: false, redacting: RedactedPaths.none)
    let coders = [ValueCoder(.foundation), marking]
    var kinds = [0, 0, 0]
    for seed in 1...Self.count {
      var maker = ShapeMaker(seed: seed)
      let shape = maker.shape()
      for (coder, encoder) in zip(coders, [foundation, plain]) {
        let ours = outcome { try coder.encode(shape) }
        let theirs = outcome { try encoder.encode(shape) }
        #expect(agrees(ours, theirs, isPlain: maker.isPlain), "seed \(seed)")
        switch ours {
        case .text: kinds[0] += 1
        case .invalid: kinds[1] += 1
        default: kinds[2] += 1
        }
      }
    }
    // Of each there are enough for the property to mean something.
    #expect(kinds.allSatisfy { $0 > 20 }, "\(kinds)")
  }

  @Test func `numbers of every size are written as JSONEncoder writes them`() throws {
    var random = SeededGenerator(seed: 1)
    let foundation = JSONEncoder()
    for exponent in -30...30 {
      var numbers: [Double] = []
      for digits in 0...16 {
        let bound = pow(10, Double(digits))
        let whole = Double.random(in: -bound...bound, using: &random).rounded()
        numbers += [whole, 1, -10, 123].map { $0 * pow(10, Double(exponent)) }
        numbers += [whole, 1, -10, 123].map { $0 / pow(10, Double(-exponent)) }
      }
      let floats = numbers.map { Float($0) }.filter(\.isFinite)
      let (ours, theirs) = (try coder.encode(numbers), try foundation.encode(numbers))
      #expect(ours == theirs)
      let (short, shorter) = (try coder.encode(floats), try foundation.encode(floats))
      #expect(short == shorter)
    }
  }

  @Test func `texts of every length are written as JSONEncoder writes them`() throws {
    let foundation = JSONEncoder()
    foundation.outputFormatting = .sortedKeys
    for length in 0...40 {
      let text = Array(repeating: Character("x"), count: length)
      var texts = [String(text)]
      for place in text.indices {
        for character in "\0\u{1f} \"\\/\u{7f}é\n" {
          var other = text
          other[place] = character
          texts.append(String(other))
        }
      }
      let (ours, theirs) = (try coder.encode(texts), try foundation.encode(texts))
      #expect(ours == theirs, "texts of \(length) characters")
      for (one, other) in zip(texts, texts.dropFirst()) {
        let keys = [one: 1, other: 2, one + "\0": 3, other + "x": 4]
        let (ours, theirs) = (try coder.encode(keys), try foundation.encode(keys))
        #expect(ours == theirs, "keys such as \(one.debugDescription)")
      }
    }
  }
}
