import Glibc

/// Owns a file descriptor, and closes it when it goes: also when a set-up fails half way.
package struct Descriptor: ~Copyable, Sendable {
  package let raw: Int32

  /// Takes over a descriptor. A negative number is a negated errno, of which `failure` makes an
  /// error.
  package init<Failure>(
    owning raw: Int32, orThrow failure: (_ errno: Int32) -> Failure
  ) throws(Failure) {
    guard raw >= 0 else { throw failure(-raw) }
    self.raw = raw
  }

  deinit { close(raw) }
}
