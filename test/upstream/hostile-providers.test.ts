import { describe, expect, test } from "vitest";
import { successParameters } from "../support/flow.ts";
import { searchUsers } from "./federation.ts";
import { expectFailure, makeKey, openScriptedProvider } from "./scripted-provider.ts";

const provider = await openScriptedProvider();
const { service } = provider;
const right = { sub: "s-1", email: "pia@people.example", email_verified: true };

test("signs in after a valid response", async () => {
  successParameters(await provider.signInAs(right));
});

describe("a rejected ID token", () => {
  const now = Math.floor(service.clock.now() / 1000);
  test.each([
    ["of another issuer", { iss: "https://evil.example/" }, /iss/],
    ["for another client", { aud: "another" }, /aud/],
    ["for several clients, authorized for another", { aud: ["we", "another"], azp: "another" }, /azp/],
    ["for this client only, authorized for another", { aud: "we", azp: "another" }, /azp/],
    ["for this client in a list, authorized for another", { aud: ["we"], azp: "another" }, /azp/],
    ["for several clients, without azp", { aud: ["we", "another"] }, /aud|azp/],
    ["whose azp is not a string", { aud: "we", azp: 1 }, /azp/],
    ["with another nonce", { nonce: "another" }, /nonce/],
    ["without a nonce", { nonce: undefined }, /nonce/],
    ["that expired", { exp: now - 600, iat: now - 1200 }, /exp/],
    ["without a subject", { sub: undefined }, /sub/],
    ["whose subject is not a string", { sub: { a: 1 } }, /sub/],
    ["whose subject has a NUL", { sub: "s-\u00001" }, /does not identify the user/],
    ["whose subject has an unpaired surrogate", { sub: "s-\ud800" }, /does not identify the user/],
  ])("rejects an ID token %s, and logs the reason", async (_, claims, reason) => {
    const { description } = await expectFailure(provider, await provider.signInAs({ ...right, ...claims }));
    expect(description).toMatch(reason);
  });

  test("rejects an ID token that is signed with another key under the provider's key id, and logs the reason", async () => {
    const { description } = await expectFailure(
      provider,
      await provider.signInAs(right, { key: { ...(await makeKey("one")), kid: "one" } }),
    );
    expect(description).toMatch(/signature/);
  });

  test("rejects an ID token that is signed with an unknown key", async () => {
    await expectFailure(provider, await provider.signInAs(right, { key: await makeKey("unknown") }));
  });

  test("rejects an ID token that is not signed", async () => {
    const none = (): Response => {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
      const idToken = `${part({ alg: "none" })}.${part({ ...right, iss: "https://upstream.example.test/", aud: "we", iat: now, exp: now + 60 })}.`;
      return Response.json({ access_token: "at", token_type: "Bearer", id_token: idToken });
    };
    await expectFailureWith("/token", none);
  });
});

test("fetches the provider's keys again after they were rotated", async () => {
  provider.keys.current = await makeKey("two");
  successParameters(await provider.signInAs(right));
});

test("signs in at a provider whose metadata has null members", async () => {
  const path = "/.well-known/openid-configuration";
  const other = await openScriptedProvider();
  const metadata = (await (await other.defaultResponse(path)).json()) as object;
  const unset = {
    userinfo_endpoint: null,
    token_endpoint_auth_methods_supported: null,
    require_pushed_authorization_requests: null,
    end_session_endpoint: null,
  };
  other.responses.set(path, () => Response.json({ ...metadata, ...unset }));
  successParameters(await other.signInAs(right));
});

test("accepts an ID token for several clients if its azp is this client", async () => {
  successParameters(await provider.signInAs({ ...right, aud: ["we", "another"], azp: "we" }));
  successParameters(await provider.signInAs({ ...right, azp: "we" }));
});

test.each(["\u0000", "\ud800", "\udc00"])("removes characters that a database cannot store, and signs the user in: %j", async (invalid) => {
  const other = await openScriptedProvider();
  const claims = {
    sub: "s-9",
    email: `pia${invalid}@people.example`,
    email_verified: true,
    name: `Pia${invalid}`,
    nickname: `pia${invalid}`,
    preferred_username: `pia${invalid}`,
    given_name: `Pia${invalid}`,
    family_name: `Lee${invalid}`,
    picture: `https://people.example/${invalid}`,
    groups: [`a${invalid}`],
  };
  successParameters(await other.signInAs(claims));
  const [user, ...others] = await searchUsers(other, "connection:fieldnotes");
  expect(others).toEqual([]);
  expect(user).toMatchObject({ user_id: "fieldnotes|s-9" });
  const stored = JSON.stringify(user);
  expect([stored.includes("\\u0000"), stored.includes("\\ud800"), stored.includes("\\udc00")]).toEqual([false, false, false]);
});

test("truncates a long name between characters", async () => {
  const other = await openScriptedProvider();
  successParameters(await other.signInAs({ ...right, name: `${"x".repeat(299)}\u{1f600}` }));
  const [user] = await searchUsers(other, "connection:fieldnotes");
  expect(String(user?.["name"]).isWellFormed()).toBe(true);
});

describe("an invalid response of the identity provider", () => {
  test.each([
    ["an error", "/token", () => Response.json({ error: "invalid_client" }, { status: 401 })],
    ["a server error", "/token", () => new Response("Internal Server Error", { status: 500 })],
    ["a page", "/token", () => new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } })],
    ["an empty response", "/token", () => new Response(null, { status: 204 })],
    ["a redirect", "/token", () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/latest/meta-data/" } })],
    ["no ID token", "/token", () => Response.json({ access_token: "at", token_type: "Bearer" })],
    ["a list", "/token", () => Response.json([])],
    ["a broken connection", "/token", () => Promise.reject(new TypeError("fetch failed"))],
  ] as const)("returns to the login page and logs the reason for %s", async (_, path, response) => {
    await expectFailureWith(path, response);
  });

  test("cancels a request that does not end after five seconds", async () => {
    const startedAt = performance.now();
    await expectFailureWith(
      "/token",
      (request) => new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(new Error("aborted")))),
    );
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

async function expectFailureWith(path: string, response: (request: Request) => Response | Promise<Response>): Promise<void> {
  provider.responses.set(path, response);
  try {
    await expectFailure(provider, await provider.signInAs(right));
  } finally {
    provider.responses.delete(path);
  }
}

describe("parameters of the callback", () => {
  test("rejects an iss of another issuer (mix-up)", async () => {
    const { description } = await expectFailure(provider, await provider.signInAs(right, { callback: { iss: "https://evil.example/" } }));
    expect(description).toMatch(/iss/);
  });

  test("rejects a missing iss that the provider's metadata announces", async () => {
    await expectFailure(provider, await provider.signInAs(right, { callback: { iss: undefined } }));
  });

  test("rejects a missing code", async () => {
    await expectFailure(provider, await provider.signInAs(right, { callback: { code: undefined } }));
  });

  test("shows that the user declined", async () => {
    const result = await provider.signInAs(right, {
      callback: { code: undefined, error: "access_denied", error_description: "not today" },
    });
    const { description } = await expectFailure(provider, result, "provider-declined");
    expect(description).toMatch(/^authorization response .*: access_denied: not today$/);
  });
});

test("no rejected response created a user", async () => {
  expect(await searchUsers(provider, "connection:fieldnotes")).toHaveLength(1);
});
