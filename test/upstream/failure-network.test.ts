import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LogEntry } from "../../packages/core/src/adapters/logger.ts";
import { returnFromProvider, goToProvider, openFederation, type Federation } from "./federation.ts";

/** A server that drops a connection or never responds. */
const server = createServer((request, response) => {
  if (request.url === "/dropped") response.destroy();
});
let origin: string;
let federation: Federation;
const entries: LogEntry[] = [];

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  federation = await openFederation({
    network: { allowedPrivateAddresses: ["127.0.0.1"] },
    logger: { log: (entry) => void entries.push(entry) },
  });
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

test.each<[name: string, endpoint: (origin: string) => string, message: RegExp]>([
  ["refused", () => "http://127.0.0.1:1/token", /^token \(http:\/\/127\.0\.0\.1:1\/token\): connect ECONNREFUSED \[private address\]/],
  ["dropped", (at) => `${at}/dropped`, /^token \(.*\/dropped\): socket hang up \(ECONNRESET\)$/],
  [
    "unknown-name",
    () => "https://nothing.invalid/token",
    /^token \(https:\/\/nothing\.invalid\/token\): getaddrinfo (ENOTFOUND|EAI_AGAIN) nothing\.invalid$/,
  ],
  ["no-answer", (at) => `${at}/silent`, /^token \(.*\/silent\): the identity provider did not answer within 5000 ms$/],
  ["private", () => "https://10.1.2.3/token", /^token \(https:\/\/10\.1\.2\.3\/token\): '10\.1\.2\.3' has an address that is not public/],
])("the log names the token endpoint and the cause of a failed connection: %s", async (name, endpoint, message) => {
  const { service } = federation;
  const options = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: endpoint(origin),
    jwks_uri: `${origin}/keys`,
    client_id: "we",
    client_secret: "a secret of ours",
  };
  await federation.connect({ name, options });
  const browser = service.browser();
  const address = new URL(await goToProvider(federation, browser, service.web, {}, name));
  entries.length = 0;
  await returnFromProvider(
    browser,
    `/login/callback?${new URLSearchParams({ code: "c", state: address.searchParams.get("state") ?? "" })}`,
  );
  const { body } = await service.manage("GET", `/api/v2/logs?${new URLSearchParams({ q: `type:fc AND connection:${name}` })}`);
  expect(body).toMatchObject([
    { description: expect.stringMatching(message), details: { provider: { step: "token", url: endpoint(origin) } } },
  ]);
  expect(entries).toContainEqual(
    expect.objectContaining({ event: "upstream_failed", reason: expect.stringMatching(message), error: expect.any(Error) }),
  );
});
