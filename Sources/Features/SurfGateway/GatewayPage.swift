import SurfHTTP
import WebSocket

/// The page for a person who opens the gateway's address in a browser. There is nothing of any app
/// in it. The token comes in the URL's fragment, which a browser sends to nobody (RFC 3986 §3.5).
enum GatewayPage {
  static func isWanted(by request: HTTPRequest) -> Bool {
    request.path == "/" && ["GET", "HEAD"].contains(request.method)
      && !WebSocketHandshake.isRequested(by: request)
  }

  static var response: HTTPResponse {
    HTTPResponse(
      status: 200, headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(text.utf8))
  }

  /// A panel makes its URL of the host, a colon, the port and a path, so that a token must stand in
  /// what it takes for the host.
  private static let text = """
    <!doctype html>
    <meta charset="utf-8">
    <title>StateSurf gateway</title>
    <h1>StateSurf gateway</h1>
    <p>Redux DevTools: Settings, Connection, "use local (custom) server", then Connect.</p>
    <p>Host: <code id="host">this one</code><br>Port: <code id="port">this one</code></p>
    <p>Socket.IO v4: <code id="url">this address</code>; it sends 'log' and takes 'dispatch'.</p>
    <script>
      const token = new URLSearchParams(location.hash.slice(1)).get("token");
      const query = token ? "?token=" + encodeURIComponent(token) : "";
      const secure = location.protocol === "https:";
      const show = (id, text) => { document.getElementById(id).textContent = text; };
      show("host", query ? location.host + "/socketcluster/" + query + "&" : location.hostname);
      show("port", (location.port || (secure ? 443 : 80)) + (secure ? ", secure" : ""));
      show("url", location.origin + "/" + query);
    </script>

    """
}
