/// The app's state and its panel's view by the rules alone. Actions append letters, so every order
/// leads to another state.
struct Model: Equatable {
  enum Place: Equatable {
    case beginning
    case step(Int)
    case outside(String)
  }

  struct Step: Equatable {
    let id: Int
    /// Nil if it cannot be run again.
    let letter: String?
    let recorded: String
    var base: Place
    var isSkipped = false
  }

  let isExact: Bool
  var committed = ""
  var checkpoint = ""
  var steps: [Step] = []
  var place = Place.beginning
  var text = ""
  var isTravelling = false
  var isPaused = false
  var isLocked = false
  private var lastID = 0

  init(isExact: Bool) { self.isExact = isExact }

  func state(_ place: Place) -> String {
    switch place {
    case .beginning: committed
    case .outside(let text): text
    case .step(let id): state(steps.first { $0.id == id }!)
    }
  }

  func state(_ step: Step) -> String {
    if !isExact { return step.recorded }
    if step.isSkipped { return state(step.base) }
    return step.letter.map { state(step.base) + $0 } ?? step.recorded
  }

  /// The panel's numbers.
  var index: Int? {
    guard isTravelling else { return nil }
    switch place {
    case .beginning: return 0
    case .step(let id): return steps.firstIndex { $0.id == id }! + 1
    case .outside: return nil
    }
  }

  mutating func act(_ letter: String) {
    guard !isLocked else { return }
    text += letter
    isTravelling = false
    if isPaused { place = .outside(text) } else { add(letter, text) }
  }

  mutating func add(_ letter: String?, _ state: String) {
    lastID += 1
    steps.append(Step(id: lastID, letter: letter, recorded: state, base: place))
    place = .step(lastID)
  }

  mutating func jump(_ number: Int) {
    guard (0...steps.count).contains(number) else { return }
    place = number == 0 ? .beginning : .step(steps[number - 1].id)
    (text, isTravelling) = (state(place), true)
  }

  mutating func toggle(_ number: Int) {
    guard (1...max(1, steps.count)).contains(number), !steps.isEmpty else { return }
    steps[number - 1].isSkipped.toggle()
    if !isExact {
      place = steps[..<number].last { !$0.isSkipped }.map { .step($0.id) } ?? .beginning
      isTravelling = true
    }
    text = state(place)
  }

  mutating func move(_ number: Int, before other: Int?) {
    let numbers = 1...max(1, steps.count)
    guard isExact, !steps.isEmpty, numbers.contains(number), other.map(numbers.contains) ?? true
    else { return }
    guard number != other else { return }
    let target = other.map { steps[$0 - 1].id }
    let step = steps.remove(at: number - 1)
    steps.insert(step, at: target.map { id in steps.firstIndex { $0.id == id }! } ?? steps.count)
    for index in steps.indices {
      steps[index].base = index == 0 ? .beginning : .step(steps[index - 1].id)
    }
    text = state(place)
  }

  mutating func sweep() {
    let before = (place, text)
    while let swept = steps.first(where: \.isSkipped) {
      for index in steps.indices where steps[index].base == .step(swept.id) {
        steps[index].base = swept.base
      }
      if place == .step(swept.id) { place = swept.base }
      steps.removeAll { $0.id == swept.id }
    }
    if !isExact, place != before.0 { place = .outside(before.1) }
  }

  mutating func begin(with state: String) {
    (steps, place, text, isTravelling) = ([], .beginning, state, false)
    (committed, checkpoint) = (state, state)
  }

  /// Imports letters and jumps to one of them. The app cannot run those that are nil.
  mutating func take(_ state: String, _ letters: [String?], at number: Int) {
    begin(with: state)
    for letter in letters {
      let before = steps.last?.recorded ?? committed
      add(letter, before + (letter ?? "?"))
    }
    (isPaused, isLocked) = (false, false)
    jump(number)
  }
}
