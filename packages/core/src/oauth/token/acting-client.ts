import { actsForUsers, needsConsent } from "../../authorization/consent.ts";
import { PosternError } from "../../errors.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";
import { publicClientId } from "../../model/clients/client-id.ts";
import type { AccessToken } from "../../tenants/callers/access-token.ts";
import { findActiveToken } from "../../tenants/callers/active-token.ts";
import type { CachedApi } from "../../tenants/settings-cache.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { countActors, maximumActors, readActor, type ActorClaim } from "../../tokens/actor.ts";
import { findConsent } from "../../tokens/consents.ts";

/** An access token of a user. */
export type UserToken = AccessToken & { readonly userGrant: NonNullable<AccessToken["userGrant"]> };

/**
 * Returns the claim `act` of a token for a client that acts for a user: the client, and those that acted before it.
 * @param subject an access token of the user that was issued to another client.
 * @throws {PosternError} `invalid_request` if the client does not act for users; if the token was revoked; if it results
 * from an exchange in which no client acted; if too many clients acted before.
 */
export async function requireActor(tenant: RequestTenant, client: RegisteredClient, subject: UserToken): Promise<ActorClaim> {
  if (!actsForUsers(client)) throw invalidSubject("the subject token was issued to another client");
  const before = readActor(subject.claims["act"]);
  if (before === undefined && subject.claims["exchanged"] === true)
    throw invalidSubject("the subject token was itself issued by a token exchange");
  if (countActors(before) >= maximumActors) throw invalidSubject(`at most ${maximumActors} clients can act for a user one after another`);
  if ((await findActiveToken(tenant, subject)) === undefined) throw invalidSubject("the subject token was revoked");
  return { sub: publicClientId(client.record), ...(before && { act: before }) };
}

/** The access for which a client acts. */
interface ActingRequest {
  readonly userId: string;
  readonly api: CachedApi | undefined;
  /** The scopes of the subject token that the client can get at the API. */
  readonly scope: readonly string[];
}

/**
 * Returns the scopes with which a client may act for a user at an API. A client that needs consent to its scopes gets only
 * those that the user consented to.
 * @throws {PosternError} `interaction_required` (400) if the user has not consented that the client acts at this API.
 */
export async function scopesToAct(
  tenant: RequestTenant,
  client: RegisteredClient,
  { userId, api, scope }: ActingRequest,
): Promise<readonly string[]> {
  const audience = api?.record.identifier;
  const reference = audience === undefined ? undefined : { userId, clientId: client.record.client_id, audience };
  const consent = reference && (await findConsent(tenant, reference, client));
  if (consent?.may_act !== true) {
    throw new PosternError("interaction_required", "the user must consent first that the client acts for them at this API", {
      status: 400,
    });
  }
  return needsConsent(client, api) ? scope.filter((value) => consent.scope.includes(value)) : scope;
}

/** Creates the error for a subject token that cannot be exchanged. */
export function invalidSubject(description: string, cause?: unknown): PosternError {
  return new PosternError("invalid_request", `'subject_token': ${description}`, { cause });
}
