import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { invalidBody, readStored, storedOnly, storedReader } from "../settings.ts";
import { changedStages } from "./stages.ts";

const stage = z
  .strictObject({ shields: z.array(z.enum(["block", "admin_notification"])) })
  .meta({ description: "Without `block` in `shields`, passwords are not checked" });

const stageChange = stage.exactPartial();
const stages = { "pre-user-registration": stage, "pre-change-password": stage };
const stageChanges = { "pre-user-registration": stageChange, "pre-change-password": stageChange };
const stageMeta = { description: "When passwords are checked: when an account is created, and when its password changes" };

const settings = {
  enabled: z.boolean().meta({ description: "Requires that the host application sets the option `breachedPasswords`" }),
  shields: storedOnly(
    z.array(z.enum(["user_notification", "admin_notification"])),
    "Passwords are checked when they are set, as configured in `stage`, and not at sign-in. `block` is not allowed",
  ),
  admin_notification_frequency: storedOnly(z.array(z.enum(["immediately", "daily", "weekly", "monthly"]))),
  method: storedOnly(z.enum(["standard", "enhanced"])),
};

/**
 * The settings that determine whether passwords from known data breaches are rejected, as the Management API returns
 * them.
 */
export const breachedPasswordDetectionSchema = z
  .strictObject({ ...settings, stage: z.strictObject(stages).meta(stageMeta) })
  .meta({ id: "BreachedPasswordDetection" });

/**
 * The body of `PATCH /api/v2/attack-protection/breached-password-detection`. Omitted fields, at every depth, stay
 * unchanged; lists are replaced.
 */
export const updateBreachedPasswordDetectionSchema = z
  .strictObject({ ...settings, stage: z.strictObject(stageChanges).exactPartial().meta(stageMeta) })
  .exactPartial()
  .meta({ id: "UpdateBreachedPasswordDetection" });

/** The stored settings: only those that a caller set. Members that a later version added are ignored. */
const storedSchema = z
  .object({
    breached_password_detection: z.object({ ...settings, stage: z.object(stages).exactPartial() }).exactPartial(),
  })
  .exactPartial();

/**
 * A host application that provides a list of breached passwords expects it to be used. So passwords are rejected at
 * both stages by default. Auth0's default is to reject them at neither stage.
 */
const defaults: z.infer<typeof breachedPasswordDetectionSchema> = {
  enabled: true,
  shields: [],
  admin_notification_frequency: [],
  method: "standard",
  stage: { "pre-user-registration": { shields: ["block"] }, "pre-change-password": { shields: ["block"] } },
};

const readDetection = storedReader((stored) => readStored(storedSchema, stored));

/**
 * Reads the settings from the row of a tenant.
 * @param available whether the host application provides a list. Without a list, detection is never enabled.
 */
export function breachedPasswordDetection(
  { attack_protection: record }: Pick<Row<"tenants">, "attack_protection">,
  available: boolean,
): z.infer<typeof breachedPasswordDetectionSchema> {
  const { breached_password_detection: stored = {} } = readDetection(record);
  const read = { ...defaults, ...stored, stage: { ...defaults.stage, ...stored.stage } };
  return { ...read, enabled: available && read.enabled };
}

/**
 * Returns the `attack_protection` column of a tenant after a change to breached-password detection.
 * @throws {PosternError} `invalid_request` if the change enables the detection but the host application provides no
 * list.
 */
export function fromUpdateBreachedPasswordDetection(
  row: Row<"tenants">,
  { stage: change, ...body }: z.infer<typeof updateBreachedPasswordDetectionSchema>,
  available: boolean,
): JsonObject {
  if (body.enabled === true && !available) {
    throw invalidBody("'enabled' must be false: no list of breached passwords is configured (option `breachedPasswords`)");
  }
  const before = readDetection(row.attack_protection).breached_password_detection;
  const changed = change && changedStages(breachedPasswordDetection(row, available).stage, change);
  return {
    ...row.attack_protection,
    breached_password_detection: { ...before, ...body, ...(changed && { stage: { ...before?.stage, ...changed } }) },
  };
}
