import { expect, test } from "vitest";
import { openSecurity, submitSecurity } from "../account/support.ts";
import { jsonBody, stringMember } from "../support/api.ts";
import { sendAuthorization, signInAtLoginPage, submitStep } from "../support/flow.ts";
import { openLink, submitLinkForm } from "../support/links.ts";
import { openMfaService, type MfaService } from "./mfa-api-support.ts";
import { screenOf, setPolicies, signInToFactor, totpOf } from "./support.ts";

const choose = { action: "choose-new-factor", factor: "totp" } as const;

const inPage = ({ html }: { readonly html: string }): string => /otpauth:[^"]+/.exec(html)?.[0].replaceAll("&amp;", "&") ?? "";

/** Each returns the `otpauth:` URI that a user gets at one place. */
const places: Readonly<Record<string, (service: MfaService) => Promise<string>>> = {
  "the MFA API": async (service) => {
    const token = stringMember(await service.begin(), "mfa_token");
    return stringMember(jsonBody(await service.associate(token, { authenticator_types: ["otp"] })), "barcode_uri");
  },
  "the login": async (service) => {
    const browser = service.browser();
    const { state } = await signInToFactor(service, browser);
    return stringMember(totpOf(screenOf(await submitStep(browser, state, choose))), "uri");
  },
  "the link of an enrollment ticket": async (service) => {
    const ticket = await service.manage("POST", "/api/v2/guardian/enrollments/ticket", { user_id: service.ada.userId });
    const browser = service.browser();
    return inPage(await submitLinkForm(browser, await openLink(browser, stringMember(jsonBody(ticket), "ticket_url")), choose));
  },
  "the page of the account": async (service) => {
    await setPolicies(service, []);
    const browser = service.browser();
    await signInAtLoginPage(browser, await sendAuthorization(browser, service.web), service.ada);
    return inPage(await submitSecurity(browser, await openSecurity(browser, { view: "add" }), choose));
  },
};

test.each(Object.entries(places))("an app that is added at %s shows the tenant's name as pages and mails do", async (_, add) => {
  const service = await openMfaService();
  const label = async (): Promise<readonly [issuer: string | null, path: string]> => {
    const { searchParams, pathname } = new URL(await add(service));
    return [searchParams.get("issuer"), decodeURIComponent(pathname)];
  };
  // The id of the tenant means nothing to users.
  expect(await label()).toEqual(["id.example.test", expect.stringMatching(/\/id\.example\.test:ada@example\.test$/)]);
  jsonBody(await service.manage("PATCH", "/api/v2/tenants/settings", { friendly_name: "Harbour" }));
  expect(await label()).toEqual(["Harbour", expect.stringMatching(/\/Harbour:ada@example\.test$/)]);
});
