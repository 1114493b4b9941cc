import type { RegisteredClient } from "../../model/clients/client.ts";
import { redirectGrantTypesOf } from "../../model/clients/grant-types.ts";

/** Settings that are inherited one by one: those that users see on pages. */
const visibleSettings = ["logo_uri", "tos_uri", "policy_uri"] as const;

/**
 * Returns a client with the settings that it inherits from the fallback client of the control plane. Redirect URIs and
 * origins are inherited together, and only by a client that has none of them. Such a client is marked with
 * `usesInheritedRedirects`: users get no administrative permissions through a client whose responses go to URLs that
 * another tenant chose.
 */
export function withFallback(client: RegisteredClient, fallback: RegisteredClient): RegisteredClient {
  const known = merged.get(client);
  if (known?.fallback === fallback) return known.result;
  const result = merge(client, fallback);
  merged.set(client, { fallback, result });
  return result;
}

/**
 * Merged clients, by the tenant's client. Both clients are cached objects, so a result is valid until one of them is
 * loaded again.
 */
const merged = new WeakMap<RegisteredClient, { readonly fallback: RegisteredClient; readonly result: RegisteredClient }>();

function merge(client: RegisteredClient, fallback: RegisteredClient): RegisteredClient {
  const { record, settings } = client;
  const { record: fallbackRecord, settings: fallbackSettings } = fallback;
  const logoutUrls = record.allowed_logout_urls.length > 0 ? record.allowed_logout_urls : fallbackRecord.allowed_logout_urls;
  const inherited = Object.fromEntries(
    visibleSettings.flatMap((name) =>
      settings[name] === undefined && fallbackSettings[name] !== undefined ? [[name, fallbackSettings[name]]] : [],
    ),
  );
  if (redirectGrantTypesOf(record).length === 0 || hasRedirects(client) || !hasRedirects(fallback))
    return { record: { ...record, allowed_logout_urls: logoutUrls }, settings: { ...settings, ...inherited } };
  const { callbacks, web_origins, allowed_origins } = fallbackRecord;
  const { initiate_login_uri } = fallbackSettings;
  return {
    record: { ...record, allowed_logout_urls: logoutUrls, callbacks, web_origins, allowed_origins },
    settings: { ...settings, ...inherited, ...(initiate_login_uri !== undefined && { initiate_login_uri }) },
    usesInheritedRedirects: true,
  };
}

/** Whether a client has any URL or origin that receives responses. */
function hasRedirects({
  record: { callbacks, web_origins, allowed_origins },
  settings: { initiate_login_uri: loginUri = "" },
}: RegisteredClient): boolean {
  return callbacks.length + web_origins.length + allowed_origins.length > 0 || loginUri !== "";
}
