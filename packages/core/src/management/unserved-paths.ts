import type { PosternError } from "../errors.ts";
import { notServedText } from "../http/not-served.ts";
import { insufficientScopeText } from "../model/sdk-texts.ts";
import { insufficientScope } from "../tenants/callers/check-scopes.ts";

/**
 * Paths that Auth0's tools read by default and that Postern does not serve, with the scope that Auth0 documents for
 * each path. The tools stop if the response is 404, but skip a resource if the token lacks its scope. No token can have
 * these scopes (docs/decisions/0027-auth0s-deploy-cli-runs-unmodified.md).
 */
export const unservedPaths: { readonly [path: string]: string } = {
  "/api/v2/actions/modules": "read:actions",
  "/api/v2/actions/triggers": "read:actions",
  "/api/v2/attack-protection/bot-detection": "read:attack_protection",
  "/api/v2/attack-protection/captcha": "read:attack_protection",
  "/api/v2/connections-directory-provisionings": "read:directory_provisionings",
  "/api/v2/event-streams": "read:event_streams",
  "/api/v2/hooks": "read:hooks",
  "/api/v2/rate-limit-policies": "read:rate_limit_policies",
  "/api/v2/risk-assessments/settings": "read:attack_protection",
  "/api/v2/risk-assessments/settings/new-device": "read:attack_protection",
  "/api/v2/rules": "read:rules",
  "/api/v2/rules-configs": "read:rules_configs",
  "/api/v2/supplemental-signals": "read:attack_protection",
};

/**
 * Returns the error for a request to one of the {@link unservedPaths}, or undefined for any other path. Auth0's tools
 * compare the first words of the error message.
 */
export function unservedPathError(method: string, path: string): PosternError | undefined {
  const scope = (method === "GET" || method === "HEAD") && Object.hasOwn(unservedPaths, path) ? unservedPaths[path] : undefined;
  return scope === undefined
    ? undefined
    : insufficientScope(`${insufficientScopeText}, expected any of: ${scope}. No token can have it: ${notServedText(method, path)}`);
}
