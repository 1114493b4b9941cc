import { describe, expect, test } from "vitest";
import { jsonBody, list, type JsonBody } from "../support/api.ts";
import { formAction, formFields, type Browser } from "../support/browser.ts";
import {
  authorizeParameters,
  claimsOf,
  errorParameters,
  followRedirects,
  openService,
  readResult,
  sendAuthorization,
  signInAtLoginPage,
  successParameters,
  type AuthorizationParameters,
  type FlowResult,
  type LoginService,
} from "../support/flow.ts";
import { openLink } from "../support/links.ts";
import { createOutbox } from "../support/outbox.ts";

/** Which `acr_values` a tenant lists, and that an authorization request can require exactly these. */

const multifactor = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";
const phr = "phr";
const silver = "urn:mace:incommon:iap:silver";

const discovery = async (service: LoginService): Promise<JsonBody> =>
  jsonBody(await service.call("GET", "/.well-known/openid-configuration"));

const essential = (value: string): AuthorizationParameters => ({
  claims: JSON.stringify({ id_token: { acr: { essential: true, value } } }),
});

/** Signs in with the password. A response in a form is on the page that the flow leads to. */
async function signIn(service: LoginService, browser: Browser, parameters: AuthorizationParameters): Promise<FlowResult> {
  const result = await signInAtLoginPage(browser, await sendAuthorization(browser, service.web, parameters), service.ada);
  return result.kind === "login" ? readResult(await browser.get(`/u/login?${new URLSearchParams({ state: result.state })}`)) : result;
}

describe("a tenant without factors", () => {
  // The suite of the OpenID Foundation runs `oidcc-ensure-request-with-acr-values-succeeds` in twelve login plans.
  const plans = ["code", "id_token", "id_token token", "code id_token", "code token", "code id_token token"].flatMap((type) => [
    { type, mode: undefined },
    { type, mode: "form_post" },
  ]);

  test.each(plans)("succeeds for acr_values with response_type=$type and response_mode=$mode", async ({ type, mode }) => {
    const service = await openService();
    const { acr_values_supported: listed } = await discovery(service);
    expect(listed).toBeUndefined();
    const plain = { response_type: type, response_mode: mode, code_challenge: undefined, code_challenge_method: undefined };
    for (const acr_values of ["1 2", multifactor, `${phr} ${multifactor} 1`]) {
      const parameters = successParameters(await signIn(service, service.browser(), { ...plain, acr_values }));
      if (parameters["id_token"] !== undefined) expect(claimsOf(parameters["id_token"])).not.toHaveProperty("acr");
    }
  });

  test("succeeds silently with an existing session, and fails for an essential acr claim", async () => {
    const service = await openService();
    const browser = service.browser();
    successParameters(await signIn(service, browser, {}));
    successParameters(await sendAuthorization(browser, service.web, { acr_values: `${multifactor} ${phr}`, prompt: "none" }));
    for (const value of [multifactor, phr, silver]) {
      for (const more of [{}, { acr_values: "1 2" }]) {
        const { error } = errorParameters(await sendAuthorization(browser, service.web, { ...essential(value), ...more }));
        expect(error, value).toBe("unmet_authentication_requirements");
      }
    }
  });

  test("succeeds with a sign-in link from /passwordless/start", async () => {
    const outbox = createOutbox();
    const service = await openService({ messages: { mail: outbox.mail } });
    await service.manage.create("/api/v2/connections", { name: "email", strategy: "email" });
    const app = await service.register({});
    const { client_id, ...authParams } = authorizeParameters(app, { acr_values: multifactor });
    const { email } = service.ada;
    jsonBody(
      await service.call("POST", "/passwordless/start", { body: { client_id, connection: "email", email, send: "link", authParams } }),
    );
    const browser = service.browser();
    const { html } = await openLink(browser, outbox.take(email).link ?? "");
    const redirected = await browser.post(formAction(html) ?? "", { form: formFields(html) });
    successParameters(await followRedirects(browser, await browser.get(redirected.headers.get("location") ?? "")));
  });
});

