import { PosternError } from "../../errors.ts";
import type { FurtherScopes, RouteDefinition } from "../../http/route.ts";
import { insufficientScopeText } from "../../model/sdk-texts.ts";
import type { Caller } from "./caller.ts";
import type { ManagementContext } from "./route-context.ts";

/**
 * Requires that a caller has one of these scopes. @throws {PosternError} `insufficient_scope`, with a message that
 * names the scopes.
 */
function checkScopes(caller: Caller, scopes: readonly string[]): void {
  if (scopes.some((scope) => caller.scopes.has(scope))) return;
  throw insufficientScope(`${insufficientScopeText}, expected any of: ${scopes.join(",")}`, scopes);
}

/**
 * Checks the scopes that the route declares, and returns the context for its handler. The caller must have one of
 * `scopes`, and satisfy every entry of `furtherScopes` that has no condition.
 * @throws {PosternError} `insufficient_scope`
 */
export function authorizeRoute(
  recognised: Pick<ManagementContext, "tenant" | "caller">,
  { scopes, furtherScopes = [] }: RouteDefinition,
): ManagementContext {
  const context = { ...recognised, furtherScopes };
  if (typeof scopes !== "string") checkScopes(context.caller, scopes);
  for (const further of furtherScopes) if (further.when === undefined) requireScopes(context, further);
  return context;
}

/**
 * Requires the scopes that an entry of the route's `furtherScopes` lists.
 * @throws {PosternError} `insufficient_scope`
 * @throws {Error} if the route does not declare the entry. The OpenAPI document would not name its scopes.
 */
export function requireScopes(context: Pick<ManagementContext, "caller" | "furtherScopes">, further: FurtherScopes): void {
  requireDeclaration(context, further);
  if (further.scopes !== "granted") checkScopes(context.caller, further.scopes);
}

/** @throws {Error} if the route does not declare the entry. */
export function requireDeclaration({ furtherScopes }: Pick<ManagementContext, "furtherScopes">, further: FurtherScopes): void {
  if (!furtherScopes.includes(further)) throw new Error(`the route checks scopes that it does not declare: ${String(further.scopes)}`);
}

/**
 * Requires that a caller has any scope of the Management API, for routes that name no scopes. @throws {PosternError}
 * `insufficient_scope`.
 */
export function checkAnyScope(caller: Caller): void {
  if (caller.scopes.size > 0) return;
  throw insufficientScope(`${insufficientScopeText}: the token has none of this API's scopes`);
}

/**
 * Creates the error for missing scopes, with the challenge of RFC 6750 section 3.1. @param scopes the missing scopes,
 * if they are known.
 */
export function insufficientScope(description: string, scopes: readonly string[] = []): PosternError {
  const scopeParameter = scopes.length === 0 ? "" : `, scope="${scopes.join(" ")}"`;
  return new PosternError("insufficient_scope", description, {
    errorCode: "insufficient_scope",
    headers: { "www-authenticate": `Bearer error="insufficient_scope"${scopeParameter}` },
  });
}
