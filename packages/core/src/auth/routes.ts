import type { Route } from "../http/route.ts";
import { loginRoutes } from "./parts/login.ts";
import { metadataRoutes } from "./parts/metadata.ts";
import { selfServiceRoutes } from "./parts/self-service.ts";
import { tokenRoutes } from "./parts/tokens.ts";
import { token } from "./token.ts";
import { documentedToken } from "./token-documented.ts";

/** Every route of the Auth API and of the login pages, as documents show them. */
export const authRoutes: readonly Route[] = [
  ...loginRoutes,
  ...tokenRoutes.map((route) => (route === token ? documentedToken : route)),
  ...selfServiceRoutes,
  ...metadataRoutes,
];
