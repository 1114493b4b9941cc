import { beforeAll, describe, expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import { expectError, jsonBody, list, managerOf } from "../support/api.ts";
import { forEachWrite } from "../support/each-write.ts";
import type { LoginService } from "../support/flow.ts";
import { aroundWrites } from "../servers/support/around-writes.ts";
import {
  codeForTools,
  initialAccessToken,
  openServiceForStrangers,
  publicClient,
  register,
  registered,
  setOpenRegistration,
} from "../support/registration.ts";

let service: LoginService;
beforeAll(async () => {
  service = await openServiceForStrangers({ limits: { registrationsPerAddress: 10_000 } });
  await setOpenRegistration(service, true);
});

const idsOf = async ({ manage }: LoginService): Promise<readonly unknown[]> =>
  list(await manage("GET", "/api/v2/clients?external_metadata_type=dcr&per_page=100")).map(({ client_id: id }) => id);

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "blob:https://a.example/x",
  "file:///etc/passwd",
  "about:blank",
  "http://app.example/cb",
  "http://localhost.evil.example/cb",
  "http://127.0.0.1.evil.example/cb",
  "https://user@app.example/cb",
  "https://user:password@app.example/cb",
  "https://app.example/cb#fragment",
  "https://*.app.example/cb",
  "https://{organization_name}.app.example/cb",
  "https://app.example/{organization_name}",
  "https://app.example/cb?code=mine",
  "https://app.example\\@evil.example/cb",
  "https:///cb",
  "/cb",
  "",
  "https://app.example/\u0001",
  `https://app.example/${"a".repeat(2048)}`,
])("rejects the redirect URI %j", async (uri) => {
  expectError(await register(service, { redirect_uris: ["https://app.example/cb", uri] }), 400, "invalid_redirect_uri", "redirect_uris");
});

const rsa = { kty: "RSA", n: "AQ", e: "AQAB" };

test.each([
  ["no redirect URI", { redirect_uris: [] }, "invalid_redirect_uri"],
  ["missing redirect URIs", { redirect_uris: undefined }, "invalid_redirect_uri"],
  ["redirect URIs that are no list", { redirect_uris: "https://app.example/cb" }, "invalid_redirect_uri"],
  ["an unknown authentication method", { token_endpoint_auth_method: "tls_client_auth" }, "invalid_client_metadata"],
  ["no authorization code", { grant_types: ["client_credentials"] }, "invalid_client_metadata"],
  ["no code in its response types", { response_types: ["token"] }, "invalid_client_metadata"],
  ["a private key", { jwks: { keys: [{ ...rsa, d: "AQ" }] } }, "invalid_client_metadata"],
  ["a symmetric key", { jwks: { keys: [{ kty: "oct" }] } }, "invalid_client_metadata"],
  ["large keys", { jwks: { keys: [{ ...rsa, n: "A".repeat(13_000) }] } }, "invalid_client_metadata"],
  ["keys and a URL of keys", { jwks: { keys: [rsa] }, jwks_uri: "https://app.example/jwks" }, "invalid_client_metadata"],
  ["private_key_jwt without keys", { token_endpoint_auth_method: "private_key_jwt" }, "invalid_client_metadata"],
  ["a software statement", { software_statement: "a.b.c" }, "invalid_client_metadata"],
  ["a script as its logo", { logo_uri: "javascript:alert(1)" }, "invalid_client_metadata"],
  ["a page over http", { client_uri: "http://app.example" }, "invalid_client_metadata"],
  ["markup in its name", { client_name: "<b>Bank</b>" }, "invalid_client_metadata"],
  ["a line break in its name", { client_name: "Bank\nVerified" }, "invalid_client_metadata"],
  ["a character that turns its name around", { client_name: "\u202Eknab" }, "invalid_client_metadata"],
  ["an isolate of text in its name", { client_name: "Bank \u2067x\u2069" }, "invalid_client_metadata"],
  ["a name that is too long", { client_name: "x".repeat(256) }, "invalid_client_metadata"],
])("rejects metadata with %s", async (_, sent, code) => {
  const [member = ""] = Object.keys(sent);
  expectError(await register(service, { ...publicClient, ...sent }), 400, code, new RegExp(`'${member}|'private_key_jwt' requires`));
});

test.each(["Příliš žluťoučký", "示例助手", "مساعد", "עוזר", "👩‍💻 Agent", "می‌خواهم"])("accepts the name %s", async (client_name) => {
  expect((await registered(service, { ...publicClient, client_name })).registration).toMatchObject({ client_name });
});

test("ignores members with the names of object prototypes", async () => {
  const body = `{"redirect_uris":["https://app.example/cb"],"__proto__":{"token_endpoint_auth_method":"none","is_first_party":true},"constructor":{"prototype":{}}}`;
  const { registration } = await registered(service, body);
  expect(registration).toMatchObject({ token_endpoint_auth_method: "client_secret_basic" });
  expect(Object.keys(registration)).not.toContain("__proto__");
  expect({}).not.toHaveProperty("is_first_party");
});

