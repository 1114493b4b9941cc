import type { Route } from "../../http/route.ts";
import { logout } from "../logout.ts";
import { oidcLogout } from "../oidc-logout.ts";

/** The way out. */
export const logoutRoutes: readonly Route[] = [logout, ...oidcLogout];
