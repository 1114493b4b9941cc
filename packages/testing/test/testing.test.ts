import { createTestIdp, type TestIdp } from "@postern/testing";
import { beforeEach, describe, expect, test } from "vitest";

let idp: TestIdp;
beforeEach(async () => {
  idp = await createTestIdp();
  return () => idp.close();
});

const claims = (token = ""): { readonly [name: string]: unknown } =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

const refresh = async (refreshToken = ""): Promise<number> => {
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: idp.clientId });
  return (await idp.fetch(new Request(`${idp.issuer}oauth/token`, { method: "POST", body }))).status;
};

const userinfo = async (accessToken: string): Promise<number> =>
  (await idp.fetch(new Request(`${idp.issuer}userinfo`, { headers: { authorization: `Bearer ${accessToken}` } }))).status;

test("creates a user and signs them in, with the requested claims and API", async () => {
  await idp.seed({
    apis: [{ identifier: "https://api.test", scopes: [{ value: "read" }] }],
    roles: [{ name: "Reader", permissions: { "https://api.test": ["read"] } }],
  });
  const ada = await idp.createUser({ name: "Ada", roles: ["Reader"], app_metadata: { plan: "free" } });
  const { accessToken, idToken, refreshToken, scope } = await idp.signIn(ada, {
    audience: "https://api.test",
    scope: "openid profile email offline_access read",
  });
  expect(claims(idToken)).toMatchObject({
    sub: ada.userId,
    name: "Ada",
    email: ada.email,
    email_verified: true,
    iss: idp.issuer,
    aud: idp.clientId,
  });
  expect(claims(accessToken)).toMatchObject({ sub: ada.userId, tenant_id: "main", scope: "openid profile email read" });
  expect([refreshToken, scope.split(" ")]).toEqual([undefined, ["openid", "profile", "email", "read"]]);
  expect(await idp.api.users.get(ada.userId)).toMatchObject({ app_metadata: { plan: "free" } });
});

test("sessions, codes and tokens expire after 31 days", async () => {
  const ada = await idp.createUser();
  const { accessToken, refreshToken } = await idp.signIn(ada);
  const cookie = await idp.cookie(ada);
  await idp.api.connections.create({ name: "email", strategy: "email" });
  const request = { client_id: idp.clientId, connection: "email", email: ada.email, send: "code" };
  const start = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) };
  const { status } = await idp.fetch(new Request(`${idp.issuer}passwordless/start`, start));
  const { code = "" } = await idp.messages.next({ to: ada.email });
  expect([status, code]).toEqual([200, expect.stringMatching(/^\d{6}$/)]);
  const silent = async (): Promise<string> => {
    const query = new URLSearchParams({
      client_id: idp.clientId,
      redirect_uri: "http://localhost:3000/callback",
      response_type: "code",
      prompt: "none",
      scope: "openid",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    });
    const response = await idp.fetch(new Request(`${idp.issuer}authorize?${query}`, { headers: { cookie } }));
    return response.headers.get("location") ?? "";
  };
  const byCode = async (): Promise<number> => {
    const grant = "http://auth0.com/oauth/grant-type/passwordless/otp";
    const body = new URLSearchParams({ grant_type: grant, client_id: idp.clientId, username: ada.email, otp: code, realm: "email" });
    return (await idp.fetch(new Request(`${idp.issuer}oauth/token`, { method: "POST", body }))).status;
  };
  expect([await userinfo(accessToken), (await silent()).includes("code=")]).toEqual([200, true]);
  idp.clock.advance("31d");
  expect([await userinfo(accessToken), await refresh(refreshToken), await byCode()]).toEqual([401, 400, 400]);
  expect(await silent()).toContain("error=login_required");
});

