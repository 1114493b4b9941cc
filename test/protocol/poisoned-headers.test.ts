import { beforeAll, expect, test } from "vitest";
import { list, managerOf, type JsonBody } from "../support/api.ts";
import { insertHost } from "../support/rows.ts";
import { authorizeParameters, codeGrant, login, openService, tokens, claimsOf, type LoginService } from "../support/flow.ts";

const strange = "evil.test";

/** Every header that can claim another host or address. */
const poison = {
  host: strange,
  "x-forwarded-host": strange,
  "x-forwarded-server": strange,
  "x-forwarded-proto": "http",
  "x-forwarded-scheme": "http",
  "x-forwarded-ssl": "off",
  "x-forwarded-port": "666",
  "x-forwarded-prefix": "/evil",
  "x-forwarded-path": "/evil",
  "x-original-url": "/evil",
  "x-rewrite-url": "/evil",
  "x-original-host": strange,
  "x-host": strange,
  forwarded: `for=198.51.100.9;host=${strange};proto=http`,
  "x-forwarded-for": "198.51.100.9",
  "x-real-ip": "198.51.100.9",
  "true-client-ip": "198.51.100.9",
  "cf-connecting-ip": "198.51.100.9",
  "x-client-ip": "198.51.100.9",
};

let service: LoginService;
beforeAll(async () => {
  service = await openService();
});

/** Sends a request with every poisoned header, to the configured URL or to another one. */
async function send(
  path: string,
  { origin = "https://id.example.test", ...init }: RequestInit & { readonly origin?: string } = {},
): Promise<Response> {
  const headers = { ...poison, ...(init.headers as { readonly [name: string]: string } | undefined) };
  return service.postern.fetch(new Request(`${origin}${path}`, { ...init, headers }), { clientAddress: "192.0.2.7" });
}

const authorization = (): string => `/authorize?${new URLSearchParams(authorizeParameters(service.web))}`;
const paths = [
  authorization,
  () => "/authorize",
  () => "/.well-known/openid-configuration",
  () => "/.well-known/jwks.json",
  () => "/.well-known/openapi.json",
  () => "/v2/logout",
  () => `/v2/logout?returnTo=${encodeURIComponent(`https://${strange}/`)}`,
  () => "/oidc/logout",
  () => "/userinfo",
  () => "/oauth/token",
  () => "/u/login?state=main.x",
  () => "/nothing",
  () => "/api/v2/users",
];

test.each(paths)("uses no value of poisoned headers in the response (%#)", async (path) => {
  for (const origin of ["https://id.example.test", `https://${strange}`, `http://${strange}:666`]) {
    const response = await send(path(), { origin });
    const result = `${await response.text()}${JSON.stringify([...response.headers])}`.replaceAll(
      encodeURIComponent(`https://${strange}/`),
      "",
    );
    expect(result).not.toMatch(/evil|:666|198\.51\.100\.9|http:\/\/id\.example/);
  }
});

test("keeps the configured URL in a complete login with poisoned headers, also in cookies and tokens", async () => {
  const response = await send(authorization());
  expect(response.headers.get("location")).toMatch(/^https:\/\/id\.example\.test\/u\/login\?/);
  for (const cookie of response.headers.getSetCookie()) {
    expect(cookie).toMatch(/^__Host-[^;]+; Path=\/; HttpOnly; Secure; SameSite=None/);
    expect(cookie).not.toMatch(/domain=/i);
  }
  const { code = "", iss } = await login(service.browser(), service.web, service.ada);
  expect(iss).toBe("https://id.example.test/");
  const result = await send("/oauth/token", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(codeGrant(service.web, code)).toString(),
  });
  const { id } = tokens({ status: result.status, headers: result.headers, body: await result.json() });
  expect(claimsOf(id).iss).toBe("https://id.example.test/");
});

test("logs the address of the peer that sent the request, not one that a header claims", async () => {
  await send("/authorize?client_id=unknown");
  service.clock.advance("5s");
  const [event] = list(await service.manage("GET", "/api/v2/logs?per_page=1&q=type:f"));
  expect(event).toMatchObject({ type: "f", client_id: "unknown", ip: "192.0.2.7" });
});

test("rejects the host of one tenant with the tenant-id of another, and logs it in the tenant of the host", async () => {
  await insertHost(service, "other", "login.other.example");
  service.clock.advance("6s");
  for (const [path, method] of [
    [authorization(), "GET"],
    ["/oauth/token", "POST"],
    ["/v2/logout", "GET"],
    ["/userinfo", "GET"],
  ] as const) {
    const headers = { "tenant-id": "main", ...(method === "POST" && { "content-type": "application/json" }) };
    const request = new Request(`https://login.other.example${path}`, { method, headers, ...(method === "POST" && { body: "{}" }) });
    const response = await service.postern.fetch(request, { clientAddress: "192.0.2.7" });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    expect(await response.text()).toContain("the host and the tenant-id header name different tenants");
  }
  service.clock.advance("5s");
  const events: readonly JsonBody[] = list(await (await managerOf(service, "other"))("GET", "/api/v2/logs?per_page=100&q=type:f"));
  expect(events).toHaveLength(4);
  for (const event of events) {
    expect(event).toMatchObject({
      description: "the host and the tenant-id header name different tenants",
      hostname: "login.other.example",
      ip: "192.0.2.7",
    });
  }
});
