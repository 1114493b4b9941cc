import type { LogEntry } from "@postern/core";
import { describe, expect, test } from "vitest";
import { sendAuthorization, claimsOf, codeGrant, successParameters, loginState, getFlow, tokens } from "../support/flow.ts";
import { returnFromProvider, signInWithProvider, goToProvider, openFederation, submitProviderSignIn, searchUsers } from "./federation.ts";
import { openScriptedProvider } from "./scripted-provider.ts";

const federation = await openFederation();
const { service, provider } = federation;
await federation.connect();

describe("the state of an authorization request to an identity provider", () => {
  test("is valid once: opening the same callback URL again signs no user in", async () => {
    const browser = service.browser();
    const back = await submitProviderSignIn(
      federation,
      await goToProvider(federation, browser, service.web),
      await provider.addUser("qi@people.example"),
    );
    successParameters(await returnFromProvider(browser, back));
    service.clock.advance("5s");
    const requested = federation.requests.length;
    expect((await returnFromProvider(browser, back)).kind).toBe("login");
    expect((await returnFromProvider(service.browser(), back)).kind).toBe("page");
    expect(federation.requests.length).toBe(requested);
  });

  test("is valid only in the browser that started it, so that a callback URL cannot sign in a victim as another user", async () => {
    const mallory = service.browser();
    const back = await submitProviderSignIn(
      federation,
      await goToProvider(federation, mallory, service.web),
      await provider.addUser("mallory@people.example"),
    );
    const victim = service.browser();
    await sendAuthorization(victim, service.web);
    const result = await returnFromProvider(victim, back);
    expect(result).toMatchObject({ kind: "page", status: 400 });
    expect([...victim.cookies.keys()].some((name) => name.includes("session"))).toBe(false);
  });

  test("is not valid in another login session of the same browser, or with a forged suffix", async () => {
    const browser = service.browser();
    const first = new URL(await goToProvider(federation, browser, service.web));
    const state = first.searchParams.get("state") ?? "";
    const second = loginState(await sendAuthorization(browser, service.web));
    const requested = federation.requests.length;
    for (const forged of [`${second}.${state.split(".").at(-1)}`, `${state}x`, state.slice(0, -1), second, `${second}.`, ".", ""])
      await browser.get(`/login/callback?${new URLSearchParams({ state: forged, code: "c" })}`);
    expect(federation.requests.slice(requested).filter(({ url }) => url.includes("/oauth/token"))).toEqual([]);
  });
});

describe("an account is identified only by the subject at the identity provider", () => {
  test("does not use an existing account with the user id of a subject", async () => {
    const scripted = await openScriptedProvider();
    const { service: localAccount } = scripted;
    const body = {
      connection: "Username-Password-Authentication",
      email: "trojan@evil.example",
      password: "chosen by mallory",
      user_id: "fieldnotes|victim",
    };
    await localAccount.manage.create("/api/v2/users", body);
    const result = await scripted.signInAs({ sub: "victim", email: "victim@people.example", email_verified: true });
    const { id } = tokens(await localAccount.exchange(codeGrant(localAccount.web, successParameters(result)["code"] ?? "")));
    expect(claimsOf(id)).toMatchObject({ email: "victim@people.example" });
    expect(claimsOf(id).sub).not.toBe("fieldnotes|victim");
    const repeated = successParameters(await scripted.signInAs({ sub: "victim", email: "victim@people.example", email_verified: true }));
    expect(claimsOf(tokens(await localAccount.exchange(codeGrant(localAccount.web, repeated["code"] ?? ""))).id).sub).toBe(
      claimsOf(id).sub,
    );
  });

  test("creates separate accounts for subjects that differ in case, are long, or do not fit into a user id", async () => {
    const scripted = await openScriptedProvider();
    const { service: localAccount } = scripted;
    const subjects = [
      "Abc",
      "abc",
      "ABC",
      "x".repeat(3000),
      `${"x".repeat(2999)}y`,
      "with space",
      "ümlaut",
      "a|b",
      "m@clients",
      "sha256.x",
      "%00",
      "1",
    ];
    const ids = new Set<unknown>();
    for (const sub of subjects) {
      const { id } = tokens(
        await localAccount.exchange(codeGrant(localAccount.web, successParameters(await scripted.signInAs({ sub }))["code"] ?? "")),
      );
      const { sub: ourSub = "" } = claimsOf(id);
      expect(ourSub).toMatch(/^fieldnotes\|[\x21-\x7e]{1,240}$/);
      expect(ourSub).not.toMatch(/@clients$/);
      ids.add(ourSub);
      expect(
        claimsOf(
          tokens(
            await localAccount.exchange(codeGrant(localAccount.web, successParameters(await scripted.signInAs({ sub }))["code"] ?? "")),
          ).id,
        ).sub,
      ).toBe(ourSub);
    }
    expect(ids.size).toBe(subjects.length);
  });

  test("ignores the email address of the identity provider, which signs in to no other account", async () => {
    const scripted = await openScriptedProvider();
    const { service: localAccount } = scripted;
    const first = successParameters(await scripted.signInAs({ sub: "mutable", email: "one@people.example", email_verified: true }));
    const { sub } = claimsOf(tokens(await localAccount.exchange(codeGrant(localAccount.web, first["code"] ?? ""))).id);
    const second = successParameters(await scripted.signInAs({ sub: "mutable", email: "ada@example.test", email_verified: true }));
    expect(claimsOf(tokens(await localAccount.exchange(codeGrant(localAccount.web, second["code"] ?? ""))).id)).toMatchObject({
      sub,
      email: "ada@example.test",
    });
    for (const email of ["ada@example.test", "ADA@example.test"]) {
      const result = await scripted.signInAs({ sub: `new ${email}`, email, email_verified: true });
      expect(result).toMatchObject({ kind: "login", step: "link-account" });
    }
  });

  test("finds the existing account by both spellings of an internationalized domain", async () => {
    const scripted = await openScriptedProvider();
    await scripted.service.addUser("o'neil@bücher.example");
    for (const email of ["o'neil@bücher.example", "O'Neil@XN--BCHER-KVA.example"]) {
      const result = await scripted.signInAs({ sub: email, email, email_verified: true });
      expect(result).toMatchObject({ kind: "login", step: "link-account" });
    }
    const own = await scripted.signInAs({ sub: "own", email: "r&d=1/x@почта.рф", email_verified: true });
    const { id } = tokens(await scripted.service.exchange(codeGrant(scripted.service.web, successParameters(own)["code"] ?? "")));
    expect(claimsOf(id)).toMatchObject({ email: "r&d=1/x@xn--80a1acny.xn--p1ai", email_verified: true });
  });

  test("an invalid email address from a provider is omitted from the account, and a warning names the user", async () => {
    const logged: LogEntry[] = [];
    const scripted = await openScriptedProvider({}, { logger: { log: (entry) => void logged.push(entry) } });
    const { service: localAccount } = scripted;
    for (const email of ["not an address", 7, { a: 1 }, "аda@example.test", `${"x".repeat(400)}@people.example`]) {
      const { id } = tokens(
        await localAccount.exchange(
          codeGrant(
            localAccount.web,
            successParameters(await scripted.signInAs({ sub: `odd ${JSON.stringify(email)}`, email, email_verified: true }))["code"] ?? "",
          ),
        ),
      );
      expect(claimsOf(id)).not.toHaveProperty("email");
    }
    const warnings = logged.filter(({ event }) => event === "provider_email_invalid");
    expect(warnings).toHaveLength(4);
    expect(warnings[0]).toMatchObject({ connection: "fieldnotes", subject: 'odd "not an address"' });
  });
});

