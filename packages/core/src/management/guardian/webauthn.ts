import { changeMultifactor, multifactorSettings } from "../../model/factors/multifactor.ts";
import {
  setWebauthnPlatformSettingsSchema,
  setWebauthnRoamingSettingsSchema,
  webauthnPlatformSettingsSchema,
  webauthnRoamingSettingsSchema,
} from "../../model/factors/webauthn-settings.ts";
import { mergeSettings } from "../../model/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";

const roaming = "/api/v2/guardian/factors/webauthn-roaming/settings";
const platform = "/api/v2/guardian/factors/webauthn-platform/settings";
const stored = "Only stored, for compatibility with Auth0: users cannot add such an authenticator as a factor.";
const rule = "Omitted members stay unchanged; `null` removes a member.";
const conflict = { 409: { error: "conflict" } } as const;

/** The routes for the settings of security keys, and of authenticators that are built into a device. */
export const guardianWebauthn = [
  route({
    method: "GET",
    path: roaming,
    summary: "Get the settings of security keys",
    scopes: ["read:guardian_factors"],
    responses: { 200: webauthnRoamingSettingsSchema },
  })(async (_, { tenant }) => multifactorSettings(tenant.record).webauthn.roaming),
  route({
    method: "PUT",
    path: roaming,
    summary: "Change the settings of security keys",
    description: rule,
    scopes: ["update:guardian_factors"],
    body: setWebauthnRoamingSettingsSchema,
    responses: { 200: webauthnRoamingSettingsSchema, ...conflict },
  })(async ({ body }, { tenant }) => {
    const changed = await tenant.change((record) => {
      const settings = mergeSettings(multifactorSettings(record).webauthn.roaming, body);
      return { multifactor: changeMultifactor(record, { webauthn: { roaming: webauthnRoamingSettingsSchema.parse(settings) } }) };
    });
    return multifactorSettings(changed).webauthn.roaming;
  }),
  route({
    method: "GET",
    path: platform,
    summary: "Get the settings of authenticators that are built into a device",
    description: stored,
    scopes: ["read:guardian_factors"],
    responses: { 200: webauthnPlatformSettingsSchema },
  })(async (_, { tenant }) => multifactorSettings(tenant.record).webauthn.platform),
  route({
    method: "PUT",
    path: platform,
    summary: "Change the settings of authenticators that are built into a device",
    description: `${stored} ${rule}`,
    scopes: ["update:guardian_factors"],
    body: setWebauthnPlatformSettingsSchema,
    responses: { 200: webauthnPlatformSettingsSchema, ...conflict },
  })(async ({ body }, { tenant }) => {
    const changed = await tenant.change((record) => {
      const settings = mergeSettings(multifactorSettings(record).webauthn.platform, body);
      return { multifactor: changeMultifactor(record, { webauthn: { platform: webauthnPlatformSettingsSchema.parse(settings) } }) };
    });
    return multifactorSettings(changed).webauthn.platform;
  }),
];
