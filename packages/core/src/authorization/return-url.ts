import { isWebUrl } from "../model/web-url.ts";
import { isAllowedOrigin } from "../http/cors.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { callbackOriginsOf } from "../tenants/client-origins.ts";

/** Whether a URL has the origin of one of the client's callback URLs, so that a page may lead the browser there. */
export function isReturnUrl(client: RegisteredClient | undefined, url: string): boolean {
  if (client === undefined || !isWebUrl(url)) return false;
  const { origin, username, password } = new URL(url);
  return username === "" && password === "" && isAllowedOrigin(callbackOriginsOf(client), origin);
}
