import type { Action, PreUserUpdateEvent } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { obtainTokens, openService, type LoginService } from "../support/flow.ts";
import { openLink } from "../support/links.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { openSection, showSections, signInBrowser, submitForm } from "./page.ts";

/** The action `onExecutePreUserUpdate`, which runs before users change their own account. */

type Update = NonNullable<Action["onExecutePreUserUpdate"]>;

const metadata_fields = [{ name: "team", label: "Team", type: "text" }];
const sections = { profile: "shown", username: "shown", addresses: "shown", language: "shown" };

let outbox: Outbox;
let service: LoginService;
let browser: Browser;
let run: Update;
let events: PreUserUpdateEvent[];

beforeEach(async () => {
  outbox = createOutbox();
  events = [];
  run = () => {};
  const action: Action = {
    name: "guard",
    secrets: { KEY: "guard-secret" },
    timeoutSeconds: 0.2,
    onExecutePreUserUpdate: async (event, api) => {
      events.push(event);
      await run(event, api);
    },
  };
  service = await openService({ messages: { mail: outbox.mail, sms: outbox.sms }, actions: [action], logger: { log: () => {} } });
  await service.manage("PATCH", "/api/v2/tenants/settings", {
    account_page: { client_id: service.web.clientId, sections, metadata_fields },
  });
  const [connection] = await service.data.collections.connections.find({ where: { tenant_id: "main", strategy: "auth0" }, limit: 1 });
  await service.manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, { options: { requires_username: true } });
  jsonBody(await service.manage("PATCH", userPath(), { phone_number: "+4915100000001" }));
  service.clock.advance("6s");
  browser = await signInBrowser(service, service.ada);
});

const userPath = () => `/api/v2/users/${encodeURIComponent(service.ada.userId)}`;
const user = async () => jsonBody(await service.manage("GET", userPath()));
/** Everything that a denied change must leave as it is. */
const state = async () => {
  const { name, username, email, phone_number, user_metadata, locale } = await user();
  return { name, username, email, phone_number, user_metadata, locale };
};

/** Each change of the page, and the changes that its action sees. */
const changes: readonly {
  readonly title: string;
  readonly seen: PreUserUpdateEvent["changes"];
  readonly send: () => Promise<URL | undefined>;
}[] = [
  {
    title: "the profile",
    seen: { name: "Ada King" },
    send: () => submit("profile", { action: "save-profile", name: "Ada King", metadata_fields: "" }),
  },
  {
    title: "metadata",
    seen: { user_metadata: { team: "Red" } },
    send: async () => submit("profile", { action: "save-profile", name: String((await user())["name"]), "metadata-team": "Red" }),
  },
  {
    title: "the language",
    seen: { locale: "de" },
    send: () => submit("language", { action: "save-language", locale: "de", zoneinfo: "" }),
  },
  {
    title: "the username",
    seen: { username: "countess" },
    send: () => submit("username", { action: "save-username", username: "countess" }),
  },
  { title: "the email address", seen: { email: "new@example.test" }, send: () => changeAddress("email", "new@example.test") },
  { title: "the phone number", seen: { phone_number: "+4915112345678" }, send: () => changeAddress("phone", "+4915112345678") },
];

async function submit(section: string, more: { readonly [field: string]: string }): Promise<URL | undefined> {
  return (await submitForm(browser, await openSection(browser, section, { view: "edit" }), more)).location;
}

async function changeAddress(view: "email" | "phone", address: string): Promise<URL | undefined> {
  const form = await openSection(browser, "addresses", { view });
  const { location } = await submitForm(browser, form, { action: `send-${view}-code`, [view]: address });
  expect(events).toEqual([]);
  const page = await openLink(browser, location?.href ?? "");
  return (await submitForm(browser, page, { action: "confirm-address", code: codeOf(outbox.take(address)) })).location;
}

