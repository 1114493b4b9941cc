import { changeDemand, type FactorDemand } from "../identity/factors/factor-policy.ts";
import type { ResourceServerSettings } from "../model/apis/resource-servers.ts";
import { myAccountScopes } from "../model/my-account/scopes.ts";
import { managementScopes } from "../model/scopes.ts";

/** An API that the service itself provides: every tenant has it under each of its issuers. */
export interface SystemApi {
  /**
   * The identifier, relative to the issuer, so that one client grant applies under each host of the tenant, and stays
   * valid when a host is added.
   */
  readonly identifier: string;
  /** The identifier in records; null if tokens without another API are for this API. */
  readonly storedIdentifier: string | null;
  readonly name: string;
  /** Whether a tenant stores a row for it, so that roles and client grants can refer to the row. */
  readonly hasRow: boolean;
  /** The settings that replace those of the row. They contain the scopes. */
  readonly settings: Partial<ResourceServerSettings> & Pick<ResourceServerSettings, "scopes">;
  /** The factors that a request for tokens of the API requires, in addition to the tenant's policy. */
  readonly demands: readonly FactorDemand[];
  /** The reason why a tenant cannot create an API with this identifier. */
  readonly reserved: string;
}

/**
 * The Management API. Users get only the scopes that their roles grant. Clients may request refresh tokens: the roles
 * are read again at each refresh, and the end of the session ends the token.
 */
export const managementSystemApi: SystemApi = {
  identifier: "api/v2/",
  storedIdentifier: "api/v2/",
  // Auth0's command line recognizes the API by this name, and omits it from exports.
  name: "Auth0 Management API",
  hasRow: true,
  settings: { scopes: managementScopes.map((scope) => ({ ...scope })), enforce_policies: true, allow_offline_access: true },
  demands: [],
  reserved: "this identifier belongs to the Management API",
};

/**
 * The MFA API. Clients get its tokens only for users. Tokens are valid for ten minutes, as in Auth0, and cannot be
 * refreshed.
 */
export const mfaSystemApi: SystemApi = {
  identifier: "mfa/",
  storedIdentifier: "mfa/",
  name: "MFA API",
  hasRow: false,
  settings: {
    allow_offline_access: false,
    token_lifetime: 600,
    token_lifetime_for_web: 600,
    scopes: [
      { value: "enroll", description: "Add a second factor" },
      { value: "read:authenticators", description: "Read your second factors" },
      { value: "remove:authenticators", description: "Remove your second factors" },
    ],
    subject_type_authorization: { client: { policy: "deny_all" }, user: { policy: "allow_all" } },
  },
  demands: [changeDemand],
  reserved: "this identifier belongs to the MFA API",
};

/**
 * The My Account API. Clients get its tokens only for users. As in Auth0, a user with a second factor must have passed one
 * within the last 15 minutes to get a token.
 */
export const myAccountSystemApi: SystemApi = {
  identifier: "me/",
  storedIdentifier: "me/",
  name: "Auth0 My Account API",
  hasRow: false,
  settings: {
    allow_offline_access: false,
    token_lifetime: 600,
    token_lifetime_for_web: 600,
    scopes: myAccountScopes.map((scope) => ({ ...scope })),
    subject_type_authorization: { client: { policy: "deny_all" }, user: { policy: "allow_all" } },
  },
  demands: [changeDemand],
  reserved: "this identifier belongs to the My Account API",
};

/** `/userinfo`. The scopes of OpenID Connect belong to every request, so it has no others. */
export const userinfoSystemApi: SystemApi = {
  identifier: "userinfo",
  storedIdentifier: null,
  name: "/userinfo",
  hasRow: false,
  settings: { scopes: [] },
  demands: [],
  reserved: "this identifier is reserved for /userinfo, which accepts the access token of every login",
};

/** Every API that the service itself provides. */
export const systemApis: readonly SystemApi[] = [managementSystemApi, mfaSystemApi, myAccountSystemApi, userinfoSystemApi];
