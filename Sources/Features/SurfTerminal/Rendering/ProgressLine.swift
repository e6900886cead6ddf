import SurfNetwork
import SurfViewer

/// How much has come; nil for what a person would not wait for.
func progressLine(received counters: NetworkCounters) -> Line? {
  guard counters.bytesReceived > 1_000_000 else { return nil }
  return Line("received \(byteText(counters.bytesReceived)) …", .dim)
}

/// How far an upload is; nil for one that is done before a person could read it.
package func progressLine(_ upload: UploadProgress) -> Line? {
  if let share = upload.share { return Line("the app is at work … \(share.percent) %", .dim) }
  guard upload.total > 1_000_000 else { return nil }
  let size = byteText(upload.total)
  guard upload.received < upload.total else {
    return Line("sent \(size), waiting for the app …", .dim)
  }
  return Line("sending \(size) … \(upload.received * 100 / upload.total) %", .dim)
}
