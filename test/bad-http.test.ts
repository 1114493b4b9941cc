import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve, type ServedPostern } from "./support/http.ts";
import { clientSecret } from "./support/postern.ts";

/** Sends malformed HTTP as raw bytes to the whole stack. */

let service: ServedPostern;

beforeAll(async () => {
  service = await serve();
});
afterAll(async () => {
  await service.close();
  expect(service.faults).toEqual([]);
});

/** Sends bytes and reads the response until the server closes the connection or sends nothing for a second. */
function sendBytes(bytes: string, end = true): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(service.origin);
    const socket = connect(Number(port), "127.0.0.1");
    let answer = "";
    socket.setTimeout(1000, () => socket.destroy());
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
    if (end) socket.end(bytes, "latin1");
    else socket.write(bytes, "latin1", () => socket.destroy());
  });
}

const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
const head = "Host: 127.0.0.1\r\nConnection: close\r\n";

test.each([
  ["a path with broken percent-encoding", `GET /api/v2/users/%zz HTTP/1.1\r\n${head}\r\n`],
  ["a path with an encoded NUL", `GET /api/v2/users/%00 HTTP/1.1\r\n${head}\r\n`],
  ["a path with a raw NUL", `GET /api/v2/users/\0 HTTP/1.1\r\n${head}\r\n`],
  ["a path with raw bytes", `GET /api/v2/users/\xff\xfe HTTP/1.1\r\n${head}\r\n`],
  ["a path of dots", `GET /../../../etc/passwd HTTP/1.1\r\n${head}\r\n`],
  ["a path of backslashes", `GET \\\\evil.example\\x HTTP/1.1\r\n${head}\r\n`],
  ["a path of slashes", `GET ////evil.example/x HTTP/1.1\r\n${head}\r\n`],
  ["an absolute URL", `GET http://evil.example/nothing HTTP/1.1\r\n${head}\r\n`],
  ["an asterisk", `OPTIONS * HTTP/1.1\r\n${head}\r\n`],
  ["an invalid host", `GET /nothing HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n`],
  ["a host with a path", `GET /nothing HTTP/1.1\r\nHost: evil.example/x?y#z\r\nConnection: close\r\n\r\n`],
  ["an empty host", `GET /nothing HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`],
  ["no host", "GET /nothing HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["an unknown method", `BREW /nothing HTTP/1.1\r\n${head}\r\n`],
  ["an invalid request line", "hello\r\n\r\n"],
  [
    "an invalid chunk size",
    `POST /oauth/token HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n`,
  ],
  ["two lengths", `POST /oauth/token HTTP/1.1\r\n${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy`],
  ["a length and chunks", `POST /oauth/token HTTP/1.1\r\n${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
])("responds to %s with a 4xx status", async (_, bytes) => {
  const answer = await sendBytes(bytes);
  expect(status(answer), answer.slice(0, 300)).toBeGreaterThanOrEqual(400);
  expect(status(answer), answer.slice(0, 300)).toBeLessThan(500);
  expect(answer).not.toContain("root:");
  // An error names the path of the request that is not served.
  const body = answer.slice(answer.indexOf("\r\n\r\n")).replace(/"GET \S* is not served/, "");
  expect(body).not.toContain("evil.example");
});

test("survives clients that disconnect in the middle of the body or before the response", async () => {
  const start = `POST /oauth/token HTTP/1.1\r\n${head}Content-Type: application/json\r\n`;
  await Promise.all([
    sendBytes(`${start}Content-Length: 1000\r\n\r\n{"grant_type":`, false),
    sendBytes(`${start}Content-Length: 1000\r\n\r\n{"grant_type":`),
    sendBytes(`${start}Transfer-Encoding: chunked\r\n\r\n5\r\n{"gra`, false),
    sendBytes(`GET /.well-known/jwks.json HTTP/1.1\r\n${head}\r\n`, false),
  ]);
});

test("rejects a body of two megabytes, and responds to the next request on the same connection", async () => {
  const large = await fetch(`${service.origin}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `{"a":"${"x".repeat(2 * 1024 * 1024)}"}`,
  });
  expect([large.status, await large.json()]).toMatchObject([413, { error: "payload_too_large" }]);
  const next = await fetch(`${service.origin}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      grant_type: "client_credentials",
      client_id: "main-manager",
      client_secret: clientSecret,
      audience: `${service.origin}/api/v2/`,
    }),
  });
  expect(next.status).toBe(200);
});
