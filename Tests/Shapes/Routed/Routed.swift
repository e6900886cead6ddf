// The shape of Hummingbird 2, as far as an example of ours uses it; its application is a client,
// too, which asks for each route once, and for one that is not there.

public struct Request: Sendable {
  public struct Method: Sendable { public let rawValue: String }
  public struct Path: Sendable { public let path: String }

  public let method: Method
  public let uri: Path
}

public struct Response: Sendable {
  public struct Status: Sendable { public let code: Int }

  public var status = Status(code: 200)
  public var body: String
}

public protocol HTTPResponseError: Error { var status: Response.Status { get } }

private struct NotFound: HTTPResponseError { let status = Response.Status(code: 404) }

public protocol RequestContext: Sendable {}
public struct BasicRequestContext: RequestContext {}

public protocol RouterMiddleware<Context>: Sendable {
  associatedtype Context: RequestContext
  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response
}

public final class Router<Context: RequestContext> {
  public typealias Handler = @Sendable (Request, Context) async throws -> String
  fileprivate var middlewares: [any RouterMiddleware<Context>] = []
  fileprivate var routes: [(path: String, handler: Handler)] = []

  public init() where Context == BasicRequestContext {}

  public func add(middleware: any RouterMiddleware<Context>) { middlewares.append(middleware) }
  public func get(_ path: String, use handler: @escaping Handler) {
    routes.append((path, handler))
  }
}

public struct Application {
  private let router: Router<BasicRequestContext>

  public init(router: Router<BasicRequestContext>) { self.router = router }

  public func runService() async throws {
    let missing: Router<BasicRequestContext>.Handler = { _, _ in throw NotFound() }
    for (path, handler) in router.routes + [("/nowhere", missing)] {
      let request = Request(method: .init(rawValue: "GET"), uri: .init(path: path))
      do {
        _ = try await answer(request, through: router.middlewares[...], handler)
      } catch is NotFound {
        continue
      }
    }
  }

  private func answer(
    _ request: Request, through rest: ArraySlice<any RouterMiddleware<BasicRequestContext>>,
    _ handler: @escaping Router<BasicRequestContext>.Handler
  ) async throws -> Response {
    let context = BasicRequestContext()
    guard let first = rest.first else {
      return Response(body: try await handler(request, context))
    }
    return try await first.handle(request, context: context) { request, _ in
      try await answer(request, through: rest.dropFirst(), handler)
    }
  }
}
