import type { Route } from "../http/route.ts";
import { flowRoutes } from "./parts/flow.ts";
import { issuedTokenRoutes } from "./parts/issued-tokens.ts";
import { loginRoutes } from "./parts/login.ts";
import { logoutRoutes } from "./parts/logout.ts";
import { metadataRoutes } from "./parts/metadata.ts";
import { providerRoutes } from "./parts/providers.ts";
import { selfServiceRoutes } from "./parts/self-service.ts";
import { tokenRoutes } from "./parts/tokens.ts";
import { token } from "./token.ts";
import { documentedToken } from "./token-documented.ts";

/** Every route of the Auth API and of the login pages, as documents show them. */
export const authRoutes: readonly Route[] = [
  ...loginRoutes,
  ...flowRoutes,
  ...providerRoutes,
  ...logoutRoutes,
  ...tokenRoutes.map((route) => (route === token ? documentedToken : route)),
  ...issuedTokenRoutes,
  ...selfServiceRoutes,
  ...metadataRoutes,
];
