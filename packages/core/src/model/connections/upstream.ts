import type { Row } from "../../data/schema.ts";

type Strategy = Pick<Row<"connections">, "strategy">;

/** Who has an account at an identity provider. `social`: anybody. `enterprise`: the people of an organization. */
export type UpstreamKind = "social" | "enterprise";

/** The strategies by which people sign in at an identity provider elsewhere. How they are spoken to is in `providers.ts`, which only those load who do. */
export const upstreamKinds = {
  "google-oauth2": "social",
  github: "social",
  windowslive: "social",
  waad: "enterprise",
  apple: "social",
  facebook: "social",
  linkedin: "social",
  oidc: "enterprise",
  okta: "enterprise",
  oauth2: "social",
} as const satisfies { readonly [strategy: string]: UpstreamKind };

/** A strategy by which people sign in elsewhere. */
export type UpstreamName = keyof typeof upstreamKinds;

/** Strategies whose accounts live here. */
const ownStrategies = new Set(["auth0", "email", "sms"]);

/** Whether people sign in elsewhere by a strategy, and this version knows how. */
export function isUpstreamName(strategy: string): strategy is UpstreamName {
  return Object.hasOwn(upstreamKinds, strategy);
}

/** Who has an account at the provider of a strategy; undefined where people do not sign in elsewhere, or not by this version. */
export function upstreamKind({ strategy }: Strategy): UpstreamKind | undefined {
  return isUpstreamName(strategy) ? upstreamKinds[strategy] : undefined;
}

/** Whether the accounts of a connection are those of a provider elsewhere. */
export function isUpstream({ strategy }: Strategy): boolean {
  return !ownStrategies.has(strategy);
}

/** The domains whose people sign in by a connection of their organization (`domain_aliases`), in lower case; none for any other connection. */
export function domainsOf({ strategy, options }: Pick<Row<"connections">, "strategy" | "options">): readonly string[] {
  const { domain_aliases: aliases } = options;
  if (upstreamKind({ strategy }) !== "enterprise" || !Array.isArray(aliases)) return [];
  return [...new Set(aliases.flatMap((alias) => (typeof alias === "string" ? [alias.toLowerCase()] : [])))];
}
