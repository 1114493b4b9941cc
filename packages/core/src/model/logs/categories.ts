import type { AuditEventType } from "./audit-event-types.ts";

/** Auth0's categories of events. Log streams can filter events by category. */
export const logCategories = [
  "auth.login.fail",
  "auth.login.notification",
  "auth.login.success",
  "auth.logout.fail",
  "auth.logout.success",
  "auth.signup.fail",
  "auth.signup.success",
  "auth.silent_auth.fail",
  "auth.silent_auth.success",
  "auth.token_exchange.fail",
  "auth.token_exchange.success",
  "management.fail",
  "management.success",
  "scim.event",
  "system.notification",
  "user.fail",
  "user.notification",
  "user.success",
  "actions",
  "other",
] as const;

type LogCategory = (typeof logCategories)[number];

/**
 * The event codes in each category. `auth.token_exchange.…` also contains all codes that begin with `fe` or `se`.
 * `other` contains all remaining codes.
 */
const codes: { readonly [Category in LogCategory]?: readonly AuditEventType[] } = {
  "auth.login.success": ["s", "scoa", "sens", "scv"],
  "auth.login.fail": ["f", "fp", "fu", "fc", "fco", "fcoa", "fens", "pwd_leak"],
  "auth.login.notification": ["w", "mfar", "pla", "limit_wc", "limit_sul", "limit_mu"],
  "auth.logout.success": ["slo", "oidc_backchannel_logout_succeeded", "universal_logout_succeeded"],
  "auth.logout.fail": ["flo", "oidc_backchannel_logout_failed", "federated_logout_failed", "universal_logout_failed"],
  "auth.signup.success": ["ss"],
  "auth.signup.fail": ["fs", "signup_pwd_leak"],
  "auth.silent_auth.success": ["ssa"],
  "auth.silent_auth.fail": ["fsa"],
  "auth.token_exchange.fail": ["ferrt"],
  "management.success": ["sapi", "mgmt_api_read"],
  "management.fail": ["fapi"],
  "scim.event": ["sscim", "fscim"],
  "system.notification": [
    "depnote",
    "api_limit",
    "api_limit_warning",
    "appi",
    "resource_cleanup",
    "fn",
    "wn",
    "custom_domain_verification_failed",
  ],
  "user.success": ["sce", "scp", "scu", "scpn", "sdu", "sv", "sui", "si", "srrt", "organization_member_added"],
  "user.fail": ["fce", "fcp", "fcu", "fcpn", "fdu", "fv", "fui", "fi", "fcpr", "fvr", "fcph", "fpurh", "fcpro", "reset_pwd_leak"],
  "user.notification": ["cls", "cs", "scpr", "svr", "wum", "ublkdu"],
  actions: ["actions_execution_failed"],
};

const byCode: ReadonlyMap<string, LogCategory> = new Map(
  logCategories.flatMap((category) => (codes[category] ?? []).map((code): [string, LogCategory] => [code, category])),
);

/** Returns the category of an event. */
export function categoryOf(type: string): LogCategory {
  const known = byCode.get(type);
  if (known !== undefined) return known;
  if (type.startsWith("se")) return "auth.token_exchange.success";
  return type.startsWith("fe") ? "auth.token_exchange.fail" : "other";
}
