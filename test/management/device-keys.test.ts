import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { expectError, jsonBody, list, managerOf, stringMember, type JsonBody } from "../support/api.ts";
import { openService, type LoginService, type TestAccount } from "../support/flow.ts";
import { organizationsBy } from "../support/organizations.ts";
import { managementAudience } from "../support/postern.ts";
import { insertPublicKey } from "../support/rows.ts";
import { exchangeRefreshToken, obtainPasswordTokens, passwordClient } from "./tokens.ts";
import { tokenWith } from "./token-with.ts";

/** The public keys that users register for their devices. */

const path = "/api/v2/device-credentials";
const [creates, deletes] = ["create:current_user_device_credentials", "delete:current_user_device_credentials"] as const;
const key = { device_name: "Ada's phone", type: "public_key", value: "MCowBQYDK2VwAyEA", device_id: "0A1b-2c" };

let service: LoginService;
let clientId: string;
/** Runs before the next key is stored. */
let beforeInsert: () => Promise<unknown>;

beforeEach(async () => {
  beforeInsert = async () => undefined;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    if (name === "device_credentials.insert") await beforeInsert();
    return run();
  });
  service = await openService({ data });
  clientId = await passwordClient(service);
  const role = await organizationsBy(service.manage).createRole("Owner", managementAudience, creates, deletes, "read:current_user");
  const users = [service.ada.userId, service.bob.userId];
  expect(await service.manage("POST", `/api/v2/roles/${role}/users`, { users })).toMatchObject({ status: 200 });
});

/** Returns an access token with which a user calls the Management API. */
async function tokenOf({ email, password }: TestAccount, ...scopes: readonly string[]): Promise<string> {
  const body = { grant_type: "password", client_id: clientId, username: email, password, audience: managementAudience };
  return stringMember(jsonBody(await service.exchange({ ...body, scope: scopes.join(" ") })), "access_token");
}

/** Registers a key with a user's token. @returns its id. */
async function register(token: string, more: object = {}): Promise<string> {
  return stringMember(jsonBody(await service.call("POST", path, { token, body: { ...key, ...more } }), 201), "id");
}

const credentials = async (query: { readonly [name: string]: string } = {}): Promise<readonly JsonBody[]> =>
  list(await service.manage("GET", `${path}?${new URLSearchParams({ per_page: "100", ...query })}`));
const keysOf = ({ userId }: TestAccount): Promise<readonly JsonBody[]> => credentials({ user_id: userId, type: "public_key" });
const storedKeys = (): Promise<number> => service.data.collections.device_credentials.count({ tenant_id: "main" });

describe("a public key", () => {
  test("is stored for the user and the client of the token, and listed without its value", async () => {
    const token = await tokenOf(service.ada, creates);
    const reply = await service.call("POST", path, { token, body: key });
    expect(reply).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^dcr_/) } });
    const { value: _, ...shown } = key;
    expect(await keysOf(service.ada)).toEqual([
      { ...shown, id: stringMember(jsonBody(reply, 201), "id"), user_id: service.ada.userId, client_id: clientId },
    ]);
    expect(await keysOf(service.bob)).toEqual([]);
    expect(await service.data.collections.device_credentials.find({ where: { tenant_id: "main" }, limit: 2 })).toMatchObject([
      { value: key.value },
    ]);
  });

  test("can be registered for another client of the tenant only", async () => {
    const token = await tokenOf(service.ada, creates);
    await register(token, { client_id: service.spa.clientId });
    expect(await keysOf(service.ada)).toMatchObject([{ client_id: service.spa.clientId }]);
    const other = await (await managerOf(service, "other")).create("/api/v2/clients", { name: "Elsewhere", app_type: "native" });
    for (const client_id of [stringMember(other, "client_id"), "unknown"])
      expectError(await service.call("POST", path, { token, body: { ...key, client_id } }), 400, "invalid_request", "'client_id'");
    expect(await storedKeys()).toBe(1);
  });

  test("is listed after the refresh tokens, with and without a user, a client and a type", async () => {
    await obtainPasswordTokens(service, clientId, service.ada);
    const [token] = await credentials();
    const adas = await tokenOf(service.ada, creates);
    const [first, second] = [await register(adas), await register(adas, { client_id: service.spa.clientId })];
    const third = await register(await tokenOf(service.bob, creates));
    const tokenId = stringMember(token ?? {}, "id");
    const { userId } = service.ada;
    for (const [query, expected] of [
      [{}, [tokenId, first, second, third]],
      [{ user_id: userId }, [tokenId, first, second]],
      [{ client_id: clientId }, [tokenId, first, third]],
      [{ user_id: userId, client_id: clientId }, [tokenId, first]],
      [{ type: "public_key" }, [first, second, third]],
      [{ type: "rotating_refresh_token" }, [tokenId]],
      [{ type: "refresh_token" }, []],
      [{ user_id: service.bob.userId, client_id: service.spa.clientId }, []],
    ] as const)
      expect(
        (await credentials(query)).map(({ id }) => id),
        JSON.stringify(query),
      ).toEqual(expected);
  });

  test("can be deleted by its user, who can repeat the call, and by an administrator", async () => {
    const token = await tokenOf(service.ada, creates, deletes);
    const [first, second] = [await register(token), await register(token)];
    for (let i = 0; i < 2; i++) expect((await service.call("DELETE", `${path}/${first}`, { token })).status).toBe(204);
    expect(await keysOf(service.ada)).toMatchObject([{ id: second }]);
    expect((await service.manage("DELETE", `${path}/${second}`)).status).toBe(204);
    expect(await keysOf(service.ada)).toEqual([]);
  });

  test("has bounded fields, and its value may have any format", async () => {
    const token = await tokenOf(service.ada, creates);
    const { device_name: _, ...nameless } = key;
    for (const [body, field] of [
      [nameless, "device_name"],
      [{ ...key, device_name: "" }, "device_name"],
      [{ ...key, device_name: "x".repeat(256) }, "device_name"],
      [{ ...key, type: "refresh_token" }, "type"],
      [{ ...key, value: "" }, "value"],
      [{ ...key, value: "x".repeat(16_385) }, "value"],
      [{ ...key, device_id: "" }, "device_id"],
      [{ ...key, device_id: "phone" }, "device_id"],
      [{ ...key, device_id: "a".repeat(37) }, "device_id"],
      [{ ...key, client_id: "" }, "client_id"],
      [{ ...key, user_id: service.bob.userId }, "user_id"],
    ] as const) {
      const error = expectError(await service.call("POST", path, { token, body }), 400, "invalid_request", field);
      expect(error).toMatchObject({ statusCode: 400, errorCode: "invalid_body" });
    }
    expect(await storedKeys()).toBe(0);
    await register(token, { device_name: "x".repeat(255), value: "-".repeat(16_384), device_id: "a".repeat(36) });
  });
});

