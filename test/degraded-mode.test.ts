import { UnavailableError, type AnyRow, type Collection, type Collections, type DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { describe, expect, test } from "vitest";
import { createTestPostern, type TestPostern } from "./support/postern.ts";

const documents = ["/.well-known/jwks.json", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];

interface Outage {
  readonly service: TestPostern;
  readonly setAvailable: (isAvailable: boolean) => void;
}

/** A service whose data store can become unavailable. */
async function serviceWithOutage(): Promise<Outage> {
  let isAvailable = true;
  const inner = createMemoryAdapter();
  const collections = Object.entries(inner.collections).map(([name, value]) => {
    // The row types differ between collections.
    const collection = value as unknown as Collection<AnyRow>;
    const guard = <T>(call: () => Promise<T>): Promise<T> => (isAvailable ? call() : Promise.reject(new UnavailableError("away")));
    return [
      name,
      {
        ...collection,
        insert: (rows) => guard(() => collection.insert(rows)),
        find: (query) => guard(() => collection.find(query)),
        count: (where, filter) => guard(() => collection.count(where, filter)),
        update: (where, change) => guard(() => collection.update(where, change)),
        delete: (where) => guard(() => collection.delete(where)),
      } satisfies Collection<AnyRow>,
    ];
  });
  const data: DataAdapter = { ...inner, collections: Object.fromEntries(collections) as Collections };
  return { service: await createTestPostern({ data, logger: { log() {} } }), setAvailable: (value) => (isAvailable = value) };
}

describe("while the data store is unavailable", () => {
  test.each(documents)("serves the last response of %s for 24 hours", async (path) => {
    const { service, setAvailable } = await serviceWithOutage();
    const before = await service.call("GET", path);
    expect(before.status).toBe(200);
    setAvailable(false);
    service.clock.advance("23h");
    const during = await service.call("GET", path);
    expect(during).toMatchObject({ status: 200, body: before.body });
    expect(during.headers.get("cache-control")).toBe(before.headers.get("cache-control"));
    expect(during.headers.get("x-request-id")).not.toBe(before.headers.get("x-request-id"));
    service.clock.advance("2h");
    expect(await service.call("GET", path)).toMatchObject({ status: 503 });
  });

  test("tells caches to keep the keys for 24 hours", async () => {
    const { service } = await serviceWithOutage();
    const { headers } = await service.call("GET", "/.well-known/jwks.json");
    expect(headers.get("cache-control")).toBe("public, max-age=60, stale-if-error=86400");
  });

  test("serves no key that this process knows to be revoked", async () => {
    const { service, setAvailable } = await serviceWithOutage();
    const token = await service.token();
    await service.call("POST", "/api/v2/keys/signing/rotate", { token });
    const { body } = await service.call("GET", "/.well-known/jwks.json");
    const { body: keys } = await service.call("GET", "/api/v2/keys/signing", { token });
    const previous = (keys as readonly { readonly kid: string; readonly previous?: boolean }[]).find((key) => key.previous === true);
    expect(JSON.stringify(body)).toContain(previous?.kid);
    const revoked = await service.call("PUT", `/api/v2/keys/signing/${previous?.kid}/revoke`, { token });
    expect(revoked.status).toBe(201);
    setAvailable(false);
    service.clock.advance("10s");
    expect(await service.call("GET", "/.well-known/jwks.json")).toMatchObject({ status: 503 });
  });

  test("serves no document of another tenant", async () => {
    const { service, setAvailable } = await serviceWithOutage();
    await service.call("GET", "/.well-known/jwks.json", { headers: { "tenant-id": "main" } });
    setAvailable(false);
    service.clock.advance("10s");
    expect(await service.call("GET", "/.well-known/jwks.json", { headers: { "tenant-id": "main" } })).toMatchObject({ status: 200 });
    expect(await service.call("GET", "/.well-known/jwks.json", { headers: { "tenant-id": "other" } })).toMatchObject({ status: 503 });
  });

  test("redirects /authorize to the client if the client is known from the cache", async () => {
    const { service, setAvailable } = await serviceWithOutage();
    const callback = "https://app.example.test/callback";
    await service.postern.seed({
      tenantId: "main",
      clients: [{ clientId: "app", settings: { name: "App", app_type: "spa", callbacks: [callback] } }],
    });
    const query = {
      client_id: "app",
      response_type: "code",
      redirect_uri: callback,
      scope: "openid",
      state: "s",
      code_challenge: "c".repeat(43),
    };
    const path = `/authorize?${new URLSearchParams({ ...query, code_challenge_method: "S256" })}`;
    const before = await service.call("GET", path);
    expect(before.headers.get("location")).toContain("/u/login");
    setAvailable(false);
    const during = await service.call("GET", path);
    const location = new URL(during.headers.get("location") ?? "none:");
    expect(location.origin + location.pathname).toBe(callback);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ error: "temporarily_unavailable", state: "s" });
    service.clock.advance("10s");
    expect(await service.call("GET", path)).toMatchObject({ status: 503 });
  });

  test("responds to all other requests with 503 and Retry-After, and resumes on its own", async () => {
    const { service, setAvailable } = await serviceWithOutage();
    const token = await service.token();
    setAvailable(false);
    service.clock.advance("10s");
    for (const [method, path] of [
      ["GET", "/api/v2/users"],
      ["GET", "/userinfo"],
      ["GET", "/authorize?client_id=main-manager&response_type=code"],
    ] as const) {
      const { status, headers } = await service.call(method, path, { token });
      expect({ path, status, retryAfter: headers.get("retry-after") }).toEqual({ path, status: 503, retryAfter: "1" });
    }
    const refused = await service.call("POST", "/oauth/token", {
      body: { grant_type: "client_credentials", client_id: "main-manager", client_secret: "any" },
    });
    expect(refused).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    setAvailable(true);
    expect(await service.call("GET", "/api/v2/users", { token })).toMatchObject({ status: 200 });
    expect(await service.call("GET", "/.well-known/jwks.json")).toMatchObject({ status: 200 });
  });
});
