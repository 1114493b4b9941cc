import type { Route } from "../../http/route.ts";
import { introspect } from "../introspect.ts";
import { revoke } from "../revoke.ts";

/** Where a client asks about the tokens that it has, and gives them up. */
export const issuedTokenRoutes: readonly Route[] = [revoke, introspect];
