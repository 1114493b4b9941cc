import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createManualClock } from "../../packages/core/src/adapters/clock.ts";
import { beforeAll, expect, test } from "vitest";
import { openFactorService, setPolicies, totpAt } from "../factors/support.ts";
import { clientSecret } from "../support/postern.ts";
import { openLogoutService } from "../logout/receivers.ts";
import { sendAuthorization, signInAtLoginPage, successParameters } from "../support/flow.ts";

/** Second factors and logout tokens with Auth0's SDK for Next.js, whose routes run here without a Next.js server. */

/** The methods of the SDK that this test calls. */
interface NextAuth0Client {
  /** Handles `/auth/login`, `/auth/callback`, `/auth/mfa/associate` and other routes of the SDK. */
  middleware(request: Request): Promise<Response>;
  getAccessToken(request: Request, response: Response, options: object): Promise<{ readonly token: string }>;
}

interface Sdk {
  readonly Auth0Client: new (options: object) => NextAuth0Client;
  readonly NextRequest: new (url: string, init: object) => Request;
  readonly NextResponse: new () => Response;
}

const origin = "https://web.example.test";
let sdk: Sdk;

beforeAll(async () => {
  const folder = fileURLToPath(new URL("support/nextjs-auth0", import.meta.url));
  await promisify(execFile)("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"], { cwd: folder });
  const load = (path: string): Promise<object> => import(pathToFileURL(`${folder}/node_modules/${path}`).href) as Promise<object>;
  // Their types would require Next.js in this workspace.
  sdk = { ...(await load("@auth0/nextjs-auth0/dist/server/index.js")), ...(await load("next/server.js")) } as Sdk;
});

test("adds an authenticator app and passes it if a refresh requires a second factor", async () => {
  let requiresFactor = false;
  const service = await openFactorService({
    // The SDK compares the lifetime of tokens with the time of this machine.
    testing: { clock: createManualClock(Date.now()) },
    actions: [
      {
        name: "factor at refresh",
        onExecutePostLogin: ({ transaction }, api) => {
          if (requiresFactor && transaction?.protocol === "oauth2-refresh-token") api.multifactor.enable("any");
        },
      },
    ],
  });
  await setPolicies(service, []);
  const app = await service.register({
    secret: true,
    callbacks: [`${origin}/auth/callback`],
    grant_types: ["authorization_code", "refresh_token", "http://auth0.com/oauth/grant-type/mfa-otp"],
  });
  const client = new sdk.Auth0Client({
    domain: new URL(service.postern.issuer).host,
    clientId: app.clientId,
    clientSecret,
    appBaseUrl: origin,
    secret: "0123456789abcdef0123456789abcdef",
    authorizationParameters: { scope: "openid email offline_access" },
    customFetch: (input: string | URL | Request, init?: RequestInit) => service.postern.fetch(new Request(input, init)),
  });
  const cookies = new Map<string, string>();
  const request = (path: string, body?: object, mfaToken?: string): Request =>
    new sdk.NextRequest(origin + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body !== undefined && { "content-type": "application/json", origin }),
        ...(mfaToken !== undefined && { authorization: `Bearer ${mfaToken}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const send = async (...parts: Parameters<typeof request>): Promise<Response> => {
    const response = await client.middleware(request(...parts));
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";", 1);
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const refresh = (): Promise<{ readonly token: string }> => client.getAccessToken(request("/"), new sdk.NextResponse(), { refresh: true });

  const { searchParams } = new URL((await send("/auth/login")).headers.get("location") ?? "");
  const browser = service.browser();
  const result = await signInAtLoginPage(browser, await sendAuthorization(browser, app, Object.fromEntries(searchParams)), service.ada);
  await send(`/auth/callback?${new URLSearchParams(successParameters(result))}`);
  expect(await refresh()).toMatchObject({ token: expect.any(String) });

  requiresFactor = true;
  const refused: unknown = await refresh().catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "mfa_required", mfa_token: expect.any(String) });
  const mfaToken = String(Reflect.get(Object(refused), "mfa_token"));
  const added: unknown = await (await send("/auth/mfa/associate", { authenticator_types: ["otp"] }, mfaToken)).json();
  expect(added).toMatchObject({ secret: expect.any(String), recovery_codes: [expect.any(String)] });
  const otp = totpAt(String(Reflect.get(Object(added), "secret")), Date.now());
  const verified = await send("/auth/mfa/verify", { otp }, mfaToken);
  expect([verified.status, await verified.json()]).toEqual([200, expect.objectContaining({ success: true })]);
  const [factor] = await service.data.collections.factors.find({
    where: { tenant_id: "main", user_id: service.ada.userId, type: "totp" },
    limit: 1,
  });
  expect(factor?.confirmed_at).not.toBeNull();

  requiresFactor = false;
  expect(await refresh()).toMatchObject({ token: expect.any(String) });
});

test("deletes the session when it receives a logout token", async () => {
  const service = await openLogoutService({ testing: { clock: createManualClock(Date.now()) } });
  const app = await service.receiver("next", { backchannel_logout_urls: [`${origin}/auth/backchannel-logout`] });
  const changed = { callbacks: [`${origin}/auth/callback`], jwt_configuration: { alg: "RS256" } };
  expect((await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, changed)).status).toBe(200);
  const sessions = new Map<string, { readonly internal: { readonly sid: string } }>();
  const client = new sdk.Auth0Client({
    domain: new URL(service.postern.issuer).host,
    clientId: app.clientId,
    clientSecret,
    appBaseUrl: origin,
    secret: "0123456789abcdef0123456789abcdef",
    authorizationParameters: { scope: "openid email" },
    sessionStore: {
      get: async (id: string) => sessions.get(id) ?? null,
      set: async (id: string, session: { readonly internal: { readonly sid: string } }) => void sessions.set(id, session),
      delete: async (id: string) => void sessions.delete(id),
      deleteByLogoutToken: async ({ sid }: { readonly sid?: string }) => {
        for (const [id, { internal }] of sessions) if (internal.sid === sid) sessions.delete(id);
      },
    },
    customFetch: (input: string | URL | Request, init?: RequestInit) => service.postern.fetch(new Request(input, init)),
  });
  const cookies = new Map<string, string>();
  const send = async (path: string): Promise<Response> => {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const response = await client.middleware(new sdk.NextRequest(origin + path, { headers }));
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";", 1);
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const { searchParams } = new URL((await send("/auth/login")).headers.get("location") ?? "");
  const browser = service.browser();
  const result = await signInAtLoginPage(browser, await sendAuthorization(browser, app, Object.fromEntries(searchParams)), service.ada);
  await send(`/auth/callback?${new URLSearchParams(successParameters(result))}`);
  expect(sessions.size).toBe(1);

  service.setResponse(({ url, body, headers }) => client.middleware(new sdk.NextRequest(url, { method: "POST", headers, body })));
  await browser.get("/v2/logout");
  expect(await service.deliver()).toMatchObject({ delivered: 1, failed: 0 });
  expect(sessions.size).toBe(0);
});
