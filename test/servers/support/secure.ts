import { execFile } from "node:child_process";
import { request as forward, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Seed } from "@postern/core";
import { serve, type ServedPostern } from "../../support/http.ts";
import type { TestOptions } from "../../support/postern.ts";
import { hasher } from "./fixtures.ts";

/** The hosts of Postern and of the apps: two sites, not only two origins. The browser resolves both to this machine. */
export const hosts = { postern: "id.postern.test", app: "app.example.test" } as const;

/** A server that listens over TLS. */
export interface SecureServer {
  /** `https://<host>:<port>`, without a path. */
  readonly origin: string;
  close(): Promise<void>;
}

let certificate: Promise<{ readonly key: Buffer; readonly cert: Buffer }> | undefined;

/** Creates a self-signed certificate. */
async function selfSigned(): Promise<{ readonly key: Buffer; readonly cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), "postern-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=test"];
  await promisify(execFile)("openssl", ["req", "-x509", ...kind, "-keyout", key, "-out", cert]);
  const made = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  return made;
}

/** Listens over TLS on a free port. */
export async function listenSecurely(host: string, listener: RequestListener): Promise<SecureServer> {
  certificate ??= selfSigned();
  const server = createServer(await certificate, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A Postern behind a TLS proxy. */
export interface SecurePostern {
  readonly service: ServedPostern;
  readonly issuer: string;
  /**
   * A `fetch` for clients in this process. It calls Postern directly, because they do not trust the proxy's
   * certificate.
   */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

/**
 * Serves a Postern over HTTPS as a deployment does: a proxy ends TLS, and the service takes its public URL from its
 * configuration only.
 * @param beforeForward is awaited before each request is forwarded. A delay here makes the server slow.
 */
export async function serveSecurely(
  seed: Seed,
  options: TestOptions = {},
  beforeForward: (incoming: IncomingMessage) => Promise<void> = async () => {},
): Promise<SecurePostern> {
  let target = "";
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    // The body is read at once: a form that the browser sent arrives even if the browser no longer waits for the
    // response.
    const body = Buffer.concat(await incoming.toArray());
    await beforeForward(incoming);
    const headers = { ...incoming.headers, "x-forwarded-for": incoming.socket.remoteAddress ?? "", "x-forwarded-proto": "https" };
    const passed = forward(`${target}${incoming.url}`, { method: incoming.method, headers, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    passed.end(body);
  };
  const proxy = await listenSecurely(hosts.postern, (incoming, outgoing) => void pass(incoming, outgoing).catch(() => outgoing.destroy()));
  const issuer = `${proxy.origin}/`;
  const service = await serve(() => ({
    issuer,
    trustedProxies: ["127.0.0.1"],
    ...options,
    crypto: { signingAlgorithm: "RS256", hasher, ...options.crypto },
  }));
  target = service.origin;
  await service.postern.seed(seed);
  return {
    service,
    issuer,
    fetch: (input, init) => service.postern.fetch(new Request(input, init), { clientAddress: "127.0.0.1" }),
    async close() {
      await proxy.close();
      await service.close();
    },
  };
}
