import { defineRoutes, type Contexts } from "../http/route.ts";
import type { MyAccountScope } from "../model/my-account/scopes.ts";
import type { MfaContext } from "../tenants/callers/route-context.ts";

/** The data that handlers of the My Account API receive. */
export interface MeContext extends MfaContext {
  /** The scopes of the access token. */
  readonly scope: readonly string[];
  /** The id of the session that the token belongs to. */
  readonly sessionId: string;
}

interface MeContexts extends Contexts {
  readonly scopes: MeContext;
}

/** Declares a route of the My Account API: `meRoute({ method, path, scopes, … })(async (input, context) => …)`. */
export const meRoute = defineRoutes<MeContexts, MyAccountScope>();
