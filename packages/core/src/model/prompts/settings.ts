import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";
import { mergeSettings, nullableFields, readStored, storedOnlyFields } from "../settings.ts";

const flag = z.boolean();

const shown = storedOnlyFields({
  universal_login_experience: z.enum(["new", "classic"]),
  identifier_first: flag,
  webauthn_platform_first_factor: flag,
});

/**
 * The settings of Auth0's login as the Management API returns them. Postern's login always asks for the identifier
 * first.
 */
export const promptSettingsSchema = z.strictObject(shown).meta({ id: "PromptSettings" });

const { universal_login_experience, ...flags } = shown;

/** The body of `PATCH /api/v2/prompts`. `null` resets a setting to its default. */
export const updatePromptSettingsSchema = z
  .strictObject({ universal_login_experience, ...nullableFields(flags) })
  .exactPartial()
  .meta({ id: "UpdatePromptSettings" });

const defaults = { universal_login_experience: "new", identifier_first: true, webauthn_platform_first_factor: false } as const;

const storedSchema = z.object(shown).exactPartial();

/** Returns the stored settings, including defaults. */
export function toPromptSettings(stored: JsonObject): z.infer<typeof promptSettingsSchema> {
  return { ...defaults, ...readStored(storedSchema, stored) };
}

/** Returns the stored settings after an update. */
export function fromUpdatePromptSettings(stored: JsonObject, change: z.infer<typeof updatePromptSettingsSchema>): JsonObject {
  return mergeSettings(stored, change);
}
