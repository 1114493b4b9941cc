import { request as forward } from "node:http";
import { listenTls, type TlsServer } from "./tls.ts";

/** Ends TLS before a server of this machine, as nginx does by default: the host that was asked for stands in `X-Forwarded-Host`, and `Host` is the upstream's. @param port the upstream's. */
export function proxyTo(port: number): Promise<TlsServer> {
  return listenTls((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      host: `127.0.0.1:${port}`,
      "x-forwarded-proto": "https",
      "x-forwarded-host": incoming.headers.host,
    };
    const passed = forward({ port, host: "127.0.0.1", path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    // The upstream is gone, or not there yet.
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
}
