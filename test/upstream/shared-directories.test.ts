import { describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { addConnection } from "../support/client-connections.ts";
import { sendAuthorization, loginState, openService, submitStep } from "../support/flow.ts";
import { openRecorded, recorded, type RecordedProvider } from "./recorded-providers.ts";

const trust = { should_trust_email_verified_connection: "always_set_emails_as_verified" };
const client = { client_id: "we", client_secret: "a secret of ours" };
const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** Microsoft Entra ID with this directory in its URLs. */
function microsoft(directory: string): RecordedProvider {
  const base = `https://login.microsoftonline.com/${directory}`;
  return {
    ...recorded.waad,
    authorize: `${base}/oauth2/v2.0/authorize`,
    token: `${base}/oauth2/v2.0/token`,
    keys: `${base}/discovery/v2.0/keys`,
  };
}

describe("a connection to a directory in which anyone can register", () => {
  test("is rejected with the setting that trusts its email addresses", async () => {
    const { manage } = await openService();
    const settings = (options: object) => ({ name: "shared", strategy: "waad", options: { ...client, ...options } });
    for (const directory of ["common", "Organizations", "consumers", consumers, consumers.toUpperCase()]) {
      const rejected = await manage("POST", "/api/v2/connections", settings({ tenant_domain: directory, ...trust }));
      expectError(rejected, 400, "invalid_request", "options.should_trust_email_verified_connection");
    }
    const path = `/api/v2/connections/${stringMember(await manage.create("/api/v2/connections", settings({ tenant_domain: "common" })), "id")}`;
    const options = { ...client, tenant_domain: "common", ...trust };
    expectError(await manage("PATCH", path, { options }), 400, "invalid_request", "should_trust_email_verified_connection");
    jsonBody(await manage("PATCH", path, { options: { ...options, tenant_domain: "contoso.example" } }));
    expectError(await manage("PATCH", path, { options }), 400, "invalid_request", "should_trust_email_verified_connection");
  });

  test.each([
    ["common", false],
    ["organizations", false],
    ["contoso.example", true],
  ] as const)("that was stored with that setting earlier, %s: addresses are verified: %s", async (directory, verified) => {
    const provider = microsoft(directory);
    let now = 0;
    const recording = await openRecorded(provider, () => now);
    const { manage, web, browser: openBrowser, clock, data } = await openService({ network: { fetch: recording.fetch } });
    now = Math.floor(clock.now() / 1000);
    const body = { name: "waad", strategy: "waad", show_as_button: true, options: { ...client, tenant_domain: directory } };
    const id = stringMember(await manage.create("/api/v2/connections", body), "id");
    await addConnection(manage, web.clientId, id);
    const stored = { client_id: client.client_id, tenant_domain: directory, ...trust };
    await data.collections.connections.update({ tenant_id: "main", id }, { set: { options: stored } });
    clock.advance("10s");

    const browser = openBrowser();
    const state = loginState(await sendAuthorization(browser, web));
    const redirected = new URL(
      stringMember(await submitStep(browser, state, { action: "continue-with", connection: "waad" }), "redirect_to"),
    );
    recording.nonce = redirected.searchParams.get("nonce") ?? "";
    await browser.get(`/login/callback?${new URLSearchParams({ code: "c-1", state: redirected.searchParams.get("state") ?? "" })}`);
    const user = jsonBody(await manage("GET", `/api/v2/users/${encodeURIComponent(String(provider.user["user_id"]))}`));
    expect(user).toMatchObject({ email: "ann@corp.example", email_verified: verified });
  });
});
