import JSONTools
import JSONTree
import SurfControl

extension ActionDecoder {
  /// The JSON that `text` means, which may be a JavaScript value, or a case's name without quotes.
  package static func parse(_ text: String) throws(RefusedCommand) -> JSON {
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(text)
    } catch {
      let isName = text.utf8.allSatisfy { $0 == 0x5F || UnicodeScalar($0).properties.isAlphabetic }
      if isName, !text.isEmpty { return .string(text) }
      throw RefusedCommand("no action can be made of this: \(error)")
    }
  }
}
