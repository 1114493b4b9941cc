import { maximumClientIdLength } from "../../model/clients/client-id.ts";

/**
 * Checks the URL of a metadata document before any request to it (draft-ietf-oauth-client-id-metadata-document section
 * 3). Client ids are compared as text, so a URL must have one spelling only.
 * @returns what is wrong with the URL; undefined if it is valid.
 */
export function documentUrlProblem(text: string): string | undefined {
  if (text.length > maximumClientIdLength) return `must have at most ${maximumClientIdLength} characters`;
  if (/[^\u0021-\u007e]|[\\?#@]/.test(text)) return "must be ASCII without a query, a fragment, a user name, spaces and backslashes";
  if (!URL.canParse(text)) return "must be an absolute URL";
  const url = new URL(text);
  if (url.href !== text) return "must be spelled as browsers spell it: the host in lower case, no default port, no dot segments";
  if (url.pathname === "/") return "must have a path";
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(url.pathname)) return "must not contain dot segments";
  if (url.port !== "" && !isThisMachine(url.hostname)) return "must not have a port";
  return undefined;
}

/** Whether a host name is this machine. Requests reach it only if `network.allowedPrivateAddresses` allows it. */
export function isThisMachine(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
