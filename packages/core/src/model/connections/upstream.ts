import type { Row } from "../../store/schema.ts";

type Strategy = Pick<Row<"connections">, "strategy">;

/** Who has an account at an identity provider. `social`: anybody. `enterprise`: the people of an organization. */
export type UpstreamKind = "social" | "enterprise";

/** What is known of a strategy without loading how its provider is spoken to. */
interface UpstreamFacts {
  readonly kind: UpstreamKind;
  /** As buttons name the provider where the connection has no name for people. */
  readonly label: string;
}

/** The strategies by which people sign in at an identity provider elsewhere. How they are spoken to is in `providers.ts`, which only those load who do. */
const upstreams = {
  "google-oauth2": { kind: "social", label: "Google" },
  github: { kind: "social", label: "GitHub" },
  windowslive: { kind: "social", label: "Microsoft" },
  waad: { kind: "enterprise", label: "Microsoft" },
  apple: { kind: "social", label: "Apple" },
  facebook: { kind: "social", label: "Facebook" },
  linkedin: { kind: "social", label: "LinkedIn" },
  oidc: { kind: "enterprise", label: "OpenID Connect" },
  okta: { kind: "enterprise", label: "Okta" },
  oauth2: { kind: "social", label: "OAuth 2.0" },
} as const satisfies { readonly [strategy: string]: UpstreamFacts };

/** A strategy by which people sign in elsewhere. */
export type UpstreamName = keyof typeof upstreams;

/** Strategies whose accounts live here. */
const ownStrategies = new Set(["auth0", "email", "sms"]);

/** Whether people sign in elsewhere by a strategy, and this version knows how. */
export function isUpstreamName(strategy: string): strategy is UpstreamName {
  return Object.hasOwn(upstreams, strategy);
}

/** Who has an account at the provider of a strategy; undefined where people do not sign in elsewhere, or not by this version. */
export function upstreamKind({ strategy }: Strategy): UpstreamKind | undefined {
  return isUpstreamName(strategy) ? upstreams[strategy].kind : undefined;
}

/** The name of a strategy's provider, for people; undefined where people do not sign in elsewhere, or not by this version. */
export function upstreamLabel({ strategy }: Strategy): string | undefined {
  return isUpstreamName(strategy) ? upstreams[strategy].label : undefined;
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
