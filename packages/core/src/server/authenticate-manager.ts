import { readPresentedToken } from "../tenants/callers/presented-token.ts";
import { authenticateCaller } from "../tenants/callers/caller.ts";
import { authorizeRoute, checkAnyScope } from "../tenants/callers/check-scopes.ts";
import type { AuthenticateCaller } from "./api.ts";
import { presentedAt } from "./presented-at.ts";

/** Authenticates a caller of the Management API. @throws {PosternError} `invalid_token` or `insufficient_scope`. */
export const authenticateManager: AuthenticateCaller = async (installation, address, progress, definition) => {
  const token = readPresentedToken(progress.request, presentedAt(installation, progress));
  const found = await authenticateCaller(installation, token, address, progress.requestInfo, (known) => Object.assign(progress, known));
  if (definition !== undefined) return authorizeRoute(found, definition);
  checkAnyScope(found.caller);
  return found;
};
