import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createManualClock } from "@postern/core/testing";
import express from "express";
import { auth, type ConfigParams } from "express-openid-connect";
import { expect, onTestFinished, test } from "vitest";
import { sendAuthorization, signInAtLoginPage, successParameters } from "../support/flow.ts";
import { clientSecret, issuer } from "../support/postern.ts";
import { openLogoutService } from "./receivers.ts";

const origin = "https://app.example.test";

type LogoutStore = NonNullable<Exclude<ConfigParams["backchannelLogout"], boolean | undefined>["store"]>;

/** Creates a store in memory, as `express-session` defines it. */
function memoryStore(): LogoutStore {
  const rows = new Map<string, Parameters<LogoutStore["set"]>[1]>();
  return {
    get: (key, done) => done(null, rows.get(key)),
    set: (key, value, done) => {
      rows.set(key, value);
      done?.();
    },
    destroy: (key, done) => {
      rows.delete(key);
      done?.();
    },
  };
}

test("an app with express-openid-connect is signed out by a logout token", async () => {
  // The SDK reads the clock of the machine.
  const service = await openLogoutService({ testing: { clock: createManualClock(Date.now()) } });
  const client = await service.receiver("express", { backchannel_logout_urls: [`${origin}/backchannel-logout`] });
  // The SDK accepts RS256 only.
  const changed = { callbacks: [`${origin}/callback`], jwt_configuration: { alg: "RS256" } };
  expect((await service.manage("PATCH", `/api/v2/clients/${client.clientId}`, changed)).status).toBe(200);

  const app = express();
  const config = {
    issuerBaseURL: issuer,
    baseURL: origin,
    clientID: client.clientId,
    clientSecret,
    secret: "0123456789abcdef0123456789abcdef",
    authRequired: false,
    authorizationParams: { response_type: "code", scope: "openid email" },
    backchannelLogout: { store: memoryStore() },
    customFetch: (input: string | URL | Request, init?: RequestInit) => service.postern.fetch(new Request(input, init)),
  };
  app.set("trust proxy", true);
  app.use(auth(config));
  app.get("/", (request, response) => void response.json({ email: request.oidc.user?.["email"] ?? null }));
  const server = createServer(app).listen(0, "127.0.0.1");
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set("x-forwarded-proto", "https");
    if (cookies.size > 0) headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const shown = async (): Promise<unknown> => (await send("/")).json();

  const started = new URL((await send("/login")).headers.get("location") ?? "");
  const browser = service.browser();
  const page = await sendAuthorization(browser, client, {
    ...Object.fromEntries(started.searchParams),
    code_challenge: started.searchParams.get("code_challenge") ?? undefined,
    code_challenge_method: started.searchParams.get("code_challenge_method") ?? undefined,
  });
  const parameters = successParameters(await signInAtLoginPage(browser, page, service.ada));
  expect((await send(`/callback?${new URLSearchParams(parameters)}`)).status).toBe(302);
  expect(await shown()).toEqual({ email: service.ada.email });

  const statuses: number[] = [];
  service.setResponse(async ({ url, body, headers }) => {
    const response = await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, { method: "POST", headers, body });
    statuses.push(response.status);
    return new Response(null, { status: response.status });
  });
  await browser.get("/v2/logout");
  expect(await service.deliver()).toMatchObject({ delivered: 1, failed: 0 });
  expect(statuses).toEqual([204]);
  expect(await shown()).toEqual({ email: null });
});
