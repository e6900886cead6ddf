/// What travels over the gateway's streams, with the lengths and numbers that no program sends.
extension Numbers {
  private static let lengths: [UInt64] = [
    0, 1, 2, 124, 125, 126, 127, 128, 65_535, 65_536, 65_537, (1 << 31) - 1, 1 << 31, 1 << 32,
    (1 << 63) - 1, 1 << 63, .max - 1, .max,
  ]
  private static let literals = [
    "0", "-0", "-1", "1", "7", "1.5", "1e3", "1e400", "-1e400", "9007199254740993", "2147483648",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
    "123456789012345678901234567890", "null", "\"1\"", "[]",
  ]

  mutating func length() -> UInt64 { one(of: Self.lengths) }

  /// A number in JSON, or something else in its place.
  mutating func literal() -> String {
    isChance(oneIn: 3) ? "\(number())" : one(of: Self.literals)
  }

  /// Changes some octets, leaves some out, or puts some in.
  mutating func mutate(_ bytes: inout [UInt8]) {
    for _ in 0...below(3) {
      let index = below(bytes.count + 1)
      let octet = UInt8(truncatingIfNeeded: number() ^ random.next())
      switch below(4) {
      case 0: bytes.insert(octet, at: index)
      case 1 where index < bytes.count: bytes[index] = octet
      case 2 where index < bytes.count: bytes[index] ^= 1 << UInt8(below(8))
      default: bytes.removeSubrange(index...)
      }
    }
  }

  // MARK: HTTP

  /// - Parameter status: the first line of an answer, in place of that of a request.
  mutating func request(isEngine: Bool, sid: String, status: String? = nil) -> [UInt8] {
    let isUpgrade = !isChance(oneIn: 3)
    let transport = isEngine && isUpgrade ? "websocket" : "polling"
    let session = isChance(oneIn: 2) ? "" : "&sid=\(sid)"
    let path =
      isEngine ? "/socket.io/?EIO=4&transport=\(transport)\(session)" : "/socketcluster/"
    let method = isUpgrade ? "GET" : one(of: ["GET", "POST", "POST", "HEAD", "PUT"])
    var lines = [status ?? "\(method) \(path) HTTP/1.1", "Host: localhost:9"]
    if isUpgrade {
      lines += [
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      ]
    }
    let body = isUpgrade ? [] : self.body(&lines)
    if isChance(oneIn: 12) { return endless(lines) }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }

  /// A head that never ends: one long line, or more and more lines.
  private mutating func endless(_ lines: [String]) -> [UInt8] {
    let more =
      isChance(oneIn: 2)
      ? "X: " + String(repeating: "x", count: below(20_000))
      : String(repeating: "X: y\r\n", count: below(300))
    return Array((lines + [more]).joined(separator: "\r\n").utf8)
  }

  private mutating func body(_ lines: inout [String]) -> [UInt8] {
    let packets = (0...below(3)).map { _ in packet() }.joined(separator: "\u{1e}")
    let bytes = Array(packets.utf8)
    switch below(4) {
    case 0:
      lines.append("Content-Length: \(isChance(oneIn: 2) ? "\(length())" : literal())")
      return bytes
    case 1:
      lines.append("Transfer-Encoding: chunked")
      return chunks(bytes)
    default:
      lines.append("Content-Length: \(bytes.count)")
      return bytes
    }
  }

  private mutating func chunks(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for _ in 0..<below(4) {
      let claimed = isChance(oneIn: 2) ? UInt64(bytes.count) : length()
      let zeros = String(repeating: "0", count: one(of: [0, 0, 1, 40]))
      let tail = one(of: ["", "", ";a=b", ";" + String(repeating: "x", count: 300)])
      result += Array("\(zeros)\(String(claimed, radix: 16))\(tail)\r\n".utf8) + bytes
      result += Array(one(of: ["\r\n", "\r\n", "\n", ""]).utf8)
    }
    return result + Array(one(of: ["0\r\n\r\n", "0\r\nX: y\r\n\r\n", "0\r\n", ""]).utf8)
  }

  // MARK: Frames

  /// A frame of a WebSocket, most often one that says how long it is.
  mutating func frame(_ text: String, isMasked: Bool) -> [UInt8] {
    let isControl = isChance(oneIn: 6)
    var payload = isControl ? control() : Array(text.utf8)
    let opcodes: [UInt8] = isControl ? [8, 9, 9, 10, 10] : [0, 1, 1, 1, 1, 1, 2, 3, 11]
    // Fragments, so that control frames come between them.
    let final: UInt8 = isChance(oneIn: 5) ? 0 : 0x80
    let reserved: UInt8 = isChance(oneIn: 40) ? 0x40 : 0
    let claimed = isChance(oneIn: 12) ? length() : UInt64(payload.count)
    var bytes = [one(of: opcodes) | final | reserved]
    let mask: UInt8 = isMasked != isChance(oneIn: 60) ? 0x80 : 0
    bytes += size(claimed).enumerated().map { $0.offset == 0 ? $0.element | mask : $0.element }
    guard mask > 0 else { return bytes + payload }
    let key = withUnsafeBytes(of: random.next()) { Array($0.prefix(4)) }
    for index in payload.indices { payload[index] ^= key[index % 4] }
    return bytes + key + payload
  }

