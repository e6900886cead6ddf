package import Foundation

/// The folder of this repository, whose documents some tests hold the code against.
package let repositoryRoot = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()
