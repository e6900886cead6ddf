/// Primes, by trial division: quick enough for numbers that a person counts up to.
enum Primes {
  /// Half a million divisions, a few milliseconds.
  static let countMax = 1_000_000_000_000
  /// The ten-thousandth prime, 104,729, is found in the blink of an eye.
  static let indexMax = 10_000

  /// Whether `number` is a prime; false beyond `countMax`.
  static func contain(_ number: Int) -> Bool {
    guard number > 3, number <= countMax else { return number == 2 || number == 3 }
    guard !number.isMultiple(of: 2), !number.isMultiple(of: 3) else { return false }
    // All other primes differ by one from a multiple of six.
    var divisor = 5
    while divisor * divisor <= number {
      if number.isMultiple(of: divisor) || number.isMultiple(of: divisor + 2) { return false }
      divisor += 6
    }
    return true
  }

  /// The prime number `index`, from 1: 2, 3, 5 …
  static func prime(at index: Int) -> Int {
    var candidate = 1
    for _ in 0..<index {
      repeat { candidate += 1 } while !contain(candidate)
    }
    return candidate
  }
}
