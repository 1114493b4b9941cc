import { beforeEach, describe, expect, test } from "vitest";
import { consoleTexts } from "../../packages/admin/src/console-texts.ts";
import { defaultDeletionDays } from "../../packages/core/src/identity/users/own-deletion.ts";
import { accountSectionNames } from "../../packages/core/src/model/tenant/account-page.ts";
import { jsonBody, list } from "../support/api.ts";
import { insertLogoutDelivery } from "../support/rows.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

let opened: TestConsole;
let browser: ConsoleBrowser;
beforeEach(async () => {
  opened = await openConsole({}, { domainVerifier: { verify: async ({ domain }) => domain === "good.example.test" } });
  browser = await opened.signIn(opened.administrator);
});

const location = (response: Response): string | null => response.headers.get("location");
const manage = (method: string, path: string, body?: unknown) => opened.service.manage(method, `/api/v2/${path}`, body);

describe("the settings of the tenant", () => {
  test("are changed, and reset by an empty field", async () => {
    await manage("PATCH", "tenants/settings", { support_email: "help@example.test" });
    const same = { before_friendly_name: "main", friendly_name: "main", before_session_lifetime: "168", session_lifetime: "168" };
    const idle = { before_idle_session_lifetime: "72", idle_session_lifetime: "72" };
    const changed = { ...same, ...idle, before_support_email: "help@example.test", support_email: "", session_lifetime: "1.5" };
    const response = await browser.submit("settings/edit", { ...changed, idle_session_lifetime: "1" });
    expect([location(response), (await response.text()).match(/Nothing was saved[^<]*/)?.[0]]).toEqual([
      "/admin/settings?done=saved",
      undefined,
    ]);
    const saved = jsonBody(await manage("GET", "tenants/settings"));
    expect(saved).toMatchObject({ session_lifetime: 1.5, idle_session_lifetime: 1 });
    expect(saved["support_email"]).toBe("");
    expect((await browser.submit("settings/edit", { ...same, ...idle, session_lifetime: "never" })).status).toBe(400);
  });

  test("are only shown to an operator who may not change them", async () => {
    const auditor = await opened.signIn(await opened.addOperator("auditor@example.test", ["read:tenant_settings", "read:signing_keys"]));
    expect(await auditor.page("settings")).not.toContain("settings/edit");
    expect(await auditor.page("settings/keys")).not.toContain("revoke");
    expect((await auditor.submit("settings/edit", { before_friendly_name: "a", friendly_name: "b" })).status).toBe(403);
    expect((await auditor.submit("settings/keys/rotate", { activate_in_days: "0", grace_days: "0" })).status).toBe(403);
  });
});

describe("the account page", () => {
  const path = "settings/account/edit";
  const metadata_fields = [{ name: "color", label: "Color", type: "text" }];
  const stored = async () => jsonBody(await manage("GET", "tenants/settings"))["account_page"];
  const before = async () => {
    const found = [...(await browser.page(path)).matchAll(/name="before_([^"]+)" value="([^"]*)"/g)];
    return Object.fromEntries(found.flatMap(([, name = "", value = ""]) => [[name, value] as const, [`before_${name}`, value] as const]));
  };

  test("shows the defaults, and stores what the operator changes", async () => {
    const html = await browser.page("settings/account");
    expect(html).toMatch(/Second factors and passkeys[\s\S]{1,80}Shown/);
    expect(html).toMatch(/Linked accounts[\s\S]{1,80}Hidden/);
    const { clientId } = opened.service.web;
    const changed = { client_id: clientId, "sections.linked_accounts": "shown", "sections.profile": "read_only", deletion_days: "30" };
    expect(location(await browser.submit(path, { ...(await before()), ...changed }))).toBe("/admin/settings/account?done=saved");
    expect(await stored()).toEqual({
      client_id: clientId,
      deletion_days: 30,
      sections: { linked_accounts: "shown", profile: "read_only" },
    });
    expect(await browser.page("settings/account")).toMatch(/Profile[\s\S]{1,80}Read-only/);
  });

  test("keeps what the form does not have, and what another operator changed, and removes the client", async () => {
    const first = { client_id: opened.service.web.clientId, metadata_fields, sections: { apps: "shown" } };
    expect((await manage("PATCH", "tenants/settings", { account_page: first })).status).toBe(200);
    const shown = await before();
    await manage("PATCH", "tenants/settings", { account_page: { ...first, sections: { apps: "shown", events: "shown" } } });
    await browser.submit(path, { ...shown, client_id: "", "sections.apps": "hidden" });
    expect(await stored()).toEqual({ metadata_fields, sections: { apps: "hidden", events: "shown" } });
  });

  test("rejects an invalid number of days, and operators without the scope", async () => {
    expect((await browser.submit(path, { ...(await before()), deletion_days: "0" })).status).toBe(400);
    const auditor = await opened.signIn(await opened.addOperator("auditor@example.test", ["read:tenant_settings"]));
    expect(await auditor.page("settings/account")).not.toContain("account/edit");
    expect((await auditor.submit(path, { ...(await before()), deletion_days: "30" })).status).toBe(403);
    expect(await stored()).toBeUndefined();
  });
});

