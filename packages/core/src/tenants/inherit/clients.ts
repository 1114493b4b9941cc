import type { Client } from "../../model/clients/client.ts";
import { redirectGrantTypesOf } from "../../model/clients/grant-types.ts";

/** Settings that fall back one by one: what people see of a client. */
const looks = ["logo_uri", "tos_uri", "policy_uri"] as const;

/**
 * A client with what it inherits from the client that the control plane names for it. Addresses that answers go to are inherited together, and only by a client that names none itself:
 * it is marked (`usesInheritedRedirects`), because people administer through no client whose answers go where others say.
 */
export function withFallback(client: Client, fallback: Client): Client {
  const known = merged.get(client);
  if (known?.fallback === fallback) return known.result;
  const result = merge(client, fallback);
  merged.set(client, { fallback, result });
  return result;
}

/** Both are those of the cache: while neither was loaded anew, they give the same. */
const merged = new WeakMap<Client, { readonly fallback: Client; readonly result: Client }>();

function merge(client: Client, fallback: Client): Client {
  const { record, settings } = client;
  const { record: theirs, settings: their } = fallback;
  const logoutUrls = record.allowed_logout_urls.length > 0 ? record.allowed_logout_urls : theirs.allowed_logout_urls;
  const seen = Object.fromEntries(
    looks.flatMap((name) => (settings[name] === undefined && their[name] !== undefined ? [[name, their[name]]] : [])),
  );
  if (redirectGrantTypesOf(record).length === 0 || saysWhere(client) || !saysWhere(fallback))
    return { record: { ...record, allowed_logout_urls: logoutUrls }, settings: { ...settings, ...seen } };
  const { callbacks, web_origins, allowed_origins } = theirs;
  const { initiate_login_uri } = their;
  return {
    record: { ...record, allowed_logout_urls: logoutUrls, callbacks, web_origins, allowed_origins },
    settings: { ...settings, ...seen, ...(initiate_login_uri !== undefined && { initiate_login_uri }) },
    usesInheritedRedirects: true,
  };
}

/** Whether a client names any address that answers go to. */
function saysWhere({
  record: { callbacks, web_origins, allowed_origins },
  settings: { initiate_login_uri: loginAddress = "" },
}: Client): boolean {
  return callbacks.length + web_origins.length + allowed_origins.length > 0 || loginAddress !== "";
}
