import Glibc
package import SurfSeal

/// Why a file's keys cannot be read or written. Nothing is sent then, because it would be unsealed.
package struct KeyFileError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Fault: Equatable, Sendable {
    /// With the system's error number.
    case unreadable(Int32)
    case unwritable(Int32)
    case folder
    /// A FIFO or a device.
    case noFile
    case contents(KeyRingError)
    /// The file that a new key would have replaced.
    case exists
  }

  package let path: String
  package let fault: Fault

  package var description: String {
    switch fault {
    case .unreadable(let number): "the key file \(path): \(String(cString: strerror(number)))"
    case .unwritable(let number):
      "the key file \(path) cannot be written: \(String(cString: strerror(number)))"
    case .folder: "the key file \(path) is a folder"
    case .noFile: "the key file \(path) is not a regular file"
    case .contents(let error): "the key file \(path): \(error)"
    case .exists: "a key file already exists: \(path)"
    }
  }

  package var fix: String {
    switch fault {
    case .unreadable(ENOENT):
      "create one with statesurf key new, or set \(KeyFile.variable)=none to seal nothing"
    case .unreadable: "let the user of this process read it"
    case .unwritable: "name a file elsewhere in \(KeyFile.variable)"
    case .folder: "name the file in it: \(KeyFile.variable)=\(path)/key"
    case .noFile: "name a file in \(KeyFile.variable)"
    case .contents(let error): error.fix
    case .exists: "statesurf key list; or, to change keys, statesurf key new - and put it there"
    }
  }
}
