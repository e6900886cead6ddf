import Foundation
import MirrorJSON
import TestSupport
import Testing

@Suite struct ValueTests {
  @Test(
    "primitives",
    arguments: [
      Golden("nil", nil, "null"),
      Golden("nil inside", Int??.some(nil) as Any, "null"),
      Golden("Bool", true, "true"),
      Golden("Int", -1, "-1"),
      Golden("UInt64", UInt64.max, "18446744073709551615"),
      Golden("Int64", Int64.min, "-9223372036854775808"),
      Golden("whole Double", 1.0, "1"),
      Golden("Double", 0.1, "0.1"),
      Golden("big Double", 1e300, "1e+300"),
      Golden("Float", Float(0.1), "0.1"),
      Golden("CGFloat", CGFloat(0.5), "0.5"),
      Golden("not finite", [.nan, .infinity, -.infinity] as [Double], #"["nan","inf","-inf"]"#),
      Golden(
        "String", "a\"\\/\n\u{0}\u{1f}\u{7f}\u{85}é🏄", #""a\"\\/\n\u0000\u001f\u007f\u0085é🏄""#),
      Golden("Character", Character("é"), #""é""#),
      Golden("Substring", "abc".dropFirst(), #""bc""#),
      Golden("Data", Data([0xff, 0xfe, 0xfd, 0xfb]), #""//79+w==""#),
      Golden("URL", URL(string: "https://a.example/b?c=d"), #""https://a.example/b?c=d""#),
      Golden(
        "UUID", UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"),
        #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#),
      Golden("Decimal", Decimal(string: "12345678901234567890.5"), "12345678901234567890.5"),
      Golden("Decimal not-a-number", Decimal.nan, #""nan""#),
      Golden("type", [Int].self, #""Array<Int>""#),
      Golden("function", { (number: Int) in number }, #""(Function)""#),
      Golden("key path", \String.count, #""KeyPath<String, Int>""#),
    ])
  func r37Primitives(_ golden: Golden) throws { try golden.check() }

  @Test(
    "dates",
    arguments: [
      Golden("epoch", Date(timeIntervalSince1970: 0), #""1970-01-01T00:00:00.000Z""#),
      Golden(
        "leap day", Date(timeIntervalSince1970: 951_782_400.123), #""2000-02-29T00:00:00.123Z""#),
      Golden("before", Date(timeIntervalSince1970: -0.001), #""1969-12-31T23:59:59.999Z""#),
      Golden(
        "far", Date(timeIntervalSince1970: 253_402_300_800), #""+010000-01-01T00:00:00.000Z""#),
      Golden("out of range", Date(timeIntervalSince1970: 1e300), #""1e+300""#),
      Golden("not-a-number", Date(timeIntervalSince1970: .nan), #""nan""#),
    ])
  func r37Dates(_ golden: Golden) throws { try golden.check() }

  @Test("dates are those of Foundation")
  func r37DatesAgree() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<500 {
      let seconds = Int.random(in: -5_000_000_000...50_000_000_000, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      #expect(MirrorJSON.encode(date) == "\"\(date.formatted(style))\"")
    }
  }

  @Test(
    "collections, sets and dictionaries sorted",
    arguments: [
      Golden("array", [1, nil, 3], "[1,null,3]"),
      Golden("empty", [Int](), "[]"),
      Golden("slice", [1, 2, 3][1...], "[2,3]"),
      Golden("set", Set(["b", "a", "a!", "a b"]), #"["a","a b","a!","b"]"#),
      Golden("set of numbers by text", Set([10, 9, 1]), "[1,10,9]"),
      Golden("dictionary", ["b": 1, "a": 2, "a ": 3], #"{"a":2,"a ":3,"b":1}"#),
      Golden("keys that are numbers", [2: "b", 1: "a"], #"{"1":"a","2":"b"}"#),
      Golden("keys that are cases", [Key.b: 1, .a(x: 2): 2], #"{"b":1,"{\"a\":{\"x\":2}}":2}"#),
      Golden("mixed keys", [AnyHashable(1): 1, AnyHashable("b"): 2], #"{"1":1,"b":2}"#),
      Golden("nested", ["a": [Set([2, 1])]], #"{"a":[[1,2]]}"#),
      Golden(
        "any", ["a": 1, "b": "c", "d": [true]] as [String: Any], #"{"a":1,"b":"c","d":[true]}"#),
    ])
  func r37Collections(_ golden: Golden) throws { try golden.check() }

  @Test(
    "structs, classes and tuples in the order of declaration",
    arguments: [
      Golden("struct", Point(), #"{"y":1,"x":2}"#),
      Golden("empty struct", Empty(), "{}"),
      Golden("class, superclass first", Derived(), #"{"z":1,"a":2}"#),
      Golden("tuple", (1, "a"), #"[1,"a"]"#),
      Golden("tuple with labels", (b: 1, a: 2), #"{"b":1,"a":2}"#),
      Golden("mixed tuple", (1, a: 2), #"{"_0":1,"a":2}"#),
      Golden("nothing", (), "null"),
      Golden("wrapped and lazy", Decorated(), #"{"count":{"wrappedValue":1},"sum":null}"#),
      Golden("an underscore of its own", Underscored(), #"{"_a":1,"a":2,"_1":3}"#),
    ])
  func r37Members(_ golden: Golden) throws { try golden.check() }
}

private enum Key: Hashable {
  case a(x: Int)
  case b
}
private struct Empty {}
private class Base { var z = 1 }
private final class Derived: Base { var a = 2 }

@propertyWrapper private struct Wrapper { var wrappedValue: Int }

private struct Decorated {
  @Wrapper var count = 1
  lazy var sum = 1
}

private struct Underscored { var _a = 1, a = 2, _1 = 3 }
