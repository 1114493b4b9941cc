import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, stringMember } from "../support/api.ts";
import { sendAuthorization, loginState, openService, submit, type LoginService } from "../support/flow.ts";
import { openLink, submitLinkForm } from "../support/links.ts";
import { createOutbox, type Outbox } from "../support/outbox.ts";

let outbox: Outbox;
let service: LoginService;

beforeEach(async () => {
  outbox = createOutbox();
  service = await openService({ messages: { mail: outbox.mail } });
});

const connection = "Username-Password-Authentication";

/** The requests for a password reset: each sends the same mail and writes the same audit event. */
const requests: { readonly [name: string]: (identifier: string) => Promise<unknown> } = {
  "the login page": async (identifier) => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web));
    await submit(browser, state, { action: "continue", identifier });
    await submit(browser, state, { action: "forgot-password" });
    return submit(browser, state, { action: "send-reset", identifier });
  },
  "/u/forgot-password": async (identifier) => {
    const browser = service.browser();
    return submitLinkForm(browser, await openLink(browser, `/u/forgot-password?client_id=${service.web.clientId}`), { identifier });
  },
  "/dbconnections/change_password": async (email) =>
    service.call("POST", "/dbconnections/change_password", { body: { client_id: service.web.clientId, connection, email } }),
};

test("a password reset for an unknown connection is logged with its name, and the response does not reveal it", async () => {
  const request = (name: string) =>
    service.call("POST", "/dbconnections/change_password", {
      body: { client_id: service.web.clientId, connection: name, email: service.ada.email },
    });
  const [unknown, known] = [await request("nonsense"), await request(connection)];
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  service.clock.advance("5s");
  expect(await auditEvents(service.manage, "fcpr")).toMatchObject([
    { description: "There is no password database 'nonsense', or the client does not offer it.", client_id: service.web.clientId },
  ]);
});

describe.each(Object.keys(requests))("a password reset requested at %s", (name) => {
  const request = async (identifier: string): Promise<unknown> => requests[name]?.(identifier);
  const events = async (type: string) => {
    service.clock.advance("5s");
    return auditEvents(service.manage, type);
  };

  test("is logged as sent if an account has the address", async () => {
    await request(service.ada.email);
    expect(outbox.take(service.ada.email).link).toContain("/u/reset-password?");
    expect(await events("scpr")).toMatchObject([{ user_id: service.ada.userId, client_id: service.web.clientId, connection }]);
    expect(await events("fcpr")).toEqual([]);
  });

  test("is logged as not sent if no account has the address", async () => {
    await request("unknown@example.test");
    expect(outbox.sent).toEqual([]);
    expect(await events("fcpr")).toMatchObject([{ user_id: "", client_id: service.web.clientId, connection }]);
    expect(await events("scpr")).toEqual([]);
  });

  test("is logged as not sent once too many messages were requested", async () => {
    for (let i = 0; i < 11; i++) await request(service.ada.email);
    expect((await events("fcpr"))[0]).toMatchObject({
      user_id: service.ada.userId,
      description: "Too many messages were requested.",
    });
  });

  test("names the primary user of a linked account", async () => {
    const email = "linked@example.test";
    const linked = stringMember(
      await service.manage.create("/api/v2/users", { connection, email, password: "correct horse battery" }),
      "user_id",
    );
    const identities = `/api/v2/users/${encodeURIComponent(service.ada.userId)}/identities`;
    await service.manage("POST", identities, { provider: "auth0", user_id: linked });
    await request(email);
    expect(outbox.take(email).link).toContain("/u/reset-password?");
    expect(await events("scpr")).toMatchObject([{ user_id: service.ada.userId }]);
  });
});
