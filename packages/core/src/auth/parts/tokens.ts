import type { Route } from "../../http/route.ts";
import { token } from "../token.ts";
import { userinfo } from "../userinfo.ts";

/** Where tokens are issued, and what they show of a person. */
export const tokenRoutes: readonly Route[] = [token, ...userinfo];
