import Glibc
import SurfCipher
import SurfThreads

/// A gateway's token file: it keeps the token from run to run, and lets other programs read it.
package struct TokenFile: Sendable {
  private let path: String

  package init(path: String) { self.path = path }

  /// Reads the token.
  ///
  /// - Parameter isMade: whether to create a missing file, with a new token.
  package func token(isMade: Bool = true) throws(TokenFileError) -> AccessToken {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if file < 0, errno == ENOENT, isMade { return try make() }
    guard file >= 0 else { throw fault(.system(errno)) }
    defer { close(file) }
    try check(file)
    return try read(file)
  }

  private func fault(_ fault: TokenFileError.Fault) -> TokenFileError {
    TokenFileError(path: path, fault: fault)
  }

  private func check(_ file: Int32) throws(TokenFileError) {
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw fault(.system(errno)) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw fault(.noFile) }
    guard facts.st_mode & 0o077 == 0 else { throw fault(.othersMayUseIt(facts.st_mode & 0o777)) }
  }

  private func read(_ file: Int32) throws(TokenFileError) -> AccessToken {
    // Reads more than a token needs, to detect a file that is too long.
    guard let text = FileOctets.read(from: file, sizeMax: 256) else { throw fault(.system(errno)) }
    let words = text.split { [0x09, 0x0a, 0x0d, 0x20].contains($0) }
    guard words.count == 1,
      let token = AccessToken(parsing: String(decoding: words[0], as: UTF8.self))
    else { throw fault(.noToken) }
    return token
  }

  private func make() throws(TokenFileError) -> AccessToken {
    let token: AccessToken
    do throws(Randomness.Failure) {
      token = try .random()
    } catch {
      throw fault(.system(error.number))
    }
    // Private from the first moment. `O_EXCL` keeps a file that another gateway has just made.
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw fault(.system(errno)) }
    defer { close(file) }
    let bytes = Array("\(token.text)\n".utf8)
    guard FileOctets.write(bytes, to: file), fsync(file) == 0 else {
      let number = errno
      unlink(path)
      throw fault(.system(number))
    }
    return token
  }
}

/// Why a token file cannot be used.
package struct TokenFileError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Fault: Equatable, Sendable {
    /// An `errno`.
    case system(Int32)
    /// It is a folder, a FIFO or a device.
    case noFile
    /// Its mode, which lets other users in.
    case othersMayUseIt(UInt32)
    case noToken
  }

  package let path: String
  package let fault: Fault

  package var description: String {
    switch fault {
    case .system(let number): "the token file '\(path)': \(String(cString: strerror(number)))"
    case .noFile: "the token file '\(path)' is not a regular file"
    case .othersMayUseIt(let mode):
      "other users may use the token file '\(path)': its mode is \(String(mode, radix: 8))"
    case .noToken: "the token file '\(path)' does not hold 32 hexadecimal digits"
    }
  }

  /// How to fix it.
  package var fix: String {
    switch fault {
    case .system: "--token-file with a path that you may write makes one"
    case .noFile: "the path of a file"
    case .othersMayUseIt: "chmod 600 \(path)"
    case .noToken: "rm \(path); --token-file makes a new one"
    }
  }
}
