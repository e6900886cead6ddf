import SurfQuery
import SurfTimeline
import SurfViewer

extension Debugger {
  /// Finds the rows that wrote the place under the cursor, which stays where it is.
  mutating func findWriters(in catalog: Catalog) {
    guard let app, let timeline = catalog[app]?.timeline,
      let path = views[app]?.detail.place(in: tab)
    else { return }
    let query = Query.test(QueryTest(QueryPlace(path), .changed(from: nil, to: nil)))
    do throws(QueryError) {
      views[app]?.find = try RowSearch(
        "\(query)", in: timeline, secondsFromGMT: setting.secondsFromGMT)
      queries.add("\(query)")
    } catch {
      tell("no query finds this place: \(error)", .failed)
    }
  }
}