test("stores voice calls next to text messages, and waits for either", async () => {
  await idp.api.guardian.factors.replace("sms", { enabled: true });
  await idp.api.guardian.factors.phone.messageTypes.replace({ message_types: ["sms", "voice"] });
  await idp.api.guardian.policies.replace(["all-applications"]);
  const grant_types = ["password", "http://auth0.com/oauth/grant-type/mfa-oob"];
  await idp.seed({ clients: [{ clientId: "native", settings: { name: "Native", app_type: "native", grant_types } }] });
  const ada = await idp.createUser();
  const post = async (path: string, body: object, token?: string): Promise<{ readonly [name: string]: unknown }> => {
    const headers = { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await (await idp.fetch(new Request(`${idp.issuer}${path}`, init))).json()) as { readonly [name: string]: unknown };
  };
  const signIn = { grant_type: "password", client_id: "native", username: ada.email, password: ada.password };
  const mfa_token = String((await post("oauth/token", signIn))["mfa_token"]);
  const phone_number = "+4915112345678";
  const addPhone = (channel: string) =>
    post("mfa/associate", { authenticator_types: ["oob"], oob_channels: [channel], phone_number }, mfa_token);
  await addPhone("sms");
  const { oob_code } = await addPhone("voice");
  const call = await idp.messages.next({ to: phone_number, channel: "voice" });
  const { code = "" } = call;
  const text = expect.stringContaining(code.split("").join(", "));
  expect(call).toEqual({ channel: "voice", tenantId: "main", to: phone_number, template: "mfa_oob_code", text, code });
  await expect(idp.messages.next({ channel: "voice", timeout: 20 })).rejects.toThrow(
    `expected voice; arrived: mfa_oob_code to ${phone_number}; voice mfa_oob_code to ${phone_number}, already returned`,
  );
  expect(await idp.messages.next({ to: phone_number })).toMatchObject({ channel: "sms" });
  const grant_type = "http://auth0.com/oauth/grant-type/mfa-oob";
  const tokens = await post("oauth/token", { grant_type, client_id: "native", mfa_token, oob_code, binding_code: code });
  expect(await userinfo(String(tokens["access_token"]))).toBe(200);
});

test("200 concurrent tenants are isolated from each other", async () => {
  const seen = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const tenant = await idp.tenant();
      const user = await tenant.createUser({ email: "ada@example.test", name: `Ada ${index}` });
      const { idToken } = await tenant.signIn(user);
      const users = await tenant.api.users.list();
      return [claims(idToken)["name"], users.map(({ name }) => name), tenant.messages.all];
    }),
  );
  expect(seen).toEqual(Array.from({ length: 200 }, (_, index) => [`Ada ${index}`, [`Ada ${index}`], []]));
});

test("returns the same tenant for the same id, and separates the messages of tenants", async () => {
  const [first, second] = await Promise.all([idp.tenant("worker-1"), idp.tenant("worker-1")]);
  expect(first).toBe(second);
  const other = await idp.tenant("worker-2");
  const ada = await first.createUser();
  await first.api.tickets.passwordChange.create({ user_id: ada.userId });
  await first.api.jobs.verificationEmail.create({ user_id: ada.userId });
  const mail = await first.messages.next({ to: ada.email });
  expect(mail).toMatchObject({ channel: "email", tenantId: "worker-1", link: expect.stringContaining("ticket=") });
  expect(other.messages.all).toEqual([]);
});

test("storageState returns the session cookie in Playwright's format", async () => {
  const state = await idp.storageState(await idp.createUser());
  expect(state.origins).toEqual([]);
  const session = state.cookies.find(({ expires }) => expires !== -1);
  expect(session).toMatchObject({ domain: "idp.test", path: "/", httpOnly: true, secure: true, sameSite: "None" });
  expect(session?.expires).toBeGreaterThan(idp.clock.now() / 1000);
});

test("ids are the same in each run with a seed, and random without one", async () => {
  const run = async (seed?: string): Promise<string> => {
    await using one = await createTestIdp(seed === undefined ? {} : { seed });
    const { idToken } = await one.signIn(await one.createUser());
    return String(claims(idToken)["sub"]).slice(-16);
  };
  expect(await run("a")).toBe(await run("a"));
  expect(await run("a")).not.toBe(await run("b"));
  expect(await run()).not.toBe(await run());
});

test("listens for HTTP requests, and stops after `await using`", async () => {
  let issuer = "";
  {
    await using listening = await createTestIdp({ listen: true });
    ({ issuer } = listening);
    const discovery = await (await fetch(`${issuer}.well-known/openid-configuration`)).json();
    expect(discovery).toMatchObject({ issuer });
    expect((await listening.signIn(await listening.createUser())).accessToken).toBeDefined();
  }
  await expect(fetch(issuer)).rejects.toThrow();
});

