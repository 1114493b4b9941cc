import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { returnFromProvider, goToProvider, openFederation, searchUsers, type Federation } from "./federation.ts";
import { expectFailure } from "./scripted-provider.ts";

/** Network failures of an identity provider. The other tests pass requests in process. */
const server = createServer();
let federation: Federation;
let issuer: string;
/** Responds to the next request to the token endpoint. */
let misbehave: (response: ServerResponse) => void;
/** Requests for the target of a redirect. */
const redirected: string[] = [];

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  issuer = `http://127.0.0.1:${port}/`;
  server.on("request", (request, response) => {
    const json = (body: object): unknown => response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    if (request.url === "/token") misbehave(response);
    else if (request.url === "/led") {
      redirected.push(request.url);
      json({});
    } else json({ issuer, authorization_endpoint: `${issuer}authorize`, token_endpoint: `${issuer}token`, jwks_uri: `${issuer}keys` });
  });
  federation = await openFederation({ network: { allowedPrivateAddresses: ["127.0.0.1"] } });
  await federation.connect({ options: { issuer, client_id: "we", client_secret: "a secret of ours" } });
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

/**
 * Signs in and returns with a code. @returns the description of the log event, and the duration of the callback in
 * milliseconds.
 */
async function fail(): Promise<{ readonly description: string; readonly took: number }> {
  const browser = federation.service.browser();
  const address = new URL(await goToProvider(federation, browser, federation.service.web));
  const back = new URLSearchParams({ code: "c", state: address.searchParams.get("state") ?? "" });
  const startedAt = performance.now();
  const result = await returnFromProvider(browser, `/login/callback?${back}`);
  const duration = performance.now() - startedAt;
  const { description } = await expectFailure(federation, result);
  return { description, took: duration };
}

test("cancels a response that never ends, and shows the user an error page", async () => {
  let sent = 0;
  misbehave = (response) => {
    response.setHeader("content-type", "application/json").write('{"id_token":"');
    const more = (): void => {
      sent += 65_536;
      if (!response.destroyed) response.write("x".repeat(65_536), () => setImmediate(more));
    };
    more();
  };
  const { took: duration } = await fail();
  expect(duration).toBeLessThan(10_000);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test("does not wait for a response that takes thirty seconds", async () => {
  let late: NodeJS.Timeout | undefined;
  misbehave = (response) => void (late = setTimeout(() => response.end("{}"), 30_000));
  const { took: duration } = await fail();
  clearTimeout(late);
  expect(duration).toBeLessThan(10_000);
});

test("does not follow a redirect, and shows an error page after a broken connection", async () => {
  misbehave = (response) => void response.writeHead(307, { location: `${issuer}led` }).end();
  await fail();
  expect(redirected).toEqual([]);
  misbehave = (response) => response.destroy();
  await fail();
  expect(await searchUsers(federation, "connection:fieldnotes")).toEqual([]);
});