describe("a rejected user", () => {
  test("gets no session if an administrator blocked the account", async () => {
    const uma = await provider.addUser("uma@people.example");
    successParameters(await signInWithProvider(federation, uma));
    const [user] = await searchUsers(federation, "email:uma@people.example");
    await service.manage("PATCH", `/api/v2/users/${encodeURIComponent(String(user?.["user_id"]))}`, { blocked: true });
    const browser = service.browser();
    const result = await returnFromProvider(
      browser,
      await submitProviderSignIn(federation, await goToProvider(federation, browser, service.web), uma),
    );
    expect(await getFlow(browser, loginState(result))).toMatchObject({ screen: { name: "identifier", problem: "blocked" } });
  });

  test("sees that the connection is closed for sign-ups, and existing users can sign in", async () => {
    const closed = await openFederation();
    const connection = await closed.connect();
    const vic = await closed.provider.addUser("vic@people.example");
    successParameters(await signInWithProvider(closed, vic));
    const options = { ...Object(connection["options"]), disable_signup: true };
    await closed.service.manage("PATCH", `/api/v2/connections/${String(connection["id"])}`, { options });
    closed.service.clock.advance("6s");
    successParameters(await signInWithProvider(closed, vic));
    const browser = closed.service.browser();
    const wes = await closed.provider.addUser("wes@people.example");
    const result = await returnFromProvider(
      browser,
      await submitProviderSignIn(closed, await goToProvider(closed, browser, closed.service.web), wes),
    );
    expect(await getFlow(browser, loginState(result))).toMatchObject({ screen: { name: "identifier", problem: "provider-closed" } });
    expect(await searchUsers(closed, "email:wes@people.example")).toEqual([]);
  });

  test("gets no session if the connection was disabled during the login", async () => {
    const off = await openFederation();
    const connection = await off.connect();
    const browser = off.service.browser();
    const back = await submitProviderSignIn(
      off,
      await goToProvider(off, browser, off.service.web),
      await off.provider.addUser("xia@people.example"),
    );
    await off.service.manage("PATCH", `/api/v2/connections/${String(connection["id"])}/clients`, [
      { client_id: off.service.web.clientId, status: false },
    ]);
    off.service.clock.advance("6s");
    const result = await returnFromProvider(browser, back);
    expect(await getFlow(browser, loginState(result))).toMatchObject({ screen: { name: "identifier", problem: "provider-failed" } });
    expect(await searchUsers(off, "email:xia@people.example")).toEqual([]);
  });
});

test("redirects a form post from the identity provider to a GET request, with which the browser sends its cookies", async () => {
  const browser = service.browser();
  const back = new URL(
    await submitProviderSignIn(
      federation,
      await goToProvider(federation, browser, service.web),
      await provider.addUser("yan@people.example"),
    ),
  );
  const stranger = service.browser();
  const redirected = await stranger.post("/login/callback", {
    form: Object.fromEntries(back.searchParams),
    headers: { origin: "https://upstream.example.test" },
  });
  expect(redirected.status).toBe(303);
  successParameters(await returnFromProvider(browser, redirected.headers.get("location") ?? ""));
});
