import { PosternError } from "../errors.ts";
import type { Scope } from "../model/scopes.ts";
import type { Caller } from "./caller.ts";

/** Checks that a caller has one of the scopes that a route takes. @throws {PosternError} `insufficient_scope` that names them. */
export function checkScopes(caller: Caller, scopes: readonly Scope[]): void {
  if (scopes.some((scope) => caller.scopes.has(scope))) return;
  throw insufficientScope(`Insufficient scope, expected any of: ${scopes.join(",")}`, scopes);
}

/** Checks that a caller has any scope of the Management API, where no route says which one. @throws {PosternError} `insufficient_scope`. */
export function checkAnyScope(caller: Caller): void {
  if (caller.scopes.size > 0) return;
  throw insufficientScope("Insufficient scope: the token has none of this API's scopes");
}

/** A refusal for want of scopes, with the challenge that RFC 6750 section 3.1 asks for. @param scopes those that the caller lacks, where that can be said. */
export function insufficientScope(description: string, scopes: readonly string[] = []): PosternError {
  const wanted = scopes.length === 0 ? "" : `, scope="${scopes.join(" ")}"`;
  return new PosternError("insufficient_scope", description, {
    errorCode: "insufficient_scope",
    headers: { "www-authenticate": `Bearer error="insufficient_scope"${wanted}` },
  });
}
