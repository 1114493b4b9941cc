import { base64url } from "jose";
import type { Urls } from "../../http/urls.ts";

/** The WebAuthn relying party of a request (WebAuthn section 4). */
export interface RelyingParty {
  /** The RP ID: a host name without a port. Credentials work with one RP ID only. */
  readonly rpId: string;
  /** The origins whose pages may use the credentials. The first is the origin of the request's host. */
  readonly origins: readonly string[];
}

/** A verified custom domain of the tenant. */
export interface RelyingPartyDomain {
  readonly domain: string;
  /** The domain's setting `relying_party_identifier`. Undefined: the RP ID is the domain. */
  readonly relyingPartyIdentifier: string | undefined;
}

/**
 * Returns the relying party of a host. The RP ID is the full name of the host, never its parent domain: tenants on
 * sibling subdomains would otherwise be able to request each other's passkeys. A custom domain can name another RP ID:
 *
 * - a suffix of the domain, so that subdomains share passkeys, or
 * - the RP ID of another custom domain of the same tenant. The domains are then related origins (WebAuthn section
 *   5.11), and browsers read the list of origins from `https://<RP ID>/.well-known/webauthn`.
 *
 * A `relying_party_identifier` that is neither has no effect.
 *
 * @param urls the URLs of the host. They come from configuration and verified custom domains, never from a header.
 * @param domains the verified custom domains of the tenant.
 * @returns undefined if browsers do not offer WebAuthn on the host: for an IP address, and for http on a host other
 * than localhost.
 */
export function findRelyingParty(
  { origin, host, secure }: Pick<Urls, "origin" | "host" | "secure">,
  domains: readonly RelyingPartyDomain[],
): RelyingParty | undefined {
  const { hostname } = new URL(origin);
  if (isIpAddress(hostname) || !(secure || isLocalhost(hostname))) return undefined;
  const current = domains.find(({ domain }) => domain === host);
  const rpId = current === undefined ? hostname : rpIdOf(current, domains);
  const related = domains.filter((other) => rpIdOf(other, domains) === rpId).map(({ domain }) => `https://${domain}`);
  return { rpId, origins: [...new Set([origin, ...related])] };
}

/**
 * Returns the origins of the other custom domains whose RP ID is a host (WebAuthn section 5.11). Empty for a host that is
 * no custom domain of the tenant.
 */
export function relatedOrigins({ host }: Pick<Urls, "host">, domains: readonly RelyingPartyDomain[]): readonly string[] {
  const current = domains.find(({ domain }) => domain === host);
  if (current === undefined || rpIdOf(current, domains) !== host) return [];
  const others = domains.filter(({ domain }) => domain !== host);
  return others.filter((other) => rpIdOf(other, domains) === host).map(({ domain }) => `https://${domain}`);
}

/**
 * Returns a relying party that also accepts the credentials that native apps create and use. The apps of the tenant's
 * clients are listed in the clients' settings.
 * @param sha256Fingerprints SHA-256 fingerprints of the certificates that sign Android apps, in hexadecimal with or
 * without colons (`mobile.android.sha256_cert_fingerprints`). Other text is ignored.
 */
export function withNativeApps({ rpId, origins }: RelyingParty, sha256Fingerprints: readonly string[]): RelyingParty {
  const android = sha256Fingerprints.flatMap((fingerprint) => {
    const hex = fingerprint.replaceAll(":", "");
    if (!/^[0-9a-f]{64}$/i.test(hex)) return [];
    const bytes = Uint8Array.from(hex.matchAll(/../g), ([byte]) => Number.parseInt(byte, 16));
    return [`android:apk-key-hash:${base64url.encode(bytes)}`];
  });
  // Apps on Apple's platforms send the RP ID as their origin.
  return { rpId, origins: [...new Set([...origins, `https://${rpId}`, ...android])] };
}

function rpIdOf({ domain, relyingPartyIdentifier: rpId }: RelyingPartyDomain, domains: readonly RelyingPartyDomain[]): string {
  return rpId !== undefined && domains.some((other) => other.domain === rpId || other.domain.endsWith(`.${rpId}`)) ? rpId : domain;
}

/** `hostname` is from a parsed URL, in which IPv4 addresses have four decimal numbers and IPv6 addresses have brackets. */
function isIpAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);
}

function isLocalhost(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}
