import type { Route } from "../http/route.ts";
import { hostedRoutes } from "../hosted/routes.ts";
import { oauthRoutes } from "../oauth/routes.ts";

/** Every route of the Authentication API and of the hosted pages, in the order of the OpenAPI document. */
export const authRoutes: readonly Route[] = [...oauthRoutes, ...hostedRoutes];
