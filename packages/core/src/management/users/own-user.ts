import { PosternError } from "../../errors.ts";
import type { Scope } from "../../model/scopes.ts";
import type { ManagementContext } from "../../tenants/callers/route-context.ts";

/**
 * With a scope for one's own user alone, that is all that a token reaches.
 * @param everybody the scopes that reach every user.
 * @throws {PosternError} `forbidden`, whether the other user exists or not.
 */
export function checkOwn(userId: string, { caller }: ManagementContext, ...everybody: readonly Scope[]): void {
  if (!everybody.some((scope) => caller.scopes.has(scope)) && caller.ownUserId !== userId) {
    throw new PosternError("forbidden", "the token reaches its own user alone");
  }
}
