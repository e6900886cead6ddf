import RoutedShape
import StateSurf

struct SurfMiddleware<Context: RequestContext>: RouterMiddleware {
  let transceiver: Transceiver

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    try await transceiver.withRequest(
      method: request.method.rawValue, url: request.uri.path
    ) { record in
      do {
        let response = try await next(request, context)
        record.finished(status: response.status.code)
        return response
      } catch let error as any HTTPResponseError {
        record.finished(status: error.status.code)
        throw error
      }
    }
  }
}

let transceiver = Transceiver(name: "Hello")
transceiver.resume()
let router = Router()
router.add(middleware: SurfMiddleware(transceiver: transceiver))
router.get("/hello") { _, _ in
  transceiver.log("said hello")
  return "hello"
}
try await Application(router: router).runService()