test("attack protection is changed", async () => {
  expect(await browser.page("settings/protection")).toContain("Leaked passwords");
  const path = "settings/protection/brute-force-protection";
  const before = { before_enabled: "true", before_max_attempts: "10", before_allowlist: "" };
  const saved = await browser.submit(path, { ...before, max_attempts: "5", allowlist: "192.0.2.1\n198.51.100.0/24" });
  expect(location(saved)).toBe("/admin/settings/protection?done=saved");
  expect(jsonBody(await manage("GET", "attack-protection/brute-force-protection"))).toMatchObject({
    enabled: false,
    max_attempts: 5,
    allowlist: ["192.0.2.1", "198.51.100.0/24"],
  });
  expect((await browser.submit(path, { ...before, enabled: "true", max_attempts: "5", allowlist: "no address" })).status).toBe(400);
});

test("domains are added, checked and deleted", async () => {
  expect(location(await browser.submit("settings/domains/new", { domain: "good.example.test" }))).toContain("done=domain-added");
  await browser.submit("settings/domains/new", { domain: "bad.example.test" });
  expect((await browser.submit("settings/domains/new", { domain: "not a domain" })).status).toBe(400);
  const domains = list(await manage("GET", "custom-domains"));
  const idOf = (domain: string): string => String(domains.find((one) => one["domain"] === domain)?.["custom_domain_id"]);
  const html = await browser.page("settings/domains");
  expect(html).toContain(JSON.stringify(domains[0]?.["verification"]).match(/"record":"([^"]+)"/)?.[1]);
  expect(location(await browser.submit("settings/domains", { id: idOf("good.example.test") }))).toContain("done=domain-verified");
  expect(location(await browser.submit("settings/domains", { id: idOf("bad.example.test") }))).toBe("/admin/settings/domains");
  expect(await browser.page("settings/domains")).toContain("The TXT record was not found.");
  const tested = await browser.submit(`settings/domains/${idOf("good.example.test")}/test`, {});
  expect(await tested.text()).toContain("The domain does not lead to this service");
  const path = `settings/domains/${idOf("good.example.test")}/delete`;
  expect(await browser.page(path)).toContain("Delete good.example.test?");
  expect(location(await browser.submit(path, {}))).toContain("done=domain-deleted");
  expect(list(await manage("GET", "custom-domains")).map((one) => one["domain"])).toEqual(["bad.example.test"]);
});

test("log streams are created with a secret that is shown once, paused, resumed and deleted", async () => {
  const fields = { name: "Archive", "sink.httpEndpoint": "https://logs.example.test/", "sink.httpAuthorization": "Bearer the-secret" };
  const created = await (await browser.submit("settings/streams/new/http", fields)).text();
  const [, secret = ""] = /<code id="shown-once">(whsec_[^<]+)</.exec(created) ?? [];
  expect(secret).not.toBe("");
  const [stream] = list(await manage("GET", "log-streams"));
  const path = `settings/streams/${String(stream?.["id"])}`;
  const html = await browser.page(path);
  expect([html.includes(secret), html.includes("the-secret"), html.includes("https://logs.example.test/")]).toEqual([false, false, true]);
  for (const [action, status] of [
    ["pause", "paused"],
    ["pause", "paused"],
    ["resume", "active"],
  ] as const) {
    expect(location(await browser.submit(`${path}/${action}`, {}))).toContain("done=saved");
    expect(list(await manage("GET", "log-streams"))[0]).toMatchObject({ status });
  }
  expect((await browser.submit("settings/streams/new/http", { ...fields, "sink.httpEndpoint": "ftp://logs.example.test" })).status).toBe(
    400,
  );
  expect(location(await browser.submit(`${path}/delete`, {}))).toContain("done=stream-deleted");
  await browser.page(path, 404);
});

test("signing keys are rotated a day ahead, and revoked after a recent sign-in", async () => {
  const [first] = list(await manage("GET", "keys/signing"));
  expect(await browser.page("settings/keys/rotate")).toContain('name="activate_in_days" type="text" value="1"');
  expect(location(await browser.submit("settings/keys/rotate", { activate_in_days: "1", grace_days: "2" }))).toContain("done=key-rotated");
  const keys = list(await manage("GET", "keys/signing"));
  expect(keys.map((key) => [key["current"], key["next"]])).toEqual(
    expect.arrayContaining([
      [true, false],
      [false, true],
    ]),
  );
  expect(await browser.page("settings/keys")).toContain("Signs later");
  expect((await browser.submit("settings/keys/rotate", { activate_in_days: "soon", grace_days: "2" })).status).toBe(400);
  const next = keys.find((key) => key["next"] === true);
  expect(location(await browser.submit(`settings/keys/${String(next?.["kid"])}/revoke`, {}))).toContain("done=key-revoked");
  expect(await browser.page("settings/keys")).toContain("Revoked");
  opened.service.clock.advance("11m");
  for (const path of [`settings/keys/${String(first?.["kid"])}/revoke`, "settings/keys/rotate", "settings/streams/new/http"])
    expect([path, (await browser.send(path)).status]).toEqual([path, 303]);
});

