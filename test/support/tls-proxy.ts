import { request as forward } from "node:http";
import { listenTls, type TlsServer } from "./tls.ts";

/**
 * Terminates TLS in front of a local server, as nginx does by default: `X-Forwarded-Host` is the requested host, and
 * `Host` is the host of the upstream server. @param port the port of the upstream server.
 */
export function proxyTo(port: number): Promise<TlsServer> {
  return listenTls((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      host: `127.0.0.1:${port}`,
      "x-forwarded-proto": "https",
      "x-forwarded-host": incoming.headers.host,
    };
    const passed = forward({ port, host: "127.0.0.1", path: incoming.url, method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    // The upstream server is not running.
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
}