describe.each(changes)("a change of $title", ({ seen, send }) => {
  test("calls the action once, with the account of before and the new values", async () => {
    expect((await send())?.searchParams.get("done")).toBe("saved");
    expect(events).toMatchObject([
      {
        user: { user_id: service.ada.userId, email: service.ada.email },
        client: { client_id: service.web.clientId },
        tenant: { id: "main" },
        request: { hostname: "id.example.test" },
        secrets: { KEY: "guard-secret" },
      },
    ]);
    expect(events[0]?.changes).toEqual(seen);
  });

  test("is denied by the action: nothing changes, the page says so, and the log has the reason", async () => {
    const before = await state();
    run = (_, api) => api.access.deny("not in our domain");
    const location = await send();
    expect(location?.searchParams.get("problem")).toBe("change-denied");
    expect((await openLink(browser, location?.href ?? "")).html).toContain("This change isn’t allowed here.");
    expect(await state()).toEqual(before);
    expect(await auditEvents(service.manage, "my_account_profile_failed")).toMatchObject([
      { description: "not in our domain", user_id: service.ada.userId, details: { action: "guard", fields: Object.keys(seen) } },
    ]);
    expect(outbox.sent.filter(({ template }) => template?.endsWith("_changed"))).toEqual([]);
  });

  test.each([
    ["throws", () => Promise.reject(new Error("down"))],
    ["takes too long", () => new Promise<void>(() => {})],
  ])("changes nothing if the action %s", async (_, failing) => {
    const before = await state();
    run = failing;
    expect(await send()).toBeUndefined();
    expect(await state()).toEqual(before);
    expect(await auditEvents(service.manage, "actions_execution_failed")).toHaveLength(1);
  });
});

test("an action that modifies its event changes nothing", async () => {
  run = (event) => {
    Object.assign(event.changes, { name: "Other" });
    Object.assign(event.user, { user_id: "auth0|other" });
  };
  await changes[0]?.send();
  expect(await user()).toMatchObject({ user_id: service.ada.userId, name: "Ada King" });
});

test("a change with /me/v1 calls the same action, whose message the client gets", async () => {
  const scope = "openid read:me:profile update:me:profile";
  const { access: token } = await obtainTokens(service, service.spa, service.ada, { audience: "https://id.example.test/me/", scope });
  const patch = (body: object) => service.call("PATCH", "/me/v1/profile", { token, body });
  expect((await patch({ name: "Ada King", user_metadata: { team: "Red" } })).status).toBe(200);
  expect(events).toMatchObject([
    { client: { client_id: service.spa.clientId }, changes: { name: "Ada King", user_metadata: { team: "Red" } } },
  ]);
  run = (_, api) => api.access.deny("policy 7", "Ask your manager.");
  expect(await patch({ name: "x" })).toMatchObject({
    status: 403,
    body: { type: "urn:postern:error:access_denied", detail: "Ask your manager." },
  });
  run = () => Promise.reject(new Error("down"));
  expect((await patch({ name: "x" })).status).toBe(503);
  expect(await user()).toMatchObject({ name: "Ada King", user_metadata: { team: "Red" } });
});

test("a change by an administrator calls no action", async () => {
  jsonBody(await service.manage("PATCH", userPath(), { name: "Ada King" }));
  expect(events).toEqual([]);
});

test("an action costs no statement, and neither does its absence", async () => {
  const costs: (readonly string[])[] = [];
  for (const actions of [[], [{ onExecutePreUserUpdate: () => {} }]]) {
    const data = countingAdapter(createMemoryAdapter({ strict: true }));
    service = await openService({ data, actions });
    await showSections(service);
    browser = await signInBrowser(service, service.ada);
    const form = await openSection(browser, "profile", { view: "edit" });
    costs.push((await data.costOf(() => submitForm(browser, form, { action: "save-profile", name: "Ada King" }))).statements);
  }
  expect(costs[0]).toEqual(costs[1]);
});
