/// Counts the rows that a picture looks at: a test holds it to those that it shows.
package final class LookCount {
  package private(set) var value = 0

  package init() {}

  package func add() { value += 1 }
}
