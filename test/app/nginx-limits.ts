import { once } from "node:events";
import { createServer, request as sendRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Maximum bytes of the request line and of each header line: nginx's `large_client_header_buffers 4 8k`. */
const maximumRequestLine = 8192;
/** Maximum bytes of the status line and all headers of a response: nginx's `proxy_buffer_size 4k`. */
const maximumResponseHead = 4096;

/** A proxy with nginx's default limits. */
export interface LimitingProxy {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly server: Server;
  /** The longest header line of a request so far, in bytes. */
  readonly longestLine: () => number;
  /** The longest head of a response so far, in bytes. */
  readonly longestHead: () => number;
  /** The URLs that the proxy rejected, with their status. */
  readonly rejected: readonly string[];
}

/** Opens a proxy in front of the server at the URL that `upstream` returns. */
export async function openLimitingProxy(upstream: () => string): Promise<LimitingProxy> {
  let longestLine = 0;
  let longestHead = 0;
  const rejected: string[] = [];
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    const reject = (status: number): void => {
      rejected.push(`${status} ${request.url?.slice(0, 60)}`);
      response.writeHead(status).end();
    };
    const lines = [`${request.method} ${request.url} HTTP/1.1`, ...headerLines(request)].map((line) => line.length);
    longestLine = Math.max(longestLine, ...lines);
    if (lines.some((length) => length > maximumRequestLine)) return reject(lines[0] === Math.max(...lines) ? 414 : 400);
    const { method, headers } = request;
    const sent = sendRequest(
      new URL(request.url ?? "/", upstream()),
      { method: method ?? "GET", headers, maxHeaderSize: 65_536 },
      (received) => {
        const head = headerLines(received).reduce((sum, line) => sum + line.length + 2, "HTTP/1.1 200 OK\r\n\r\n".length);
        longestHead = Math.max(longestHead, head);
        if (head > maximumResponseHead) return reject(502);
        response.writeHead(received.statusCode ?? 502, received.rawHeaders);
        received.pipe(response);
      },
    );
    request.pipe(sent);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, server, longestLine: () => longestLine, longestHead: () => longestHead, rejected };
}

function headerLines({ rawHeaders }: IncomingMessage): readonly string[] {
  const lines: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return lines;
}
