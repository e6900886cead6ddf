// An app that does nothing but log: `LogProbe NAME`. Each line that it reads is `LEVEL MESSAGE`, or
// one of the words below for arguments of a logger that are not texts.
import StateSurf

struct Disk: Encodable {
  let path: String
  let free: Double
}

struct Unplugged: Error {}

let transceiver = Transceiver(name: CommandLine.arguments.dropFirst().first ?? "LogProbe")
transceiver.resume()
while let line = readLine() {
  let words = line.split(separator: " ", maxSplits: 1).map(String.init)
  switch words.first {
  case "disk": transceiver.log("low disk", level: .warning, attributes: Disk(path: "/", free: 12))
  case "nan": transceiver.log("odd disk", attributes: Disk(path: "/", free: .nan))
  case "large":
    let text = String(repeating: "x", count: 1 << 20)
    transceiver.log("large", attributes: ["text": text + "end"])
  case "harmful":
    let text = "\u{1B}[2J\u{7}\r\n\u{9B}31m\u{202E}"
    transceiver.log("harmful \(text)", level: .other(text), attributes: [text: text])
  case "request":
    transceiver.request(method: "GET", url: "http://a.example/").finished(
      status: 200, receivedSize: 512)
    transceiver.request(method: "GET", url: "http://b.example/").failed(Unplugged())
    _ = transceiver.request(method: "GET", url: "http://c.example/")
  case "update": transceiver.inspect("value", 1)
  case let level? where words.count == 2:
    transceiver.log(words[1], level: .init(named: level))
  default: transceiver.mark(line)
  }
}
transceiver.suspend()