describe("error messages", () => {
  test("name the cause: a wrong password, an unknown client, an unregistered callback or an unknown role", async () => {
    const ada = await idp.createUser();
    await expect(idp.signIn({ ...ada, password: "wrong" })).rejects.toThrow('the login failed with 403: {"error":"INVALID_CREDENTIALS"');
    await expect(idp.signIn(ada, { clientId: "unknown" })).rejects.toMatchObject({ code: "not_found" });
    await expect(idp.signIn(ada, { redirectUri: "https://evil.example/" })).rejects.toThrow("the authorization request failed with 400");
    await expect(idp.signIn(ada, { audience: "https://nowhere.test" })).rejects.toThrow("the sign-in ended with");
    await expect(idp.createUser({ roles: ["Boss"] })).rejects.toThrow("the role 'Boss' does not exist");
    expect(() => idp.clock.advance("31 parsecs")).toThrow("not a duration: '31 parsecs'");
  });

  test("list the messages that arrived instead of the expected one", async () => {
    const ada = await idp.createUser();
    await idp.api.jobs.verificationEmail.create({ user_id: ada.userId });
    await expect(idp.messages.next({ to: "bob@example.test", timeout: 20 })).rejects.toThrow(
      `no message arrived within 20 ms: expected to bob@example.test; arrived: verify_email to ${ada.email}`,
    );
    await idp.messages.next();
    await expect(idp.messages.next({ timeout: 20 })).rejects.toThrow("already returned");
  });
});

describe("a test provider", () => {
  test("signs in a user that the test defines, and signs the same user in again", async () => {
    const google = await idp.addProvider("google");
    const providerUser = { sub: "1101", email: "ada@gmail.com", name: "Ada" };
    const first = claims((await google.signIn(providerUser)).idToken);
    expect(first).toMatchObject({ email: "ada@gmail.com", email_verified: true, name: "Ada" });
    expect(claims((await google.signIn({ ...providerUser, name: "Ada L." })).idToken)).toMatchObject({ sub: first["sub"], name: "Ada L." });
    expect(claims((await google.signIn({ ...providerUser, sub: "1102", email: "bob@gmail.com" })).idToken)["sub"]).not.toBe(first["sub"]);
    expect(await idp.api.users.list({ q: "email:ada@gmail.com" })).toMatchObject([
      { logins_count: 2, identities: [{ connection: "google" }] },
    ]);
  });

  test("belongs to one tenant: the same user of the provider becomes a different user in another tenant", async () => {
    const other = await idp.tenant();
    const [one, two] = await Promise.all([idp.addProvider(), other.addProvider()]);
    const providerUser = { sub: "1", email: "ada@example.test" };
    await one.signIn(providerUser);
    expect(await other.api.users.list({})).toEqual([]);
    await two.signIn(providerUser);
    expect(await other.api.users.list({})).toMatchObject([{ email: providerUser.email }]);
  });

  test("is offered in addition to the password", async () => {
    const ada = await idp.createUser();
    await idp.addProvider("one");
    await idp.addProvider("two");
    expect(claims((await idp.signIn(ada)).idToken)).toMatchObject({ sub: ada.userId });
    const { connections } = await idp.api.clients.connections.list(idp.clientId);
    expect(connections.map(({ name }) => name)).toEqual(["Username-Password-Authentication", "one", "two"]);
  });

  test("names the screen at which a sign-in stopped", async () => {
    const ada = await idp.createUser({ email: "ada@example.test" });
    const provider = await idp.addProvider();
    await expect(provider.signIn({ sub: "1", email: ada.email })).rejects.toThrow("the sign-in stopped at the screen 'link-account'");
  });

  test("has a login page for browsers, and accepts each code only once", async () => {
    const { connection } = await idp.addProvider("github");
    const { options } = (await idp.api.connections.list({ name: connection }))[0] ?? {};
    const { issuer } = Object(options) as { readonly issuer: string };
    const authorize = `${issuer}authorize?${new URLSearchParams({ redirect_uri: "https://idp.test/login/callback", state: "s" })}`;
    expect(await (await fetch(authorize)).text()).toContain('<input id="email" name="email" type="email" autofocus>');
    const body = new URLSearchParams({ email: "ada@example.test", name: "Ada" });
    const back = new URL((await fetch(authorize, { method: "POST", body, redirect: "manual" })).headers.get("location") ?? "");
    expect(back.searchParams.get("state")).toBe("s");
    const exchange = () =>
      fetch(`${issuer}token`, { method: "POST", body: new URLSearchParams({ code: back.searchParams.get("code") ?? "" }) });
    const tokens = (await (await exchange()).json()) as { readonly id_token: string };
    expect(claims(tokens.id_token)).toMatchObject({ iss: issuer, email: "ada@example.test", email_verified: true, name: "Ada" });
    expect((await exchange()).status).toBe(400);
  });
});
