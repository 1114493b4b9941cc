import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { toNodeHandler } from "@postern/express";
import { systemClock } from "@postern/core/testing";
import type { ServedPostern } from "./http.ts";
import { createTestPostern, type TestOptions } from "./postern.ts";

/** A {@link ServedPostern} with https. */
export interface TlsPostern extends ServedPostern {
  /** The certificate, in PEM, for other processes to trust. */
  readonly certificate: string;
}

/** An https server whose certificate this process trusts. */
export interface TlsServer {
  /** `https://localhost:<port>`, without a path. */
  readonly origin: string;
  /** The certificate, in PEM, for other processes to trust. */
  readonly certificate: string;
  close(): Promise<void>;
}

/** Listens with https on a free port, with the certificate that this process trusts. */
export async function listenTls(listener: RequestListener): Promise<TlsServer> {
  const { key, cert } = trusted();
  const server = createServer({ key, cert }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The address of a server that listens on a port is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://localhost:${port}`,
    certificate: cert,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Serves a Postern with https, with a certificate that this process trusts, for SDKs that build only https URLs.
 * @param options returns the options for the origin of the server.
 */
export async function serveTls(options: (origin: string) => TestOptions = () => ({})): Promise<TlsPostern> {
  let listener: RequestListener = () => {};
  const server = await listenTls((request, response) => listener(request, response));
  const own = options(server.origin);
  const service = await createTestPostern({ issuer: `${server.origin}/`, ...own, testing: { clock: systemClock, ...own.testing } });
  listener = toNodeHandler(service.postern);
  return { ...service, ...server };
}

let made: { readonly key: string; readonly cert: string } | undefined;

/** Returns the certificate for all servers in this process. The process trusts this certificate. */
function trusted(): { readonly key: string; readonly cert: string } {
  if (made !== undefined) return made;
  made = selfSigned();
  setDefaultCACertificates([...getCACertificates("default"), made.cert]);
  return made;
}

function selfSigned(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "postern-tls-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-keyout",
        key,
        "-out",
        cert,
        ...subject,
      ],
      { stdio: "ignore" },
    );
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
