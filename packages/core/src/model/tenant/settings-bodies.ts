import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { limitedUrls } from "../clients/registered-urls.ts";
import { fact, mergeSettings, nullableFields, readStored } from "../settings.ts";
import {
  allTenantSettings,
  clearableTenantSettings,
  defaultSettings,
  plainTenantSettings,
  storedTenantSettingsSchema,
} from "./all-settings.ts";
import { lifetimeMinutes, maximumHours } from "./settings.ts";

/**
 * The number of hours may be fractional. Ninety minutes are returned as 1.5, and request bodies must accept values that
 * responses contain.
 */
const hours = z
  .number()
  .min(1 / 60)
  .max(maximumHours);

const lifetimeHours = {
  session_lifetime: hours,
  idle_session_lifetime: hours,
  ephemeral_session_lifetime: hours,
  idle_ephemeral_session_lifetime: hours,
};

const friendlyName = z.string().max(255);

const {
  session_lifetime_in_minutes: _session,
  idle_session_lifetime_in_minutes: _idle,
  ephemeral_session_lifetime_in_minutes: _ephemeral,
  idle_ephemeral_session_lifetime_in_minutes: _idleEphemeral,
  ...shownSettings
} = storedTenantSettingsSchema.shape;

/** The versions of Node.js that run rules in Auth0. Returned for compatibility with Auth0; have no effect in Postern. */
const sandboxVersions = ["22", "18"];

/** A tenant's settings as the Management API returns them. Lifetimes are in hours. */
export const tenantSettingsReplySchema = z
  .strictObject({
    friendly_name: friendlyName,
    ...lifetimeHours,
    ...shownSettings,
    sandbox_versions_available: fact(z.array(z.string())),
  })
  .meta({ id: "TenantSettings" });

/**
 * The body of `PATCH /api/v2/tenants/settings`. `null` resets a setting to its default. `flags` are merged; all other
 * settings are replaced. Lifetimes are in hours or in minutes. If the body contains both, the minutes apply.
 */
export const updateTenantSettingsSchema = z
  .strictObject({
    friendly_name: friendlyName,
    ...plainTenantSettings,
    allowed_logout_urls: limitedUrls(plainTenantSettings.allowed_logout_urls),
    ...nullableFields(clearableTenantSettings),
    ...lifetimeHours,
    ...lifetimeMinutes,
  })
  .exactPartial()
  .meta({ id: "UpdateTenantSettings" });

export type TenantSettingsReply = z.infer<typeof tenantSettingsReplySchema>;

/** Converts the settings of a row to the Management API format. */
export function toTenantSettings(row: Row<"tenants">): TenantSettingsReply {
  const {
    session_lifetime_in_minutes: session,
    idle_session_lifetime_in_minutes: idle,
    ephemeral_session_lifetime_in_minutes: ephemeral,
    idle_ephemeral_session_lifetime_in_minutes: idleEphemeral,
    ...settings
  } = allTenantSettings(row);
  return {
    ...settings,
    friendly_name: row.friendly_name,
    sandbox_versions_available: [...sandboxVersions],
    session_lifetime: session / 60,
    idle_session_lifetime: idle / 60,
    ephemeral_session_lifetime: ephemeral / 60,
    idle_ephemeral_session_lifetime: idleEphemeral / 60,
  };
}

/** The columns of a tenant that an update of its settings changes. */
interface TenantSettingsChange {
  readonly friendly_name: string;
  readonly settings: JsonObject;
}

/** Returns the settings of a new tenant: the defaults, overridden by the settings in the body. */
export function newTenantSettings(body: z.infer<typeof updateTenantSettingsSchema> = {}): JsonObject {
  return applyBody(defaultSettings, body);
}

/** Returns the columns that an update changes. Omitted fields stay unchanged. */
export function fromUpdateTenantSettings(row: Row<"tenants">, body: z.infer<typeof updateTenantSettingsSchema>): TenantSettingsChange {
  return { friendly_name: body.friendly_name ?? row.friendly_name, settings: applyBody(row.settings, body) };
}

function applyBody(stored: JsonObject, body: z.infer<typeof updateTenantSettingsSchema>): JsonObject {
  const { friendly_name: _column, session_lifetime, idle_session_lifetime, ephemeral_session_lifetime, ...more } = body;
  const { idle_ephemeral_session_lifetime, flags, ...rest } = more;
  return mergeSettings(stored, {
    ...(flags && { flags: { ...readStored(storedTenantSettingsSchema, stored).flags, ...flags } }),
    ...rest,
    ...wholeMinutes("session_lifetime_in_minutes", session_lifetime, body.session_lifetime_in_minutes),
    ...wholeMinutes("idle_session_lifetime_in_minutes", idle_session_lifetime, body.idle_session_lifetime_in_minutes),
    ...wholeMinutes("ephemeral_session_lifetime_in_minutes", ephemeral_session_lifetime, body.ephemeral_session_lifetime_in_minutes),
    ...wholeMinutes(
      "idle_ephemeral_session_lifetime_in_minutes",
      idle_ephemeral_session_lifetime,
      body.idle_ephemeral_session_lifetime_in_minutes,
    ),
  });
}

function wholeMinutes(name: keyof typeof lifetimeMinutes, inHours: number | undefined, inMinutes: number | undefined): JsonObject {
  const given = inMinutes ?? (inHours === undefined ? undefined : inHours * 60);
  return given === undefined ? {} : { [name]: Math.max(1, Math.round(given)) };
}
