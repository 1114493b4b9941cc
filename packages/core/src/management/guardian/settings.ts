import {
  changeMultifactor,
  codeSettingsSchema,
  guardianSettingsSchema,
  multifactorSettings,
  setGuardianSettingsSchema,
} from "../../model/factors/multifactor.ts";
import { route } from "../../tenants/callers/route-context.ts";

const emailCodes = "/api/v2/guardian/factors/email/settings";
const phoneCodes = "/api/v2/guardian/factors/phone/settings";
const remembered = "/api/v2/guardian/settings";

/** The routes for the format of codes, and for the browsers in which users passed a factor. */
export const guardianSettings = [
  route({
    method: "GET",
    path: emailCodes,
    summary: "Get the format of codes by email",
    scopes: ["read:guardian_factors"],
    responses: { 200: codeSettingsSchema },
  })(async (_, { tenant }) => multifactorSettings(tenant.record).email.codes),
  route({
    method: "PUT",
    path: emailCodes,
    summary: "Replace the format of codes by email",
    scopes: ["update:guardian_factors"],
    body: codeSettingsSchema,
    responses: { 200: codeSettingsSchema, 409: { error: "conflict" } },
  })(async ({ body: codes }, { tenant }) => {
    await tenant.change((record) => ({ multifactor: changeMultifactor(record, { email: { codes } }) }));
    return codes;
  }),
  route({
    method: "GET",
    path: phoneCodes,
    summary: "Get the format of codes by phone",
    scopes: ["read:guardian_factors"],
    responses: { 200: codeSettingsSchema },
  })(async (_, { tenant }) => multifactorSettings(tenant.record).phone.codes),
  route({
    method: "PUT",
    path: phoneCodes,
    summary: "Replace the format of codes by phone",
    scopes: ["update:guardian_factors"],
    body: codeSettingsSchema,
    responses: { 200: codeSettingsSchema, 409: { error: "conflict" } },
  })(async ({ body: codes }, { tenant }) => {
    await tenant.change((record) => ({ multifactor: changeMultifactor(record, { phone: { codes } }) }));
    return codes;
  }),
  route({
    method: "GET",
    path: remembered,
    summary: "Get the settings for remembered browsers",
    description: "For how long users are not asked for a factor again in a browser in which they passed one.",
    scopes: ["read:guardian_factors"],
    responses: { 200: guardianSettingsSchema },
  })(async (_, { tenant }) => multifactorSettings(tenant.record).remember),
  route({
    method: "PUT",
    path: remembered,
    summary: "Replace the settings for remembered browsers",
    scopes: ["update:guardian_factors"],
    body: setGuardianSettingsSchema,
    responses: { 200: guardianSettingsSchema, 409: { error: "conflict" } },
  })(async ({ body: remember }, { tenant }) => {
    const endsTrust = !remember.display_remember_me_checkbox;
    const change = { remember, ...(endsTrust && { trust_ended_at: tenant.now() }) };
    await tenant.change((record) => ({ multifactor: changeMultifactor(record, change) }));
    return remember;
  }),
];