interface Tenant {
  /** The factors that the tenant enables. */
  readonly factors?: readonly string[];
  /** Whether a connection of the tenant enables passkeys. */
  readonly passkeys?: true;
  readonly settings?: { readonly acr_values_supported?: readonly string[]; readonly passkey_counts_as_factor?: boolean };
  readonly listed: readonly string[];
}

const tenants: readonly Tenant[] = [
  { factors: ["otp"], listed: [multifactor] },
  { factors: ["sms"], listed: [multifactor] },
  { factors: ["webauthn-roaming"], listed: [multifactor, phr] },
  // Neither protects an account alone.
  { factors: ["email", "recovery-code"], listed: [] },
  { passkeys: true, listed: [multifactor, phr] },
  { passkeys: true, settings: { passkey_counts_as_factor: false }, listed: [phr] },
  { passkeys: true, factors: ["otp"], settings: { passkey_counts_as_factor: false }, listed: [multifactor, phr] },
  { factors: ["otp"], settings: { acr_values_supported: [multifactor, silver] }, listed: [multifactor] },
  { factors: ["otp"], settings: { acr_values_supported: [phr] }, listed: [] },
  { factors: ["webauthn-roaming"], settings: { acr_values_supported: [phr, multifactor] }, listed: [multifactor, phr] },
  { factors: ["webauthn-roaming"], settings: { acr_values_supported: [phr] }, listed: [phr] },
  { factors: ["webauthn-roaming"], passkeys: true, settings: { acr_values_supported: [silver] }, listed: [] },
  { factors: ["webauthn-roaming"], passkeys: true, settings: { acr_values_supported: [] }, listed: [] },
  { settings: { acr_values_supported: [multifactor, phr] }, listed: [] },
];

async function openTenant({ factors = [], passkeys, settings }: Tenant): Promise<LoginService> {
  const service = await openService();
  for (const name of factors) jsonBody(await service.manage("PUT", `/api/v2/guardian/factors/${name}`, { enabled: true }));
  if (settings !== undefined) jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", settings));
  if (passkeys === true) {
    const [{ id, options } = {}] = list(await service.manage("GET", "/api/v2/connections?name=Username-Password-Authentication"));
    const authentication_methods = { password: { enabled: true }, passkey: { enabled: true } };
    jsonBody(
      await service.manage("PATCH", `/api/v2/connections/${String(id)}`, { options: { ...Object(options), authentication_methods } }),
    );
  }
  return service;
}

describe.each(tenants)("a tenant with factors $factors, passkeys $passkeys and settings $settings", (tenant) => {
  const { listed, settings } = tenant;

  test(`lists ${JSON.stringify(listed)}`, async () => {
    const service = await openTenant(tenant);
    for (const path of ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]) {
      expect(jsonBody(await service.call("GET", path))["acr_values_supported"] ?? [], path).toEqual(listed);
    }
    const stored = jsonBody(await service.manage("GET", "/api/v2/tenants/settings"))["acr_values_supported"];
    if (settings?.acr_values_supported !== undefined) expect(stored).toEqual(settings.acr_values_supported);
  });

  test.each([multifactor, phr])("requires %s for acr_values exactly if it is listed, and always for an essential claim", async (acr) => {
    const service = await openTenant(tenant);
    const browser = service.browser();
    successParameters(await signIn(service, browser, {}));
    const isMet = async (parameters: AuthorizationParameters): Promise<boolean> => {
      const result = await sendAuthorization(browser, service.web, parameters);
      return result.kind === "response" && result.parameters["error"] === undefined;
    };
    expect(await isMet({ acr_values: acr })).toBe(!listed.includes(acr));
    expect(await isMet({ acr_values: `${silver} ${acr}` })).toBe(!listed.includes(acr));
    expect(await isMet({ ...essential(acr), acr_values: silver })).toBe(false);
  });
});
