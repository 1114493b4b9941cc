import type { Route } from "../../http/route.ts";
import { introspect } from "../introspect.ts";
import { revoke } from "../revoke.ts";
import { token } from "../token.ts";
import { userinfo } from "../userinfo.ts";

/** Where tokens are issued, shown and revoked. */
export const tokenRoutes: readonly Route[] = [token, revoke, introspect, ...userinfo];