test("the home page has charts of the last 30 days with their numbers, and says from when they are", async () => {
  expect(await browser.page("")).toContain("Nothing counted yet");
  const { bob } = opened.service;
  await opened.signInToApp(bob);
  await opened.signInToApp(bob, "wrong").catch(() => {});
  opened.service.clock.advance("10m");
  await opened.service.postern.jobs.sweep();
  const html = await browser.page("");
  expect(html.match(/<svg viewBox="0 0 300 61"/g)).toHaveLength(4);
  expect(html).toContain('aria-label="Failed sign-ins: 1"');
  expect(html).toContain("As of");
  expect(html.match(/<td[^>]*><time dateTime="\d{4}-\d\d-\d\d">|<td[^>]*><time datetime="\d{4}-\d\d-\d\d">/g)).toHaveLength(30);
  const support = await opened.signIn(await opened.addOperator("support@example.test", ["read:users"]));
  expect(await support.page("")).toContain("<code>read:stats</code>");
});

test("log streams are created for every receiver, without showing their keys", async () => {
  const receivers: { readonly [type: string]: { readonly [field: string]: string } } = {
    datadog: { "sink.datadogRegion": "eu", "sink.datadogApiKey": "the-secret" },
    splunk: {
      "sink.splunkDomain": "splunk.example.test",
      "sink.splunkPort": "8088",
      "sink.splunkToken": "the-secret",
      "sink.splunkSecure": "true",
    },
    sumo: { "sink.sumoSourceAddress": "https://sumo.example.test/the-secret" },
    segment: { "sink.segmentWriteKey": "the-secret" },
    mixpanel: {
      "sink.mixpanelRegion": "us",
      "sink.mixpanelProjectId": "1",
      "sink.mixpanelServiceAccountUsername": "robot",
      "sink.mixpanelServiceAccountPassword": "the-secret",
    },
  };
  expect(await browser.page("settings/streams/new")).toContain("Sumo Logic");
  for (const [type, fields] of Object.entries(receivers)) {
    const created = location(await browser.submit(`settings/streams/new/${type}`, { name: type, ...fields }));
    expect([type, created]).toEqual([type, expect.stringMatching(/^\/admin\/settings\/streams\/\w+\?done=stream-created$/)]);
    expect(await browser.page(String(created).replace("/admin/", ""))).not.toContain("the-secret");
  }
  expect(new Set(list(await manage("GET", "log-streams")).map((one) => one["type"]))).toEqual(new Set(Object.keys(receivers)));
  const invalid = await browser.submit("settings/streams/new/splunk", {
    name: "x",
    "sink.splunkDomain": "https://x",
    "sink.splunkPort": "8088",
  });
  expect([invalid.status, (await invalid.text()).includes('value="https://x"')]).toEqual([400, true]);
  await browser.page("settings/streams/new/elsewhere", 404);
});

test("logout tokens that an app did not accept are sent again, once more than one click", async () => {
  const id = await insertLogoutDelivery(opened.service);
  const html = await browser.page("settings/deliveries");
  for (const text of ["the endpoint responded with 400", "Failed", "auth0|1"]) expect(html).toContain(text);
  for (const done of ["delivery-retried", "delivery-retried"])
    expect(location(await browser.submit("settings/deliveries", { id }))).toBe(`/admin/settings/deliveries?done=${done}`);
  expect(list(await manage("GET", "logout-deliveries"))).toMatchObject([{ id, status: "pending" }]);
  expect(await browser.page("settings/deliveries")).toContain("Pending");
  for (const unknown of ["", "lgo_unknown", "../users"])
    expect(location(await browser.submit("settings/deliveries", { id: unknown }))).not.toContain("delivery-retried");
  const auditor = await opened.addOperator("auditor@example.test", ["read:sessions"]);
  const reader = await opened.signIn(auditor);
  expect(await reader.page("settings/deliveries")).not.toContain("Send again");
  expect((await reader.submit("settings/deliveries", { id })).status).toBe(403);
  const stranger = await opened.signIn(await opened.addOperator("support@example.test", ["read:users"]));
  expect(await stranger.page("settings/deliveries", 403)).toContain("read:sessions");
});

test("the account page has the sections and the defaults of the service", async () => {
  expect(Object.keys(consoleTexts.settings.accountPage.sections)).toEqual([...accountSectionNames]);
  const [field = ""] = /<input[^>]*name="deletion_days"[^>]*>/.exec(await browser.page("settings/account/edit")) ?? [];
  expect(field).toContain(`value="${defaultDeletionDays}"`);
});
