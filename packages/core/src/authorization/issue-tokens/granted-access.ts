import type { RegisteredClient } from "../../model/clients/client.ts";
import type { JsonObject } from "../../store/value.ts";
import type { CachedApi } from "../../tenants/settings-cache.ts";
import type { AccessTokenContent } from "../../tokens/access-token.ts";
import type { ActorClaim } from "../../tokens/actor.ts";
import type { KeyBinding } from "../../tokens/proofs/dpop-proof.ts";
import type { ClaimSource } from "../../tokens/id-token.ts";
import type { GrantActionsResult } from "../actions/action-result.ts";
import type { TokenOrganization } from "../organization.ts";
import type { RequestedClaims } from "../requested-claims.ts";

/** The key that tokens can be bound to. */
interface ProvenKey {
  /** The key whose possession the client proved in this request. Undefined if it proved none. */
  readonly provenKey: KeyBinding | undefined;
  /** Present if the token is exchanged for one that is bound to a key: the new token is bound, too. */
  readonly isExchangeOfBound?: true;
}

/** The access that a client has for itself, without a user (RFC 6749 section 4.4). */
export interface ClientAccess extends ProvenKey {
  readonly client: RegisteredClient;
  readonly user?: undefined;
  readonly api: CachedApi;
  readonly scope: readonly string[];
  readonly organization?: TokenOrganization;
  /** Claims of the host's actions. */
  readonly customClaims?: JsonObject;
}

/** The access that a client has on behalf of a user. */
export interface UserAccess extends ProvenKey {
  readonly client: RegisteredClient;
  readonly user: ClaimSource;
  readonly sessionId: string;
  readonly grantId: string;
  readonly scope: readonly string[];
  /**
   * The permissions, for an API whose tokens list permissions in addition to scopes. If omitted, they are looked up.
   */
  readonly permissions?: readonly string[];
  readonly api: CachedApi | undefined;
  /**
   * When the user authenticated, in milliseconds since 1970. Undefined if the identity provider did not return this
   * time.
   */
  readonly authTime: number | undefined;
  /** The authentication methods that the user used. */
  readonly methods: readonly string[];
  readonly nonce?: string;
  readonly organization?: TokenOrganization;
  /** Claims that the `claims` parameter requested (OpenID Connect Core section 5.5). */
  readonly claims?: RequestedClaims;
  /** `gty`, for the grants for which Auth0 sets it. */
  readonly gty?: AccessTokenContent["grant"];
  /** Present if a token exchange issues the token, which then cannot be exchanged again. */
  readonly exchanged?: true;
  /** Present if the client acts for the user with a token that was issued to another client. */
  readonly actor?: ActorClaim;
  /** The latest time at which the access token may expire, in seconds since 1970. */
  readonly expiresAt?: number;
  /** The decisions of the host's actions. `scope` no longer contains the scopes that the actions withheld. */
  readonly actions?: GrantActionsResult;
}
