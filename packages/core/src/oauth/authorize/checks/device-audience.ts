import { PosternError } from "../../../errors.ts";
import { demandsAt } from "../../../authorization/step-up/demands.ts";
import type { AuthorizationCheck } from "./check.ts";

/**
 * Rejects the APIs with which users change their own account. A user who is lured to confirm the device of an attacker
 * would otherwise give the account away, with the factor that they pass in their own browser.
 */
export const checkDeviceAudience: AuthorizationCheck = async ({ api }) => {
  if (demandsAt(await api?.()).length > 0) throw new PosternError("invalid_target", "a device cannot get tokens for this API");
};
