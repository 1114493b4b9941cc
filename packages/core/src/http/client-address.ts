import { boundedMap } from "../store/bounded-map.ts";
import { createAddressRanges, isPrivateAddress, normalizeAddress } from "../adapters/addresses.ts";

/** Reads `X-Forwarded-*` headers that trusted proxies sent. The host declares which proxies are trusted. */
export interface TrustedProxies {
  /**
   * Returns the IP address of the client: the first address from the right that is not a trusted proxy, without its
   * port. Undefined if the host passed no IP address of a peer, or if the list ends before such an address.
   */
  clientAddress(peer: string | undefined, headers: Headers): string | undefined;
  /**
   * Returns the host that the client requested, from `X-Forwarded-Host`. Each proxy appends the host that it received,
   * and the result is the leftmost entry that a trusted proxy wrote. Undefined if the peer is not trusted or sends no
   * such header.
   */
  forwardedHost(peer: string | undefined, headers: Headers): string | undefined;
  /**
   * Whether the peer seems to be a proxy that the host did not declare as trusted: its IP address is private, and it
   * sends `X-Forwarded-For`. All clients behind such a proxy then seem to have the proxy's IP address.
   */
  isUndeclaredProxy(peer: string | undefined, headers: Headers): boolean;
  /**
   * Whether a trusted proxy wrote an entry of `X-Forwarded-For` that is not an IP address. The IP address of the client
   * is then unknown.
   */
  hasUnreadableEntry(peer: string | undefined, headers: Headers): boolean;
}

/**
 * Creates {@link TrustedProxies}.
 * @param ranges IP addresses and CIDR ranges, for example `["10.0.0.0/8", "::1"]`.
 * @throws {Error} if an element is neither an IP address nor a CIDR range.
 */
export function createTrustedProxies(ranges: readonly string[]): TrustedProxies {
  const trusted = createAddressRanges(ranges);
  const trusts = (address: string | undefined): boolean => address !== undefined && trusted.includes(address);
  /** Returns the first entry from the right that is not a trusted proxy. The entries to its left can be forged. */
  const lastUntrusted = (headers: Headers): { readonly address: string | undefined } | undefined => {
    const hops = fromTheRight(headers.get("x-forwarded-for")).map((hop) => ({ address: normalizeAddress(hop) }));
    return hops.find(({ address }) => !trusts(address));
  };
  // Many requests come from the same peer, so its address is parsed once.
  const peers = boundedMap<{ readonly address: string | undefined; readonly trusted: boolean }>({ entries: 1000 });
  const peerAt = (peer: string): { readonly address: string | undefined; readonly trusted: boolean } => {
    let known = peers.get(peer);
    if (known === undefined) {
      const address = normalizeAddress(peer);
      peers.set(peer, (known = { address, trusted: trusts(address) }));
    }
    return known;
  };

  return {
    isUndeclaredProxy(peer, headers) {
      if (peer === undefined || !headers.has("x-forwarded-for")) return false;
      const { address, trusted } = peerAt(peer);
      return !trusted && address !== undefined && isPrivateAddress(address);
    },
    hasUnreadableEntry(peer, headers) {
      if (peer === undefined || !peerAt(peer).trusted) return false;
      const entry = lastUntrusted(headers);
      return entry !== undefined && entry.address === undefined;
    },
    forwardedHost(peer, headers) {
      const hosts = peer !== undefined && peerAt(peer).trusted ? fromTheRight(headers.get("x-forwarded-host")) : [];
      if (hosts.length === 0) return undefined;
      // The peer wrote the last entry. For each trusted address at the right end of `X-Forwarded-For`, one more proxy
      // wrote an entry.
      const addresses = fromTheRight(headers.get("x-forwarded-for"));
      const stranger = addresses.findIndex((hop) => !trusts(normalizeAddress(hop)));
      return hosts[Math.min(stranger === -1 ? addresses.length : stranger, hosts.length - 1)] || undefined;
    },
    clientAddress(peer, headers) {
      if (peer === undefined) return undefined;
      const { address, trusted } = peerAt(peer);
      if (!trusted) return address;
      return lastUntrusted(headers)?.address;
    },
  };
}

/** Returns the entries of a header to which each proxy appends, starting with the nearest proxy. */
function fromTheRight(header: string | null): readonly string[] {
  return header === null
    ? []
    : header
        .split(",")
        .map((entry) => entry.trim())
        .reverse();
}
