import type { Action, PreUserUpdateEvent } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, jsonBody } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { obtainTokens, openService, type LoginService } from "../support/flow.ts";
import { openLink } from "../support/links.ts";
import { codeOf, createOutbox, type Outbox } from "../support/outbox.ts";
import { managementAudience } from "../support/postern.ts";
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

/** The names of the changed fields in the audit log. */
const fieldsOf = ({ user_metadata: metadata = {}, ...fields }: PreUserUpdateEvent["changes"]): readonly string[] => [
  ...Object.keys(fields),
  ...Object.keys(metadata).map((name) => `user_metadata.${name}`),
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
      { description: "not in our domain", user_id: service.ada.userId, details: { action: "guard", fields: fieldsOf(seen) } },
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

test("is called again if another request changed the user since, and sees the user after that change", async () => {
  run = async (event, api) => {
    if (event.user.app_metadata["locked"] === true) api.access.deny("locked");
    else jsonBody(await service.manage("PATCH", userPath(), { app_metadata: { locked: true } }));
  };
  expect((await changes[0]?.send())?.searchParams.get("problem")).toBe("change-denied");
  expect(events).toHaveLength(2);
  expect(await user()).not.toHaveProperty("name", "Ada King");
});

test.each([
  ["the deletion is requested", { deletes_at: 1_900_000_000_000, deletion_step_at: 1_900_000_000_000 }],
  ["the user reports a change", { factors_frozen_until: 8_000_000_000_000 }],
])("nothing changes if %s during the action", async (_, set) => {
  const { users } = service.data.collections;
  const where = { tenant_id: "main", user_id: service.ada.userId };
  run = async () => void (await users.update(where, { set, add: { revision: 1 } }));
  await changes[0]?.send();
  expect(events).toHaveLength(1);
  expect(await users.count({ ...where, name: "Ada King" })).toBe(0);
});

test("is not called for a username or an address that another account has", async () => {
  const bob = `/api/v2/users/${encodeURIComponent(service.bob.userId)}`;
  jsonBody(await service.manage("PATCH", bob, { username: "countess" }));
  expect((await submit("username", { action: "save-username", username: "countess" }))?.searchParams.get("problem")).toBe("username-taken");
  const form = await openSection(browser, "addresses", { view: "email" });
  const { location } = await submitForm(browser, form, { action: "send-email-code", email: "new@example.test" });
  jsonBody(await service.manage("PATCH", bob, { email: "new@example.test" }));
  const page = await openLink(browser, location?.href ?? "");
  await submitForm(browser, page, { action: "confirm-address", code: codeOf(outbox.take("new@example.test")) });
  expect(events).toEqual([]);
  expect(await user()).toMatchObject({ email: service.ada.email });
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
  jsonBody(await patch({ user_metadata: {} }));
  jsonBody(await patch({ given_name: "Ada", user_metadata: {} }));
  expect(events.slice(1).map(({ changes: seen }) => seen)).toEqual([{ given_name: "Ada" }]);
  expect(await auditEvents(service.manage, "my_account_profile_succeeded")).toHaveLength(2);
  run = (_, api) => api.access.deny("policy 7", "Ask your manager.");
  expect(await patch({ name: "x" })).toMatchObject({
    status: 403,
    body: { type: "urn:postern:error:access_denied", detail: "Ask your manager." },
  });
  run = () => Promise.reject(new Error("down"));
  expect((await patch({ name: "x" })).status).toBe(503);
  expect(await user()).toMatchObject({ name: "Ada King", user_metadata: { team: "Red" } });
});

test("a change of the own metadata with the Management API calls the same action", async () => {
  const role = await service.manage.create("/api/v2/roles", { name: "Self" });
  const permissions = [{ resource_server_identifier: managementAudience, permission_name: "update:current_user_metadata" }];
  const rolePath = `/api/v2/roles/${String(role["id"])}`;
  expect((await service.manage("POST", `${rolePath}/permissions`, { permissions })).status).toBe(201);
  expect((await service.manage("POST", `${rolePath}/users`, { users: [service.ada.userId] })).status).toBe(200);
  const target = { audience: managementAudience, scope: "openid update:current_user_metadata" };
  const { access: token } = await obtainTokens(service, service.spa, service.ada, target);
  const patch = (user_metadata: object) => service.call("PATCH", userPath(), { token, body: { user_metadata } });
  jsonBody(await patch({}));
  expect(events).toEqual([]);
  jsonBody(await patch({ team: "Red", free: true }));
  expect(events).toMatchObject([
    {
      user: { user_id: service.ada.userId, user_metadata: {} },
      client: { client_id: service.spa.clientId },
      changes: { user_metadata: { team: "Red", free: true } },
    },
  ]);
  run = (_, api) => api.access.deny("policy 7", "Ask your manager.");
  expect(await patch({ team: "Board" })).toMatchObject({ status: 403, body: { message: "Ask your manager." } });
  expect((await user())["user_metadata"]).toEqual({ team: "Red", free: true });
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
