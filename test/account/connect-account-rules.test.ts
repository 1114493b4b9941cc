import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, stringMember } from "../support/api.ts";
import { goToProvider, submitProviderSignIn } from "../upstream/federation.ts";
import { clientCallback, completionOf, connectLocation, openConnectScene, receivedIn, type ConnectScene } from "./connecting.ts";
import { signInBrowser } from "./page.ts";

/** The rules for clients, sizes, rates and browsers that connect an account. */

let scene: ConnectScene;
beforeEach(async () => {
  scene = await openConnectScene();
});

const notConnected = async () =>
  (await auditEvents(scene.service.manage, "f")).filter(({ description }) => String(description).startsWith("Not connected"));
const disable = (path: string) => scene.service.manage("DELETE", path);

describe("a client", () => {
  test("that is not first-party cannot begin or complete a link", async () => {
    const { service } = scene;
    const begun = await scene.connect();
    const { connect_code: code = "" } = receivedIn(await scene.browser.get(await scene.signIn(begun)));
    await service.manage("PATCH", `/api/v2/clients/${service.spa.clientId}`, { is_first_party: false });
    service.clock.advance("6s");
    for (const reply of [await scene.connectReply(), await scene.completeReply(completionOf(begun, code))])
      expect(reply).toMatchObject({ status: 403, body: { detail: expect.stringContaining("first-party") } });
    await service.manage("PATCH", `/api/v2/clients/${service.spa.clientId}`, { is_first_party: true });
    service.clock.advance("6s");
    expect((await scene.completeReply(completionOf(begun, code))).status).toBe(201);
  });
});

describe("the stored request", () => {
  test("has the limit of an authorization request", async () => {
    const reply = await scene.connectReply({ state: "\u0001".repeat(2048), scopes: Array.from({ length: 8 }, () => "\u0001".repeat(255)) });
    expect(reply).toMatchObject({ status: 400, body: { detail: expect.stringContaining("16384 bytes") } });
  });

  test("has at most 2,048 characters of scopes", async () => {
    const scopes = Array.from({ length: 16 }, () => "s".repeat(127));
    expect((await scene.connectReply({ scopes })).status).toBe(201);
    expect((await scene.connectReply({ scopes: [...scopes, "s"] })).status).toBe(400);
  });
});

test("only the links of public clients count against the limit for logins of an IP address", async () => {
  scene = await openConnectScene({ limits: { loginSessionBytesPerAddress: 50_000 } });
  const { service } = scene;
  const webToken = await scene.tokenFor(service.ada, service.web);
  const state = "s".repeat(2048);
  const statuses = async (bearer?: string) => {
    const replies: number[] = [];
    for (let number = 0; number < 30; number++) replies.push((await scene.connectReply({ state }, bearer)).status);
    return new Set(replies);
  };
  expect(await statuses(webToken)).toEqual(new Set([201]));
  expect(await statuses()).toEqual(new Set([201, 429]));
  expect(await statuses(webToken)).toEqual(new Set([201]));
});

describe("the browser", () => {
  test("that opens a ticket twice at the same time continues once, and the other page says why", async () => {
    const begun = await scene.connect();
    const replies = await Promise.all([scene.browser.get(begun.url), scene.browser.get(begun.url)]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400]);
    for (const page of [replies.find(({ status }) => status === 400), await scene.browser.get(begun.url)]) {
      const html = await page?.text();
      expect(html).toContain("This link was opened already");
      expect(html).not.toContain("bookmark");
    }
  });

  test("cannot show the pages of the login, before or after the return from the provider", async () => {
    const begun = await scene.connect();
    const state = new URL(begun.url).searchParams.get("ticket") ?? "";
    const back = await scene.signIn(begun);
    const expectClosed = async () => {
      for (const path of ["/u/login", "/u/flow", "/continue"])
        expect((await scene.browser.get(`${path}?${new URLSearchParams({ state })}`)).status, path).toBe(400);
      for (const action of ["continue-with", "other-account"]) {
        const reply = await scene.browser.post("/u/login", { form: { state, csrf: "x", action, connection: "fieldnotes" } });
        expect(reply.status).toBe(400);
      }
    };
    await expectClosed();
    expect(receivedIn(await scene.browser.get(back))).toMatchObject({ connect_code: expect.any(String) });
    await expectClosed();
    expect((await scene.browser.get(back)).status).toBe(400);
  });

  test("that forges a return from the provider does not use up the ticket", async () => {
    const begun = await scene.connect();
    const state = `${new URL(begun.url).searchParams.get("ticket")}.forged`;
    expect((await scene.browser.get(`/login/callback?${new URLSearchParams({ state, code: "x" })}`)).status).toBe(400);
    expect((await scene.browser.get(begun.url)).status).toBe(303);
  });

  test("with a new session of the same user is sent back with that reason", async () => {
    const { service, browser } = scene;
    const back = await scene.signIn(await scene.connect());
    const own = await signInBrowser(service, service.ada);
    for (const [name, value] of own.cookies) if (name.includes("session")) browser.cookies.set(name, value);
    expect(receivedIn(await browser.get(back))).toMatchObject({
      error: "access_denied",
      error_description: "the session in which the link began has ended",
      state: "app-state",
    });
    expect(await notConnected()).toMatchObject([{ client_id: service.spa.clientId, user_id: service.ada.userId }]);
  });

  test("without a session is sent back with that reason, and with the session of another user with another one", async () => {
    const { service, browser } = scene;
    const back = await scene.signIn(await scene.connect());
    const second = await scene.signIn(await scene.connect());
    const sessions = [...browser.cookies].filter(([name]) => name.includes("session"));
    for (const [name] of sessions) browser.cookies.delete(name);
    expect(receivedIn(await browser.get(back))).toMatchObject({ error_description: "the session in which the link began has ended" });
    const bobs = await signInBrowser(service, service.bob);
    for (const [name, value] of bobs.cookies) if (name.includes("session")) browser.cookies.set(name, value);
    expect(receivedIn(await browser.get(second))).toMatchObject({
      error_description: "the browser has no session of the user who connects the account",
    });
    expect(await notConnected()).toHaveLength(2);
  });
});

