import type { Route } from "../../http/route.ts";
import { flowApi } from "../login/flow-api.ts";

/** The login as JSON, for pages of the host's own. */
export const flowRoutes: readonly Route[] = [...flowApi];
