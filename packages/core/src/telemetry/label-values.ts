import type { AuditEvent } from "../model/logs/audit-event.ts";
import type { AuditEventType } from "../model/logs/audit-event-types.ts";
import { strategies } from "../model/connections/strategies.ts";
import { otherConventional, type WorkOutcome } from "./outcome.ts";

/** The value of attributes of Postern for a value that is not in the list. */
export const other = "other";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Returns the method of a request, or `_OTHER` for a method that no route has. */
export function methodLabel(method: string): string {
  return methods.has(method) ? method : otherConventional;
}

/** The hosts of the identity providers that are the same for every tenant. */
const knownHosts = new Set([
  "accounts.google.com",
  "oauth2.googleapis.com",
  "openidconnect.googleapis.com",
  "www.googleapis.com",
  "github.com",
  "api.github.com",
  "graph.facebook.com",
  "www.facebook.com",
  "www.linkedin.com",
  "api.linkedin.com",
  "login.microsoftonline.com",
  "login.live.com",
  "graph.microsoft.com",
  "appleid.apple.com",
]);

/** Returns the host of a URL if all tenants use it, such as that of a social provider; `other` for any other host. */
export function hostLabel(url: string): string {
  const { hostname } = new URL(url);
  return knownHosts.has(hostname) ? hostname : other;
}

/** Returns the strategy of a connection, or `other` for one that Postern does not know. */
export function strategyLabel(strategy: string | undefined): string {
  return strategy !== undefined && Object.hasOwn(strategies, strategy) ? strategy : other;
}

/** The result of a login, and why it failed. */
interface LoginResult {
  readonly outcome: WorkOutcome;
  readonly reason: string;
}

/** The audit events that stand for the end of a login, with the reason of each failure. */
const logins: { readonly [type in AuditEventType]?: LoginResult } = {
  s: { outcome: "ok", reason: "none" },
  ssa: { outcome: "ok", reason: "none" },
  scoa: { outcome: "ok", reason: "none" },
  f: { outcome: "refused", reason: "refused" },
  fp: { outcome: "refused", reason: "wrong_password" },
  fu: { outcome: "refused", reason: "unknown_user" },
  fc: { outcome: "error", reason: "provider" },
  fcoa: { outcome: "refused", reason: "cross_origin" },
  fsa: { outcome: "refused", reason: "login_required" },
  gd_auth_failed: { outcome: "refused", reason: "second_factor" },
  gd_recovery_failed: { outcome: "refused", reason: "second_factor" },
  gd_otp_rate_limit_exceed: { outcome: "refused", reason: "limit" },
  gd_recovery_rate_limit_exceed: { outcome: "refused", reason: "limit" },
  passkey_challenge_failed: { outcome: "refused", reason: "passkey" },
  limit_wc: { outcome: "refused", reason: "limit" },
  limit_sul: { outcome: "refused", reason: "limit" },
  limit_mu: { outcome: "refused", reason: "limit" },
  pwd_leak: { outcome: "refused", reason: "leaked_password" },
};

/** Returns the result of the login that an audit event reports; undefined if the event is not the end of a login. */
export function loginResultOf({ type }: AuditEvent): LoginResult | undefined {
  return logins[type];
}
