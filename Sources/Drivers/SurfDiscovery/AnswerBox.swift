import CDNSSD

/// Collects the answers of the library's callbacks for `SystemDNSService`. Callbacks run only
/// within `open` and `process`, on the backend's one thread.
final class AnswerBox {
  private var answers: [ServiceAnswer] = []

  /// The context of the callbacks. The backend retains the box as long as the operation.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The answers since the last call.
  func take() -> [ServiceAnswer] {
    defer { answers = [] }
    return answers
  }

  fileprivate static func append(
    _ context: UnsafeMutableRawPointer?, _ code: DNSServiceErrorType, _ answer: ServiceAnswer?
  ) {
    guard let context else { return }
    let box = Unmanaged<AnswerBox>.fromOpaque(context).takeUnretainedValue()
    if code != kDNSServiceErr_NoError {
      box.answers.append(.failed(.code(code)))
    } else if let answer {
      box.answers.append(answer)
    }
  }
}

func registerReply(
  _: DNSServiceRef?, _: DNSServiceFlags, code: DNSServiceErrorType,
  name: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
  context: UnsafeMutableRawPointer?
) {
  AnswerBox.append(context, code, name.map { .registered(name: String(cString: $0)) })
}

func browseReply(
  _: DNSServiceRef?, flags: DNSServiceFlags, interface: UInt32, code: DNSServiceErrorType,
  name: UnsafePointer<CChar>?, type: UnsafePointer<CChar>?, domain: UnsafePointer<CChar>?,
  context: UnsafeMutableRawPointer?
) {
  guard let name, let type, let domain else { return AnswerBox.append(context, code, nil) }
  let service = Service(
    name: String(cString: name), type: String(cString: type), domain: String(cString: domain),
    interface: interface)
  let isThere = flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
  AnswerBox.append(context, code, isThere ? .found(service) : .removed(service))
}

func queryReply(
  _: DNSServiceRef?, flags: DNSServiceFlags, _: UInt32, code: DNSServiceErrorType,
  _: UnsafePointer<CChar>?, _: UInt16, _: UInt16, byteCount: UInt16,
  bytes: UnsafeRawPointer?, _: UInt32, context: UnsafeMutableRawPointer?
) {
  let isThere = flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
  let record = Array(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(byteCount)))
  AnswerBox.append(context, code, isThere ? .record(record) : nil)
}

func resolveReply(
  _: DNSServiceRef?, _: DNSServiceFlags, _: UInt32, code: DNSServiceErrorType,
  _: UnsafePointer<CChar>?, hostTarget: UnsafePointer<CChar>?, port: UInt16,
  recordByteCount: UInt16, record: UnsafePointer<UInt8>?, context: UnsafeMutableRawPointer?
) {
  guard let hostTarget else { return AnswerBox.append(context, code, nil) }
  let bytes = Array(UnsafeBufferPointer(start: record, count: Int(recordByteCount)))
  AnswerBox.append(
    context, code,
    .resolved(
      hostTarget: String(cString: hostTarget), port: UInt16(bigEndian: port), record: bytes))
}