describe("the code", () => {
  test("is not accepted with another user, client, secret, verifier or form, and the log reports it", async () => {
    const { service, federation } = scene;
    const begun = await scene.connect();
    const second = await scene.connect();
    const { connect_code: code = "" } = receivedIn(await scene.browser.get(await scene.signIn(begun)));
    const sent = completionOf(begun, code);
    const bobs = await scene.tokenFor(service.bob);
    await federation.enableFor(service.web);
    const ofWeb = await scene.tokenFor(service.ada, service.web);
    expect((await scene.completeReply(sent, bobs)).status).toBe(400);
    expect((await scene.completeReply(sent, ofWeb)).status).toBe(400);
    expect((await scene.completeReply({ ...sent, auth_session: second.authSession })).status).toBe(400);
    expect((await scene.completeReply({ ...sent, code_verifier: "w".repeat(64) })).status).toBe(400);
    const { ada, bob, spa, web } = service;
    const events = (await notConnected()).map(({ user_id: user, client_id: client }) => [user, client]);
    expect(events.toReversed()).toEqual([
      [bob.userId, spa.clientId],
      [ada.userId, web.clientId],
      [ada.userId, spa.clientId],
      [ada.userId, spa.clientId],
    ]);
    expect((await scene.completeReply({ ...sent, connect_code: `${code}.x` })).status).toBe(400);
    expect((await scene.completeReply(sent)).status).toBe(201);
  });

  test("is not accepted after the redirect URI was removed from the client", async () => {
    const { service } = scene;
    const begun = await scene.connect();
    const { connect_code: code = "" } = receivedIn(await scene.browser.get(await scene.signIn(begun)));
    const setCallbacks = async (callbacks: readonly string[]) => {
      await service.manage("PATCH", `/api/v2/clients/${service.spa.clientId}`, { callbacks });
      service.clock.advance("6s");
    };
    await setCallbacks(["https://new.example.test/callback"]);
    expect((await scene.completeReply(completionOf(begun, code))).status).toBe(400);
    await setCallbacks([clientCallback]);
    expect((await scene.completeReply(completionOf(begun, code))).status).toBe(201);
  });
});

describe("the identity provider", () => {
  test.each([
    ["login", "login"],
    ["consent", "consent"],
    ["select_account", "select_account"],
  ])("receives prompt=%s", async (prompt, expected) => {
    const begun = await scene.connect({ authorization_params: { prompt } });
    const away = connectLocation(await scene.browser.get(begun.url));
    expect(new URL(away).searchParams.get("prompt")).toBe(expected);
  });

  test("receives no prompt of a login, except prompt=login", async () => {
    const { federation, service } = scene;
    const away = await goToProvider(federation, service.browser(), service.web, { prompt: "select_account" });
    expect(new URL(away).searchParams.get("prompt")).toBeNull();
  });

  test("is followed by the client after prompt=select_account, not by the choice of an account here", async () => {
    const back = await scene.signIn(await scene.connect({ authorization_params: { prompt: "select_account" } }));
    expect(receivedIn(await scene.browser.get(back))).toMatchObject({ connect_code: expect.any(String) });
  });

  test("that authenticated the user too long ago leads to an error at the client", async () => {
    const { federation, service, browser } = scene;
    const own = federation.provider.browser();
    const first = connectLocation(await browser.get((await scene.connect()).url));
    await submitProviderSignIn(federation, first, scene.atProvider, own);
    service.clock.advance("5m");
    const begun = await scene.connect({ authorization_params: { max_age: 60 } });
    const away = new URL(connectLocation(await browser.get(begun.url)));
    away.searchParams.delete("max_age");
    const back = await submitProviderSignIn(federation, away.href, scene.atProvider, own);
    expect(receivedIn(await browser.get(back))).toEqual({
      error: "unmet_authentication_requirements",
      error_description: expect.any(String),
      state: "app-state",
    });
  });
});

describe("a connection that was deleted", () => {
  test("before the return from the provider is reported to the client", async () => {
    const back = await scene.signIn(await scene.connect());
    await disable(`/api/v2/connections/${stringMember(scene.connection, "id")}`);
    scene.service.clock.advance("6s");
    expect(receivedIn(await scene.browser.get(back))).toMatchObject({ error: "server_error", state: "app-state" });
  });

  test("before the ticket was opened is reported to the client, without a word about the provider's response", async () => {
    const begun = await scene.connect();
    await disable(`/api/v2/connections/${stringMember(scene.connection, "id")}`);
    scene.service.clock.advance("6s");
    expect(receivedIn(await scene.browser.get(begun.url))).toEqual({
      error: "server_error",
      error_description: "the connection is no longer available",
      state: "app-state",
    });
  });
});
