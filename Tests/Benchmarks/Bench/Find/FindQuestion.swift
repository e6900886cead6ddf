/// A query, and a program of `jq` that asks the same of the same history in lines of JSON.
struct FindQuestion {
  let query: String
  let program: String
  /// Whether the program reads its lines itself, to compare each with the one before.
  var comparesLines = false

  /// About words in a single row: near the oldest, near the newest, or in the middle.
  static let planted = PlantedNote.allCases.map { note in
    FindQuestion(
      query: "note is \(note)", program: #"select(.state.note == "\#(note)")"#)
  }

  /// Of each kind, of places that are touched rarely and at every row.
  static let all =
    planted + [
      FindQuestion(
        query: #"user.name is "user 3""#, program: #"select(.state.user.name == "user 3")"#),
      FindQuestion(query: "count over 99990", program: "select(.state.count > 99990)"),
      FindQuestion(query: "checkout", program: #"select(.name | contains("checkout"))"#),
      comparing("user.name changed", ".state.user.name"),
      FindQuestion(
        query: "state.items.@sum.price over 1410",
        program: "select([.state.items[].price] | add > 1410)"),
      FindQuestion(
        query: "items[id:7].price over 38",
        program: "select(any(.state.items[] | select(.id == 7); .price > 38))"),
      FindQuestion(
        query: "items.*.price over 1000", program: "select(any(.state.items[]; .price > 1000))"),
      FindQuestion(
        query: #"..title is "eggs""#,
        program: #"select(any(.state | .. | objects | .title; . == "eggs"))"#),
      FindQuestion(
        query: "log.@count under 5", program: "select(.state.log | length < 5)"),
      comparing("items.*.price changed", "[.state.items[].price]"),
      FindQuestion(
        query: "state.sensors.@sum.value over 900",
        program: "select([.state.sensors[].value] | add > 900)"),
      FindQuestion(
        query: "sensors[id:3].value over 79",
        program: "select(any(.state.sensors[] | select(.id == 3); .value > 79))"),
      FindQuestion(
        query: "..value over 79 and ..value under 21",
        program: "select([.state | .. | objects | .value | numbers] | max > 79 and min < 21)"),
      comparing("sensors[3].value changed", ".state.sensors[3].value"),
      comparing("sensors.*.value changed", "[.state.sensors[].value]"),
    ]

  private static func comparing(_ query: String, _ place: String) -> FindQuestion {
    FindQuestion(
      query: query,
      program: """
        foreach inputs as $line ({}; {old: .new, new: ($line | \(place)), row: $line.row};
          select(.row > 1 and .old != .new))
        """, comparesLines: true)
  }
}
