import { describe, expect, test } from "vitest";
import { successParameters } from "../support/flow.ts";
import { findUsers } from "./journey.ts";
import { expectFailure, makeKey, openScriptedProvider } from "./scripted-provider.ts";

const provider = await openScriptedProvider();
const { service } = provider;
const right = { sub: "s-1", email: "pia@people.example", email_verified: true };

test("a right answer signs in", async () => {
  successParameters(await provider.signInAs(right));
});

describe("an ID token is refused, with the reason in the log,", () => {
  const now = Math.floor(service.clock.now() / 1000);
  test.each([
    ["of another issuer", { iss: "https://evil.example/" }, /iss/],
    ["for another client", { aud: "another" }, /aud/],
    ["for several clients, authorized for another", { aud: ["we", "another"], azp: "another" }, /azp/],
    ["for us alone, authorized for another", { aud: "we", azp: "another" }, /azp/],
    ["for us in a list, authorized for another", { aud: ["we"], azp: "another" }, /azp/],
    ["for several clients, authorized for none", { aud: ["we", "another"] }, /aud|azp/],
    ["whose azp is no text", { aud: "we", azp: 1 }, /azp/],
    ["with another nonce", { nonce: "another" }, /nonce/],
    ["without a nonce", { nonce: undefined }, /nonce/],
    ["that is over", { exp: now - 600, iat: now - 1200 }, /exp/],
    ["without a subject", { sub: undefined }, /sub/],
    ["whose subject is no text", { sub: { a: 1 } }, /sub/],
    ["whose subject has a NUL", { sub: "s-\u00001" }, /who the person is/],
    ["whose subject has half a surrogate pair", { sub: "s-\ud800" }, /who the person is/],
  ])("%s", async (_, claims, reason) => {
    const { description } = await expectFailure(provider, await provider.signInAs({ ...right, ...claims }));
    expect(description).toMatch(reason);
  });

  test("signed with a key that is not the provider's", async () => {
    const { description } = await expectFailure(
      provider,
      await provider.signInAs(right, { key: { ...(await makeKey("one")), kid: "one" } }),
    );
    expect(description).toMatch(/signature/);
  });

  test("signed with a key that nobody knows", async () => {
    await expectFailure(provider, await provider.signInAs(right, { key: await makeKey("unknown") }));
  });

  test("that is not signed", async () => {
    const none = (): Response => {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
      const idToken = `${part({ alg: "none" })}.${part({ ...right, iss: "https://upstream.example.test/", aud: "we", iat: now, exp: now + 60 })}.`;
      return Response.json({ access_token: "at", token_type: "Bearer", id_token: idToken });
    };
    await answering("/token", none);
  });
});

test("keys that the provider replaced are looked up anew", async () => {
  provider.keys.current = await makeKey("two");
  successParameters(await provider.signInAs(right));
});

test("an ID token for several clients that is authorized for us signs in", async () => {
  successParameters(await provider.signInAs({ ...right, aud: ["we", "another"], azp: "we" }));
  successParameters(await provider.signInAs({ ...right, azp: "we" }));
});

test.each(["\u0000", "\ud800", "\udc00"])("text that no database stores is dropped, and the user signs in: %j", async (bad) => {
  const other = await openScriptedProvider();
  const claims = {
    sub: "s-9",
    email: `pia${bad}@people.example`,
    email_verified: true,
    name: `Pia${bad}`,
    nickname: `pia${bad}`,
    preferred_username: `pia${bad}`,
    given_name: `Pia${bad}`,
    family_name: `Lee${bad}`,
    picture: `https://people.example/${bad}`,
    groups: [`a${bad}`],
  };
  successParameters(await other.signInAs(claims));
  const [user, ...others] = await findUsers(other, "connection:fieldnotes");
  expect(others).toEqual([]);
  expect(user).toMatchObject({ user_id: "fieldnotes|s-9" });
  const stored = JSON.stringify(user);
  expect([stored.includes("\\u0000"), stored.includes("\\ud800"), stored.includes("\\udc00")]).toEqual([false, false, false]);
});

test("a name that is too long is cut between characters", async () => {
  const other = await openScriptedProvider();
  successParameters(await other.signInAs({ ...right, name: `${"x".repeat(299)}\u{1f600}` }));
  const [user] = await findUsers(other, "connection:fieldnotes");
  expect(String(user?.["name"]).isWellFormed()).toBe(true);
});

describe("an answer that does not say who somebody is leads back to the page, with the reason in the log:", () => {
  test.each([
    ["an error", "/token", () => Response.json({ error: "invalid_client" }, { status: 401 })],
    ["a fault", "/token", () => new Response("Internal Server Error", { status: 500 })],
    ["a page", "/token", () => new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } })],
    ["nothing", "/token", () => new Response(null, { status: 204 })],
    ["a redirect", "/token", () => new Response(null, { status: 302, headers: { location: "http://169.254.169.254/latest/meta-data/" } })],
    ["no ID token", "/token", () => Response.json({ access_token: "at", token_type: "Bearer" })],
    ["a list", "/token", () => Response.json([])],
    ["a connection that breaks", "/token", () => Promise.reject(new TypeError("fetch failed"))],
  ] as const)("%s", async (_, path, answer) => {
    await answering(path, answer);
  });

  test("one that never ends its waiting is given up after five seconds", async () => {
    const began = performance.now();
    await answering(
      "/token",
      (request) => new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(new Error("aborted")))),
    );
    expect(performance.now() - began).toBeLessThan(7000);
  });
});

async function answering(path: string, answer: (request: Request) => Response | Promise<Response>): Promise<void> {
  provider.responses.set(path, answer);
  try {
    await expectFailure(provider, await provider.signInAs(right));
  } finally {
    provider.responses.delete(path);
  }
}

describe("what comes back in the address", () => {
  test("of another issuer is refused: the answer of one provider for another (mix-up)", async () => {
    const { description } = await expectFailure(provider, await provider.signInAs(right, { answer: { iss: "https://evil.example/" } }));
    expect(description).toMatch(/iss/);
  });

  test("without the issuer that the provider promised is refused", async () => {
    await expectFailure(provider, await provider.signInAs(right, { answer: { iss: undefined } }));
  });

  test("without a code is refused", async () => {
    await expectFailure(provider, await provider.signInAs(right, { answer: { code: undefined } }));
  });

  test("that the person said no is said as that", async () => {
    const reached = await provider.signInAs(right, { answer: { code: undefined, error: "access_denied", error_description: "not today" } });
    const { description } = await expectFailure(provider, reached, "provider-declined");
    expect(description).toMatch(/^authorization response .*: access_denied: not today$/);
  });
});

test("nobody was made by any of these", async () => {
  expect(await findUsers(provider, "connection:fieldnotes")).toHaveLength(1);
});