describe("a user has at most 20 keys for a client", () => {
  const addKeys = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await insertPublicKey(service, { userId: service.ada.userId, clientId });
  };

  test("and the next one is a conflict, until a key is deleted", async () => {
    await addKeys(19);
    const token = await tokenOf(service.ada, creates, deletes);
    const last = await register(token);
    expectError(await service.call("POST", path, { token, body: key }), 409, "conflict", "at most 20");
    expect(await keysOf(service.ada)).toHaveLength(20);
    await register(token, { client_id: service.spa.clientId });
    await register(await tokenOf(service.bob, creates));
    await service.call("DELETE", `${path}/${last}`, { token });
    await register(token);
  });

  test("even if requests are parallel", async () => {
    await addKeys(19);
    const token = await tokenOf(service.ada, creates);
    // No request stores its key before all of them are about to.
    const requests = 4;
    const all = Promise.withResolvers<void>();
    let arrived = 0;
    beforeInsert = () => {
      if (++arrived === requests) all.resolve();
      return all.promise;
    };
    await Promise.all(Array.from({ length: requests }, () => service.call("POST", path, { token, body: key })));
    expect(arrived).toBe(requests);
    expect((await keysOf(service.ada)).length).toBeLessThanOrEqual(20);
  });
});

test("without a user, the list has the 1000 newest refresh tokens and the 1000 newest public keys", async () => {
  await obtainPasswordTokens(service, clientId, service.ada);
  await insertPublicKey(service, { userId: service.ada.userId, clientId });
  const { refresh_tokens: tokens, device_credentials: keys } = service.data.collections;
  const where = { tenant_id: "main" };
  const [[token], [publicKey]] = [await tokens.find({ where, limit: 1 }), await keys.find({ where, limit: 1 })];
  if (token === undefined || publicKey === undefined) throw new Error("nothing is stored");
  const numbers = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, "0"));
  for (const number of numbers) {
    await tokens.insert([{ ...token, id: `rt_z${number}`, token_hash: number, user_id: service.bob.userId }]);
    await keys.insert([{ ...publicKey, id: `dcr_z${number}`, user_id: service.bob.userId }]);
  }
  for (const query of ["", `client_id=${clientId}&`]) {
    const page = (more: string) => service.manage("GET", `${path}?${query}include_totals=true&per_page=1&page=${more}`);
    expect(jsonBody(await page("0"))).toMatchObject({ total: 2000, device_credentials: [{ id: "rt_z000" }] });
    expect(jsonBody(await page("1000"))).toMatchObject({ device_credentials: [{ id: "dcr_z000" }] });
  }
  expect(await credentials({ user_id: service.ada.userId })).toHaveLength(2);
});