test.each([
  ["more than a mebibyte", { body: { ...publicClient, scope: "x".repeat(1024 * 1024) } }, 413, "payload_too_large"],
  ["no JSON", { body: "{" }, 400, "invalid_request"],
  ["a list", { body: [publicClient] }, 400, "invalid_request"],
  ["no body", {}, 400, "invalid_request"],
  ["a form", { body: "redirect_uris=x", headers: { "content-type": "application/x-www-form-urlencoded" } }, 415, "unsupported_media_type"],
])("rejects a request with %s", async (_, sent, status, code) => {
  expectError(await service.call("POST", "/oidc/register", sent), status, code);
});

describe("a registration access token", () => {
  test("is rejected for another client, for no client, in another form and with another scheme", async () => {
    const [client, other] = [await registered(service), await registered(service)];
    const body = { ...publicClient, client_id: other.clientId };
    for (const method of ["GET", "PUT", "DELETE"])
      expectError(await service.call(method, other.path, { token: client.token, ...(method === "PUT" && { body }) }), 401, "invalid_token");
    for (const path of [
      "/oidc/register/tpc_missing",
      `/oidc/register/${service.web.clientId}`,
      "/oidc/register/%00",
      "/oidc/register/__proto__",
    ])
      expect((await service.call("GET", path, { token: client.token })).status, path).toBeGreaterThanOrEqual(400);
    expectError(await service.call("GET", client.path, { token: `${client.token}x` }), 401, "invalid_token");
    expectError(await service.call("GET", client.path), 401, "invalid_token");
    expectError(await service.call("GET", client.path, { headers: { authorization: `Basic ${client.token}` } }), 401, "invalid_token");
    expect(await service.call("GET", other.path, { token: other.token })).toMatchObject({ status: 200 });
  });

  test("is unknown to another tenant, whose registration is separate", async () => {
    const { clientId, path, token } = await registered(service);
    const [bare = ""] = path.split("?");
    for (const headers of [{ "tenant-id": "other" }]) {
      expectError(await service.call("GET", bare, { token, headers }), 401, "invalid_token");
      expectError(await service.call("DELETE", path, { token, headers }), 401, "invalid_token");
    }
    expectError(await service.call("GET", `${bare}?tenant=other`, { token }), 401, "invalid_token");
    expectError(await service.call("POST", "/oidc/register", { body: publicClient, headers: { "tenant-id": "other" } }), 404, "not_found");
    const iat = await (await managerOf(service, "other")).create("/api/v2/clients/initial-access-tokens", {});
    expectError(await register(service, publicClient, String(iat["token"])), 401, "invalid_token");
    const made = await service.call("POST", "/oidc/register", {
      body: publicClient,
      token: String(iat["token"]),
      headers: { "tenant-id": "other" },
    });
    const { registration_client_uri: uri, registration_access_token: own } = jsonBody(made, 201);
    const { pathname, search } = new URL(String(uri));
    expect(search).toBe("?tenant=other");
    expect(await service.call("GET", pathname + search, { token: String(own) })).toMatchObject({ status: 200 });
    expect(await idsOf(service)).toContain(clientId);
  });
});

test("does not let a user accept a client that was deleted meanwhile", async () => {
  const client = await registered(service);
  await service.manage("DELETE", `/api/v2/clients/${client.clientId}`);
  await expect(codeForTools(service.browser(), client, service.ada)).rejects.toThrow();
  expect(list(await service.manage("GET", `/api/v2/grants?client_id=${client.clientId}`))).toEqual([]);
});

describe("a crash at any write", () => {
  test.each(["register", "replace", "delete"] as const)(
    "leaves a whole client or none, and the next attempt succeeds: %s",
    async (action) => {
      let count = 0;
      let last = Infinity;
      const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
        if (name !== "logs.insert" && ++count >= last) throw new Error("the process died");
        return run();
      });
      const crashing = await openServiceForStrangers({ data, logger: { log: () => {} } });
      await forEachWrite(async (write) => {
        const token = await initialAccessToken(crashing, { uses: 2 });
        const client = action === "register" ? undefined : await registered(crashing, publicClient, token);
        const before = await idsOf(crashing);
        const send = async () => {
          if (client === undefined) return register(crashing, publicClient, token);
          const body = {
            ...publicClient,
            client_id: client.clientId,
            client_name: "New",
            token_endpoint_auth_method: "client_secret_post",
          };
          return crashing.call(action === "replace" ? "PUT" : "DELETE", client.path, {
            token: client.token,
            ...(action === "replace" && { body }),
          });
        };
        count = 0;
        last = write;
        const { status } = await send();
        const writes = count;
        last = Infinity;
        expect(status < 300 || status === 500).toBe(true);
        const after = await idsOf(crashing);
        if (action === "register") {
          // At most one use of the token is lost.
          expect(after.length - before.length).toBe(status === 201 ? 1 : 0);
          expect(await send()).toMatchObject({ status: 201 });
        } else if (action === "replace") {
          expect((await send()).status).toBe(200);
          expect(jsonBody(await crashing.call("GET", client?.path ?? "", { token: client?.token ?? "" }))).toMatchObject({
            client_name: "New",
          });
        } else {
          expect([204, 401]).toContain((await send()).status);
          expect(await idsOf(crashing)).not.toContain(client?.clientId);
          crashing.clock.advance("2m");
          await crashing.postern.jobs.sweep();
          expect(
            await crashing.data.collections.directory.find({ where: { kind: "client", value: client?.clientId ?? "" }, limit: 1 }),
          ).toEqual([]);
        }
        return writes;
      });
    },
  );
});
