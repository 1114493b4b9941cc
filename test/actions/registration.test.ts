import type { PostUserRegistrationEvent, PreUserRegistrationEvent } from "@postern/core";
import { describe, expect, test } from "vitest";
import { auditEvents, list, jsonBody } from "../support/api.ts";
import { sendAuthorization, loginState, sendStep, randomString } from "../support/flow.ts";
import { openActionService } from "./action-service.ts";

const password = "Correct-horse-7";

describe("actions at a sign-up", async () => {
  const { service, app, mails, start, setActions, failures } = await openActionService();

  const signUp = (body: object) =>
    service.call("POST", "/dbconnections/signup", {
      body: { connection: "Username-Password-Authentication", client_id: app.clientId, password, ...body },
    });
  const known = async (email: string) => list(await service.manage("GET", `/api/v2/users?${new URLSearchParams({ q: `email:${email}` })}`));

  test("are called before and after the sign-up", async () => {
    const before: PreUserRegistrationEvent[] = [];
    const after: PostUserRegistrationEvent[] = [];
    setActions({
      onExecutePreUserRegistration: (event, api) => {
        before.push(event);
        api.user.setAppMetadata("tier", "free");
        api.user.setUserMetadata("lang", "de");
      },
      onExecutePostUserRegistration: (event) => void after.push(event),
    });
    const email = `${randomString()}@example.test`.toLowerCase();
    jsonBody(await signUp({ email, user_metadata: { from: "ad" } }));
    expect(before).toMatchObject([
      {
        client: { client_id: app.clientId },
        connection: { strategy: "auth0" },
        user: { email, user_metadata: { from: "ad" }, app_metadata: {} },
        secrets: { KEY: "first-secret" },
      },
    ]);
    expect(JSON.stringify(before)).not.toContain(password);
    expect(after).toMatchObject([{ user: { email, app_metadata: { tier: "free" } }, tenant: { id: "main" } }]);
    expect(await known(email)).toMatchObject([{ app_metadata: { tier: "free" }, user_metadata: { from: "ad", lang: "de" } }]);
  });

  test("can deny the sign-up: API clients receive the description, the log contains the reason, and no account is created", async () => {
    setActions({ onExecutePreUserRegistration: (event, api) => api.access.deny("domain is not ours", "Only for members of Acme.") });
    const email = `${randomString()}@example.test`.toLowerCase();
    expect(await signUp({ email })).toMatchObject({
      status: 400,
      body: { error: "access_denied", code: "extensibility_error", description: "Only for members of Acme." },
    });
    expect(await known(email)).toEqual([]);
    expect((await auditEvents(service.manage, "fs"))[0]).toMatchObject({ description: "domain is not ours", client_id: app.clientId });
  });

  test("can deny a sign-up with an existing email address with the same response", async () => {
    const email = `${randomString()}@example.test`.toLowerCase();
    setActions({});
    jsonBody(await signUp({ email }));
    setActions({ onExecutePreUserRegistration: (event, api) => api.access.deny("no", "Closed.") });
    const [action, free] = [await signUp({ email }), await signUp({ email: `${randomString()}@example.test`.toLowerCase() })];
    expect(action).toMatchObject({ status: 400, body: free.body });
  });

  test("create no account if they fail before the sign-up, and change nothing if they fail after it", async () => {
    setActions({ onExecutePreUserRegistration: () => Promise.reject(new Error("down")) });
    const email = `${randomString()}@example.test`.toLowerCase();
    expect(await signUp({ email })).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    expect(await known(email)).toEqual([]);
    setActions({ onExecutePostUserRegistration: () => Promise.reject(new Error("down")) });
    jsonBody(await signUp({ email }));
    expect(failures().at(-1)).toMatchObject({ trigger: "onExecutePostUserRegistration" });
    expect((await auditEvents(service.manage, "fpurh")).length).toBe(1);
  });

  test("are called on the page, which shows that no account can be created", async () => {
    setActions({ onExecutePreUserRegistration: (event, api) => api.validation.error("bad_domain", "no") });
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web, { screen_hint: "signup" }));
    const email = `${randomString()}@example.test`.toLowerCase();
    const sent = await sendStep(browser, state, { action: "make-account", email, password });
    expect(sent.status).toBe(400);
    const html = await (await browser.get(`/u/login?${new URLSearchParams({ state, step: "sign-up" })}`)).text();
    expect(html).toContain("you can’t create one this way");
    expect(await known(email)).toEqual([]);
  });

  test("are called if a one-time code would create an account, and not if the account exists", async () => {
    const email = `${randomString()}@example.test`.toLowerCase();
    setActions({ onExecutePreUserRegistration: (event, api) => api.access.deny("no", "Not here.") });
    const grant = async () => {
      await start(email);
      return service.exchange({
        grant_type: "http://auth0.com/oauth/grant-type/passwordless/otp",
        client_id: app.clientId,
        username: email,
        otp: mails.at(-1)?.code ?? "",
        realm: "email",
      });
    };
    await service.manage("PATCH", `/api/v2/clients/${app.clientId}`, {
      grant_types: ["http://auth0.com/oauth/grant-type/passwordless/otp"],
    });
    expect(await grant()).toMatchObject({ status: 400, body: { error: "access_denied", error_description: "Not here." } });
    expect(await known(email)).toEqual([]);
    setActions({});
    expect((await grant()).status).toBe(200);
    setActions({ onExecutePreUserRegistration: (event, api) => api.access.deny("no", "Not here.") });
    expect((await grant()).status).toBe(200);
  });

  test("are not called if an administrator creates the account", async () => {
    setActions({ onExecutePreUserRegistration: (event, api) => api.access.deny("no") });
    await service.addUser(`${randomString()}@example.test`.toLowerCase());
  });
});

describe("actions at a change of password", async () => {
  const { service, setActions, failures } = await openActionService();

  test("receive the user after every kind of password change, and never the password", async () => {
    const result: unknown[] = [];
    setActions({ onExecutePostChangePassword: (event) => void result.push(event) });
    jsonBody(await service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, { password: "Another-horse-8" }));
    expect(result).toMatchObject([{ user: { user_id: service.ada.userId }, connection: { strategy: "auth0" }, tenant: { id: "main" } }]);
    expect(JSON.stringify(result)).not.toContain("Another-horse-8");
    setActions({ onExecutePostChangePassword: () => Promise.reject(new Error("down")) });
    jsonBody(await service.manage("PATCH", `/api/v2/users/${service.ada.userId}`, { password: "Another-horse-9" }));
    expect(failures().at(-1)).toMatchObject({ trigger: "onExecutePostChangePassword" });
    expect((await auditEvents(service.manage, "fcph")).length).toBe(1);
  });
});