describe("a token", () => {
  test("requires the scope of the call", async () => {
    const body = key;
    const narrow = await tokenOf(service.ada, deletes, "read:current_user");
    expectError(await service.call("POST", path, { token: narrow, body }), 403, "insufficient_scope", creates);
    const token = await tokenOf(service.ada, creates, "read:current_user");
    const id = await register(token);
    expectError(await service.call("DELETE", `${path}/${id}`, { token }), 403, "insufficient_scope", deletes);
    const own = `${path}?user_id=${encodeURIComponent(service.ada.userId)}`;
    expectError(
      await service.call("GET", own, { token: await tokenOf(service.ada, creates, deletes) }),
      403,
      "insufficient_scope",
      "read:",
    );
    expect(await keysOf(service.ada)).toHaveLength(1);
  });

  test("of another user deletes neither keys nor refresh tokens, and cannot tell that they exist", async () => {
    const id = await register(await tokenOf(service.ada, creates));
    const tokens = await obtainPasswordTokens(service, clientId, service.ada);
    const [refreshToken] = await credentials({ user_id: service.ada.userId, type: "rotating_refresh_token" });
    const bobs = await tokenOf(service.bob, deletes);
    const replies = await Promise.all(
      [id, stringMember(refreshToken ?? {}, "id"), "unknown"].map((each) => service.call("DELETE", `${path}/${each}`, { token: bobs })),
    );
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await credentials({ user_id: service.ada.userId })).toHaveLength(2);
    expect((await exchangeRefreshToken(service, clientId, stringMember(tokens, "refresh_token"))).status).toBe(200);
  });

  test("of a user revokes a refresh token of the same user", async () => {
    const tokens = await obtainPasswordTokens(service, clientId, service.ada);
    const [refreshToken] = await credentials({ user_id: service.ada.userId });
    const token = await tokenOf(service.ada, deletes);
    expect((await service.call("DELETE", `${path}/${stringMember(refreshToken ?? {}, "id")}`, { token })).status).toBe(204);
    expect(await credentials({ user_id: service.ada.userId })).toEqual([]);
    expectError(await exchangeRefreshToken(service, clientId, stringMember(tokens, "refresh_token")), 400, "invalid_grant");
  });

  test("of a client cannot use the scopes of users", async () => {
    const id = await register(await tokenOf(service.ada, creates));
    const token = await tokenWith(service, service.manage, [creates, deletes]);
    expectError(await service.call("POST", path, { token, body: key }), 403, "forbidden", "user");
    for (const each of [id, "unknown"]) expectError(await service.call("DELETE", `${path}/${each}`, { token }), 403, "forbidden", "user");
    expect(await keysOf(service.ada)).toHaveLength(1);
  });

  test("of another tenant neither sees nor deletes a key", async () => {
    const id = await register(await tokenOf(service.ada, creates));
    const other = await managerOf(service, "other");
    const user = { connection: "Username-Password-Authentication", email: "twin@example.test", password: service.ada.password };
    await other.create("/api/v2/users", { ...user, user_id: service.ada.userId.split("|")[1] });
    const query = new URLSearchParams({ user_id: service.ada.userId });
    for (const each of [path, `${path}?${query}`, `${path}?client_id=${clientId}`]) expect(list(await other("GET", each))).toEqual([]);
    expect((await other("DELETE", `${path}/${id}`)).status).toBe(204);
    expect(await keysOf(service.ada)).toHaveLength(1);
  });
});

describe("a key is deleted with", () => {
  const removalOf = (what: string): (() => Promise<unknown>) => {
    const { manage, ada, bob } = service;
    const user = `/api/v2/users/${encodeURIComponent(ada.userId)}`;
    if (what === "its user") return () => manage("DELETE", user);
    if (what === "its client") return () => manage("DELETE", `/api/v2/clients/${clientId}`);
    const primary = `/api/v2/users/${encodeURIComponent(bob.userId)}`;
    return () => manage("POST", `${primary}/identities`, { provider: "auth0", user_id: ada.userId });
  };

  test.each(["its user", "its client", "the link of its user"])("%s", async (what) => {
    await register(await tokenOf(service.ada, creates));
    const bobs = await insertPublicKey(service, { userId: service.bob.userId, clientId: service.spa.clientId });
    await removalOf(what)();
    expect((await credentials({ type: "public_key" })).map(({ id }) => id)).toEqual([bobs]);
    expect(await storedKeys()).toBe(1);
  });

  test.each(["its user", "its client", "the link of its user"])("%s, even if both happen at the same time", async (what) => {
    const token = await tokenOf(service.ada, creates);
    beforeInsert = removalOf(what);
    expectError(await service.call("POST", path, { token, body: key }), 409, "conflict", "another request");
    expect(await storedKeys()).toBe(0);
  });
});
