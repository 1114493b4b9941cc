import { defineRoutes, type Contexts, type FurtherScopes } from "../../http/route.ts";
import type { Caller } from "./caller.ts";
import type { BearerUser } from "./bearer-user.ts";
import type { OpenMfaToken } from "../../identity/factors/mfa-token.ts";
import type { KeyBinding } from "../../tokens/proofs/dpop-proof.ts";
import type { RequestTenant } from "../tenant.ts";
import type { Scope } from "../../model/scopes.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";

/** The data that every handler receives in addition to its input. */
export interface Context {
  readonly tenant: RequestTenant;
}

/** The data that handlers of the Management API receive. */
export interface ManagementContext extends Context {
  readonly caller: Caller;
  /** The entries that the route declares. */
  readonly furtherScopes: readonly FurtherScopes[];
}

/** The data that handlers behind OAuth client authentication receive. */
export interface ClientContext extends Context {
  /** The HTTP request, for data that is not in its body. */
  readonly request: Request;
  readonly client: RegisteredClient;
  /** The key whose possession the client proved. Only routes with `acceptsProof` receive it. */
  readonly provenKey?: KeyBinding | undefined;
}

/** The data that handlers behind a user's access token receive. */
export interface UserContext extends Context {
  readonly bearer: BearerUser;
}

/** The data that handlers behind an `mfa_token` or an access token of the MFA API receive. */
export interface MfaContext extends ClientContext {
  readonly mfaToken: OpenMfaToken;
  /** The scopes of the access token. Undefined for an `mfa_token`. */
  readonly scope?: readonly string[];
}

interface PosternContexts extends Contexts {
  readonly scopes: ManagementContext;
  readonly client: ClientContext;
  readonly bearer: UserContext;
  readonly mfa: MfaContext;
  readonly public: Context;
}

/** Declares a route: `route({ method, path, scopes, … })(async (input, context) => …)`. See {@link RouteDefinition}. */
export const route = defineRoutes<PosternContexts, Scope>();
