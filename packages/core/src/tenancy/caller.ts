import type { JWTPayload } from "jose";
import type { RequestFacts } from "../domain/audit.ts";
import { PosternError } from "../errors.ts";
import { managementScopes, type Scope } from "../model/scopes.ts";
import { managementIdentifier } from "./audience.ts";
import { verifyAccessToken } from "./access-token.ts";
import type { Installation } from "./installation.ts";
import type { Addressed } from "./resolve.ts";
import type { Tenant } from "./tenant.ts";

/** Who calls the Management API: what the verified token says. */
export interface Caller {
  /** The token's `sub`: a user id, or `<client_id>@clients`. */
  readonly subject: string;
  /** The client that the token was issued to. */
  readonly clientId: string;
  readonly scopes: ReadonlySet<string>;
}

/**
 * Checks a Management API token: signature by a key of its tenant, issuer, audience and lifetime; then that it may reach the tenant that is addressed.
 * @throws {PosternError} `invalid_token` (401), or `forbidden` (403) for a tenant that is not the token's, whether that exists or not.
 */
export async function authenticateCaller(
  installation: Installation,
  token: string,
  address: Addressed,
  facts: RequestFacts,
): Promise<{ readonly tenant: Tenant; readonly caller: Caller }> {
  const { tenant, payload } = await verifyAccessToken(installation, token, managementIdentifier, address, facts);
  const { sub = "", azp, client_id: clientId = azp } = payload;
  return {
    tenant,
    caller: {
      subject: sub,
      clientId: typeof clientId === "string" ? clientId : "",
      scopes: scopesOf(payload),
    },
  };
}

const scopes = new WeakMap<JWTPayload, ReadonlySet<string>>();

/** A token that comes again comes with the same payload: what was read of it once is still right. */
function scopesOf(payload: JWTPayload): ReadonlySet<string> {
  let known = scopes.get(payload);
  if (known === undefined) {
    const { scope } = payload;
    scopes.set(payload, (known = new Set(typeof scope === "string" ? scope.split(" ") : [])));
  }
  return known;
}

/** Checks that a caller has one of the scopes that a route takes. @throws {PosternError} `insufficient_scope` that names them. */
export function checkScopes(caller: Caller, scopes: readonly Scope[]): void {
  if (scopes.some((scope) => caller.scopes.has(scope))) return;
  throw insufficientScope(`Insufficient scope, expected any of: ${scopes.join(",")}`, scopes);
}

/** Checks that a caller has any scope of the Management API, where no route says which one. @throws {PosternError} `insufficient_scope`. */
export function checkAnyScope(caller: Caller): void {
  if (managementScopes.some(({ value }) => caller.scopes.has(value))) return;
  throw insufficientScope("Insufficient scope: the token has none of this API's scopes");
}

/** A refusal for want of scopes, with the challenge that RFC 6750 section 3.1 asks for. @param scopes those of which one is enough, where that can be said. */
function insufficientScope(description: string, scopes: readonly Scope[] = []): PosternError {
  const wanted = scopes.length === 0 ? "" : `, scope="${scopes.join(" ")}"`;
  return new PosternError("insufficient_scope", description, {
    errorCode: "insufficient_scope",
    headers: { "www-authenticate": `Bearer error="insufficient_scope"${wanted}` },
  });
}