  /// In the shortest form, or in one that is too long.
  private mutating func size(_ count: UInt64) -> [UInt8] {
    let form = isChance(oneIn: 20) ? below(3) : count < 126 ? 0 : count < 65_536 ? 1 : 2
    let octets = withUnsafeBytes(of: count.bigEndian) { Array($0) }
    switch form {
    case 0: return [UInt8(min(count, 127))]
    case 1: return [126] + octets.suffix(2)
    default: return [127] + octets
    }
  }

  private mutating func control() -> [UInt8] {
    let code = UInt16(truncatingIfNeeded: one(of: [1_000, 1_005, 1_015, 2_999, 3_000, number()]))
    let closing = [UInt8(code >> 8), UInt8(code & 0xff)]
    return one(of: [[], closing, closing + [0x62, 0xff], [UInt8](repeating: 0x61, count: 125)])
  }

  // MARK: What frames say

  /// To the gateway, as a panel or as a client of Socket.IO.
  mutating func wish(isEngine: Bool) -> String {
    if isChance(oneIn: 20) { return String(repeating: one(of: ["[", "{\"a\":"]), count: 600) }
    if isChance(oneIn: 30) { return String(repeating: "x", count: 60_000) }
    return isEngine ? packet() : call()
  }

  /// From a relay that the gateway dialled.
  mutating func word(isEngine: Bool) -> String {
    guard isChance(oneIn: 2) else { return wish(isEngine: isEngine) }
    if isEngine {
      let open =
        "0{\"sid\":\"s\",\"upgrades\":[],\"pingInterval\":\(literal()),"
        + "\"pingTimeout\":\(literal()),\"maxPayload\":\(literal())}"
      return one(of: [open, "40{\"sid\":\"s\"}", "2", "41", "44{\"message\":\"no\"}"])
    }
    let status = "{\"id\":\"s\",\"pingTimeout\":\(literal()),\"isAuthenticated\":false}"
    return one(of: [
      "{\"rid\":\(isChance(oneIn: 2) ? "1" : literal()),\"data\":\(status)}",
      "{\"rid\":\(literal()),\"error\":{\"name\":\"x\",\"code\":\(literal())}}", "#1", "",
      "{\"rid\":2,\"data\":\"respond\"}", "{\"rid\":3}",
    ])
  }

  /// Of SocketCluster.
  private mutating func call() -> String {
    let cid = isChance(oneIn: 2) ? "" : ",\"cid\":\(literal())"
    let calls: [(String, String)] = [
      ("#handshake", "{}"), ("login", "\"\(one(of: ["master", "x"]))\""),
      ("#subscribe", "{\"channel\":\"\(one(of: ["log", "respond", "x"]))\"}"),
      ("#unsubscribe", "\"log\""), ("#publish", "{\"channel\":\"log\",\"data\":\(literal())}"),
      ("log", "{\"type\":\"ACTION\",\"payload\":\(literal())}"), ("log-noid", literal()),
      ("sc-surf-11", command()), ("sc-surf-11", command()), ("respond", command()),
    ]
    let (event, data) = one(of: calls)
    let text = "{\"event\":\"\(event)\",\"data\":\(data)\(cid)}"
    let batch = "[\(text),\(text)]"
    return one(of: [text, text, text, text, batch, "#1", "#2", "", "{\"rid\":\(literal())}"])
  }

  /// Of Engine.IO, with one of Socket.IO in it as a rule.
  private mutating func packet() -> String {
    let placeholder = "{\"_placeholder\":true,\"num\":\(literal())}"
    let packets: [String] = [
      "40", "40/x,{\"a\":\(literal())}", "41", "42[\"dispatch\",\(command())]",
      "42\(number())[\"log\",\(literal())]", "43\(literal())[]", "44{\"message\":\(literal())}",
      "45\(literal())-[\"dispatch\",\(placeholder)]", "451-[\"log\",\(placeholder)]",
      "46\(number())-\(literal())[\(placeholder)]", "4\(literal())", "bAQIDBA==", "b\(literal())",
      "0{\"sid\":\(literal())}", "1", "2", "2probe", "3", "3probe", "5", "6", "7", "",
    ]
    return one(of: packets)
  }

  /// A panel's command to an app.
  private mutating func command() -> String {
    let types = [
      "JUMP_TO_STATE", "JUMP_TO_ACTION", "TOGGLE_ACTION", "REORDER_ACTION", "SWEEP", "COMMIT",
      "ROLLBACK", "RESET", "LOCK_CHANGES", "PAUSE_RECORDING", "IMPORT_STATE", "SET_ACTIONS_ACTIVE",
    ]
    let action =
      "{\"type\":\"\(one(of: types))\",\"actionId\":\(literal()),\"index\":\(literal()),"
      + "\"id\":\(literal()),\"beforeActionId\":\(literal()),\"status\":\(literal()),"
      + "\"start\":\(literal()),\"end\":\(literal()),\"timestamp\":\(literal()),"
      + "\"nextLiftedState\":{\"computedStates\":[{\"state\":\(literal())}],"
      + "\"currentStateIndex\":\(literal()),\"nextActionId\":\(literal()),"
      + "\"stagedActionIds\":[0,\(literal())],\"actionsById\":{\"0\":{},\(key()):{}}}}"
    let type = one(of: ["DISPATCH", "DISPATCH", "START", "ACTION", "IMPORT", "EXPORT", "UPDATE"])
    return "{\"type\":\"\(type)\",\"action\":\(action),\"state\":\(literal()),\"id\":\"surf-11\"}"
  }

  private mutating func key() -> String { "\"\(number())\"" }
}
