import * as z from "zod";
import type { JsonObject } from "../../store/value.ts";
import { mergeSettings, nullableFields, readStored, storedOnlyFields } from "../settings.ts";

const flag = z.boolean();

const shown = storedOnlyFields({
  universal_login_experience: z.enum(["new", "classic"]),
  identifier_first: flag,
  webauthn_platform_first_factor: flag,
});

/** How the vendor's login asks, as the Management API shows it. The pages here always ask who somebody is first. */
export const PromptSettings = z.strictObject(shown).meta({ id: "PromptSettings" });

const { universal_login_experience, ...flags } = shown;

/** The body of `PATCH /api/v2/prompts`; `null` means the default. */
export const UpdatePromptSettings = z
  .strictObject({ universal_login_experience, ...nullableFields(flags) })
  .exactPartial()
  .meta({ id: "UpdatePromptSettings" });

export type PromptSettings = z.infer<typeof PromptSettings>;
export type UpdatePromptSettings = z.infer<typeof UpdatePromptSettings>;

const defaults = { universal_login_experience: "new", identifier_first: true, webauthn_platform_first_factor: false } as const;

const Stored = z.object(shown).exactPartial();

/** What is stored, with what holds where nobody said anything. */
export function toPromptSettings(stored: JsonObject): PromptSettings {
  return { ...defaults, ...readStored(Stored, stored) };
}

/** What is stored after a change. */
export function fromUpdatePromptSettings(stored: JsonObject, change: UpdatePromptSettings): JsonObject {
  return mergeSettings(stored, change);
}
