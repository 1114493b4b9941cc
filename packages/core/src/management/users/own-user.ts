import { PosternError } from "../../errors.ts";
import type { Scope } from "../../model/scopes.ts";
import type { ManagementContext } from "../../tenants/callers/route-context.ts";

/**
 * Requires that a caller without a scope for all users accesses only their own user.
 * @param allUsersScopes the scopes that give access to every user.
 * @throws {PosternError} `forbidden`, whether or not the requested user exists.
 */
export function requireOwnUser(userId: string, { caller }: ManagementContext, ...allUsersScopes: readonly Scope[]): void {
  if (!allUsersScopes.some((scope) => caller.scopes.has(scope)) && caller.ownUserId !== userId) {
    throw new PosternError("forbidden", "the token gives access only to the user that it was issued for");
  }
}

/**
 * Returns the id of the user that the caller's token was issued for.
 * @throws {PosternError} `forbidden` for a client, the host application and a caller from the control plane.
 */
export function requireUserToken({ caller: { ownUserId } }: ManagementContext): string {
  if (ownUserId === undefined) throw new PosternError("forbidden", "the token was not issued for a user of this tenant");
  return ownUserId;
}
