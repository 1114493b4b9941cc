import { beforeEach, expect, test } from "vitest";
import { creationOptionsSchema, requestOptionsSchema } from "../../packages/core/src/model/factors/webauthn.ts";
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from "../../packages/core/test/software-authenticator.ts";
import { openFactorService, setPolicies, type FactorService } from "../factors/support.ts";
import { list } from "../support/api.ts";
import type { Browser } from "../support/browser.ts";
import { sendAuthorization, signInAtLoginPage, type TestAccount } from "../support/flow.ts";
import type { LinkPage } from "../support/links.ts";
import { listedFactors, openSecurity, shownCode, submitSecurity } from "./support.ts";

/** Passkeys and security keys on the page on which users change their factors. */

const databaseName = "Username-Password-Authentication";

let service: FactorService;
let device: SoftwareAuthenticator;

beforeEach(async () => {
  service = await openFactorService();
  await setPolicies(service, []);
  await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming", { enabled: true });
  device = createSoftwareAuthenticator({ origin: "https://id.example.test" });
});

async function signIn(account: TestAccount = service.ada): Promise<Browser> {
  const browser = service.browser();
  await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), account);
  return browser;
}

/** Returns the options for the browser's WebAuthn call on a page. */
function keyOptions({ html }: LinkPage): unknown {
  const [, text = "{}"] = /data-key-options="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
}

async function addKey(browser: Browser, type: "passkey" | "webauthn-roaming"): Promise<LinkPage> {
  const page = await openSecurity(browser, { view: "add", type });
  const response = JSON.stringify(await device.create(creationOptionsSchema.parse(keyOptions(page))));
  return submitSecurity(browser, page, { action: "confirm-key", response });
}

test("a security key is added, confirms the next change, and is removed", async () => {
  const browser = await signIn();
  shownCode(await addKey(browser, "webauthn-roaming"));
  const overview = await openSecurity(browser);
  expect(overview.html).toContain("On one device only");
  const [id = ""] = listedFactors(overview);
  service.clock.advance("16m");
  const challenge = await openSecurity(browser, { view: "remove", id });
  const response = JSON.stringify(await device.get(requestOptionsSchema.parse(keyOptions(challenge))));
  // The response belongs to this session: it is worthless in another one of the user.
  const other = await signIn(service.bob);
  const foreign = await submitSecurity(other, await openSecurity(other, { view: "add" }), { action: "use-key", response });
  expect(foreign.title).not.toBe("Remove this method?");
  const confirmed = await submitSecurity(browser, challenge, { action: "use-key", response, current_factor: "webauthn-roaming" });
  expect(confirmed.title).toBe("Remove this method?");
  const removed = await submitSecurity(browser, confirmed, { action: "remove-factor" });
  const [, accepted = ""] = /data-accepted-credentials="([^"]*)"/.exec(removed.html) ?? [];
  expect(JSON.parse(accepted.replaceAll("&quot;", '"'))).toMatchObject({ rpId: "id.example.test", allAcceptedCredentialIds: [] });
  expect(listedFactors(removed)).toEqual([]);
});

test("a security key must verify the user if the tenant requires it", async () => {
  await service.manage("PUT", "/api/v2/guardian/factors/webauthn-roaming/settings", { userVerification: "required" });
  const browser = await signIn();
  const options = creationOptionsSchema.parse(keyOptions(await openSecurity(browser, { view: "add", type: "webauthn-roaming" })));
  expect(options.authenticatorSelection.userVerification).toBe("required");
});

test("rejects the response of a key that was created for another session", async () => {
  const [browser, other] = [await signIn(), await signIn(service.bob)];
  const page = await openSecurity(browser, { view: "add", type: "webauthn-roaming" });
  const response = JSON.stringify(await device.create(creationOptionsSchema.parse(keyOptions(page))));
  const own = await openSecurity(other, { view: "add", type: "webauthn-roaming" });
  const rejected = await submitSecurity(other, own, { action: "confirm-key", response });
  expect(rejected.html).toContain('id="problem"');
  expect(listedFactors(await openSecurity(other))).toEqual([]);
});

test("a passkey can be added only if the connection of the session enables passkeys", async () => {
  const browser = await signIn();
  expect((await openSecurity(browser, { view: "add" })).html).not.toContain('value="passkey"');
  const [connection] = list(await service.manage("GET", `/api/v2/connections?name=${databaseName}`));
  const options = { authentication_methods: { password: { enabled: true }, passkey: { enabled: true } } };
  await service.manage("PATCH", `/api/v2/connections/${String(connection?.["id"])}`, {
    options: { ...Object(connection?.["options"]), ...options },
  });
  const offered = await openSecurity(browser, { view: "add" });
  expect(offered.html).toContain('value="passkey"');
  await addKey(browser, "passkey");
  const overview = await openSecurity(browser);
  expect(overview.html).toContain("Passkey");
  expect(listedFactors(overview)).toHaveLength(1);
});
