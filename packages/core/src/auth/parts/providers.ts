import type { Route } from "../../http/route.ts";
import { loginCallback } from "../login/callback.ts";
import { continueLogin } from "../login/continue.ts";
import { webfinger } from "../webfinger.ts";

/** Where people come back to from identity providers, and from where an action led them; and which provider somebody would be led to (webfinger). */
export const providerRoutes: readonly Route[] = [...loginCallback, ...continueLogin, webfinger];
