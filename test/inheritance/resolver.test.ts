import { describe, expect, test } from "vitest";
import { createPostern, type ControlPlaneResolver, type PosternOptions } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { expectError, jsonBody } from "../support/api.ts";
import { sharedClientId, openInheritance, type InheritanceSetup } from "../support/inheritance.ts";
import { clientSecret, type ApiResponse } from "../support/postern.ts";

const audience = "https://api.example.test";

/**
 * Requests a token for the control plane's API with a client of `other`. The error description shows whether the API is
 * inherited.
 */
const request = ({ service }: InheritanceSetup, id = audience): Promise<ApiResponse> => {
  const body = { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience: id };
  return service.call("POST", "/oauth/token", { body });
};
const inherits = async (inheritance: InheritanceSetup): Promise<boolean> => {
  const response = await request(inheritance);
  expect(response.status, JSON.stringify(response.body)).toBe(400);
  return String(jsonBody(response, 400)["error_description"]).includes("not authorized");
};

/** Opens a service whose control plane has an API and whose resolver the test can replace. */
async function open(
  resolver: ControlPlaneResolver,
): Promise<InheritanceSetup & { setResolver(next: ControlPlaneResolver): void; readonly resolvedTenants: string[] }> {
  const resolvedTenants: string[] = [];
  let current: ControlPlaneResolver = () => ({ tenantId: "main" });
  const inheritance = await openInheritance({
    resolveControlPlane: (tenant) => {
      resolvedTenants.push(tenant.tenant_id);
      return current(tenant);
    },
    logger: { log: () => {} },
  });
  await inheritance.main.create("/api/v2/resource-servers", { identifier: audience });
  inheritance.service.clock.advance("6s");
  resolvedTenants.length = 0;
  current = resolver;
  return { ...inheritance, resolvedTenants, setResolver: (next) => void (current = next) };
}

test("a tenant for which the resolver returns undefined inherits nothing, and the resolver is never called for the control plane", async () => {
  const inheritance = await open(async () => undefined);
  expect(await inherits(inheritance)).toBe(false);
  expect(await inheritance.main("GET", "/api/v2/clients")).toMatchObject({ status: 200 });
  expect(new Set(inheritance.resolvedTenants)).toEqual(new Set(["other"]));
});

test("caches the result of the resolver for five seconds, including undefined", async () => {
  const inheritance = await open(() => undefined);
  for (let i = 0; i < 3; i++) expect(await inherits(inheritance)).toBe(false);
  expect(inheritance.resolvedTenants).toEqual(["other"]);
  inheritance.setResolver(() => ({ tenantId: "main" }));
  inheritance.service.clock.advance("4s");
  expect(await inherits(inheritance)).toBe(false);
  inheritance.service.clock.advance("1s");
  expect(await inherits(inheritance)).toBe(true);
  inheritance.setResolver(() => undefined);
  inheritance.service.clock.advance("4s");
  // The inherited API was cached a moment ago, so it is still used.
  expect(await inherits(inheritance)).toBe(true);
  inheritance.service.clock.advance("1s");
  expect(await inherits(inheritance)).toBe(false);
  expect(inheritance.resolvedTenants).toEqual(["other", "other", "other"]);
});

describe("an invalid result of the resolver", () => {
  const never = new Promise<undefined>(() => {});
  const wrong: readonly (readonly [string, () => unknown])[] = [
    [
      "a throw",
      () => {
        throw new Error("the directory is unavailable");
      },
    ],
    ["a rejected promise", () => Promise.reject(new Error("the directory is unavailable"))],
    ["a promise that never settles", () => never],
    ["null", () => null],
    ["a string", () => "main"],
    ["a list", () => ["main"]],
    ["an object without a tenant", () => ({})],
    ["a tenant that is not a string", () => ({ tenantId: 1 })],
    ["a client that is not a string", () => ({ tenantId: "main", clientId: {} })],
    ["the tenant itself", () => ({ tenantId: "other" })],
    ["an unknown tenant", () => ({ tenantId: "unknown" })],
    ["a tenant in upper case", () => ({ tenantId: "Main" })],
    ["an empty tenant id", () => ({ tenantId: "" })],
  ];

  test.each(wrong)("makes requests to the tenant fail with 503 until the result is valid again (%s)", async (_, resolver) => {
    // A host application in JavaScript can return this.
    const inheritance = await open(resolver as ControlPlaneResolver);
    expectError(await request(inheritance), 503, "temporarily_unavailable");
    expect(await inheritance.main("GET", "/api/v2/clients")).toMatchObject({ status: 200 });
    inheritance.setResolver(() => ({ tenantId: "main", clientId: sharedClientId }));
    expect(await inherits(inheritance)).toBe(true);
  });

  test("does not make 32 parallel requests call the resolver separately", async () => {
    const inheritance = await open(() => Promise.reject(new Error("down")));
    const responses = await Promise.all(Array.from({ length: 32 }, () => request(inheritance)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    expect(inheritance.resolvedTenants.length).toBeLessThan(5);
  });
});

test("inherits from the tenant that the resolver returns for each tenant, and inherits no URLs from a client that does not exist", async () => {
  const inheritance = await open(() => ({ tenantId: "main", clientId: "gone" }));
  const app = await inheritance.other.create("/api/v2/clients", { name: "App", app_type: "spa" });
  const query = new URLSearchParams({
    client_id: String(app["client_id"]),
    redirect_uri: "https://shared.example.test/callback",
    response_type: "code",
  });
  expect(await inheritance.service.call("GET", `/authorize?${query}`)).toMatchObject({ status: 400 });
  expect(await inherits(inheritance)).toBe(true);
});

test("inherits from the tenant that the resolver returns even if no control plane is configured", async () => {
  const data = createMemoryAdapter({ strict: true });
  const options: PosternOptions = {
    issuer: "https://id.example.test/",
    data,
    crypto: { secret: "0123456789abcdef0123456789abcdef" },
    resolveControlPlane: ({ tenant_id }) => (tenant_id === "child" ? { tenantId: "base" } : undefined),
  };
  const postern = createPostern(options);
  for (const tenantId of ["base", "child"]) {
    await postern.seed({
      tenantId,
      clients: [
        {
          clientId: `${tenantId}-manager`,
          secret: clientSecret,
          settings: { name: "M", app_type: "non_interactive" },
          managesTenant: true,
        },
      ],
    });
  }
  const post = async (
    path: string,
    body: object,
    token?: string,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> => {
    const headers = { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const response = await postern.fetch(
      new Request(`https://id.example.test${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
    );
    return { status: response.status, body: await response.json() };
  };
  const credentials = (tenantId: string, id: string) => ({
    grant_type: "client_credentials",
    client_id: `${tenantId}-manager`,
    client_secret: clientSecret,
    audience: id,
  });
  const { body } = await post("/oauth/token", credentials("base", "https://id.example.test/api/v2/"));
  expect(await post("/api/v2/resource-servers", { identifier: audience }, String(body["access_token"]))).toMatchObject({ status: 201 });
  expect((await post("/oauth/token", credentials("child", audience))).body["error_description"]).toMatch("not authorized");
});
