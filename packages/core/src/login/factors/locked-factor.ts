import * as z from "zod";
import { nextFactorAttempt } from "../../identity/factors/factor-attempts.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** The field of a screen that says that a factor is locked. */
export const lockedUntilSchema = z.iso.datetime().exactOptional().meta({
  description: "When the user can try the factor again. Only if too many codes were wrong: until then, every code is rejected",
});

/** Returns the field of a screen that says until when a user cannot try a type of factor. Empty if the user can. */
export async function lockedState(
  tenant: RequestTenant,
  userId: string,
  type: FactorType | undefined,
): Promise<{ readonly lockedUntil?: string }> {
  const next = type === undefined ? undefined : await nextFactorAttempt(tenant, userId, type);
  return next === undefined ? {} : { lockedUntil: new Date(next).toISOString() };
}
