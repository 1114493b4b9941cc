import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPostern } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { toNodeHandler } from "@postern/express";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";

const secret = "only-for-this-check-0123456789abcdef";

/**
 * Starts a service with the built packages, and requests a page, a token and a list. Node.js loads the packages as in a
 * user's app. Test runners and bundlers may hide errors in the exports of a package, but Node.js does not.
 * @returns the errors, one per line.
 */
export async function tryPackages(): Promise<string[]> {
  const database = await openDatabase("sqlite::memory:");
  await database.migrate();
  const faults = [...(await serve("memory", createMemoryAdapter())), ...(await serve("SQLite", database))];
  await database.close();
  return faults;
}

async function serve(name: string, data: DataAdapter): Promise<string[]> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}/`;
  try {
    const postern = createPostern({ issuer, data, crypto: { secret }, defaultTenantId: "main", trustedProxies: ["127.0.0.1"] });
    await postern.check();
    await postern.seed({
      tenantId: "main",
      clients: [
        { clientId: "manager", secret, settings: { name: "Manager", app_type: "non_interactive" }, managesTenant: true },
        { clientId: "app", settings: { name: "App", app_type: "spa", callbacks: [issuer] } },
      ],
      user: { email: "me@example.com", password: "correct horse battery" },
    });
    server.on("request", toNodeHandler(postern));
    const request = {
      client_id: "app",
      response_type: "code",
      redirect_uri: issuer,
      scope: "openid",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    };
    const page = await send(`${issuer}authorize?${new URLSearchParams(request).toString()}`, { redirect: "manual" });
    const login = await send(new URL(page.headers.get("location") ?? "", issuer).href, {
      headers: {
        cookie: page.headers
          .getSetCookie()
          .map((line) => line.split(";", 1)[0])
          .join("; "),
      },
    });
    const form = { grant_type: "client_credentials", client_id: "manager", client_secret: secret, audience: `${issuer}api/v2/` };
    const token = await send(`${issuer}oauth/token`, { method: "POST", body: new URLSearchParams(form) });
    const { access_token } = JSON.parse(token.body) as { readonly access_token?: string };
    const users = await send(`${issuer}api/v2/users`, { headers: { authorization: `Bearer ${access_token ?? ""}` } });
    const expected: readonly (readonly [what: string, response: ReceivedResponse, status: number, part: string])[] = [
      ["the login page", login, 200, "App"],
      ["the token", token, 200, "access_token"],
      ["the list of users", users, 200, "me@example.com"],
    ];
    return expected
      .filter(([, response, status, part]) => response.status !== status || !response.body.includes(part))
      .map(([what, response]) => `on ${name}, ${what} has the status ${response.status}: ${response.body.slice(0, 500)}`);
  } catch (error) {
    return [`on ${name}: ${error instanceof Error ? error.stack : String(error)}`];
  } finally {
    server.close().closeAllConnections();
  }
}

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

async function send(url: string, init: RequestInit): Promise<ReceivedResponse> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: await response.text() };
}
