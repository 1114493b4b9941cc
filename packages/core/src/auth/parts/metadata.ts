import type { Route } from "../../http/route.ts";
import { authorizationServerMetadata, openidConfiguration } from "../discovery.ts";
import { jwks } from "../jwks.ts";

/** What clients and resource servers read before anything else. */
export const metadataRoutes: readonly Route[] = [openidConfiguration, authorizationServerMetadata, jwks];
