import type { Route } from "../http/route.ts";
import { loginRoutes } from "./parts/login.ts";
import { metadataRoutes } from "./parts/metadata.ts";
import { selfServiceRoutes } from "./parts/self-service.ts";
import { tokenRoutes } from "./parts/tokens.ts";

/** Every route of the Auth API and of the login pages. */
export const authRoutes: readonly Route[] = [...loginRoutes, ...tokenRoutes, ...selfServiceRoutes, ...metadataRoutes];
