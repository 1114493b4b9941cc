import { boundedMap } from "../store/bounded-map.ts";
import { createAddressRanges, isPrivateAddress, normalizeAddress } from "../adapters/addresses.ts";

/** Reads `X-Forwarded-*`, from proxies that the host named. */
export interface TrustedProxies {
  /** The address of the true client: the first from the right that is not a trusted proxy. Undefined where the host gave no address. */
  clientAddress(peer: string | undefined, headers: Headers): string | undefined;
  /**
   * The host that the true client asked for: in `X-Forwarded-Host`, to which each proxy adds the host that it was asked for, as far left as trusted proxies wrote.
   * Undefined where the peer is not trusted, or says nothing.
   */
  forwardedHost(peer: string | undefined, headers: Headers): string | undefined;
  /** Whether the peer looks like a proxy that the host did not name: its address is private, and it says whom it forwards for. Then that address stands for everybody. */
  isUnnamedProxy(peer: string | undefined, headers: Headers): boolean;
}

/** @param ranges addresses and CIDR ranges, for example `["10.0.0.0/8", "::1"]`. @throws {Error} for one that is neither. */
export function createTrustedProxies(ranges: readonly string[]): TrustedProxies {
  const trusted = createAddressRanges(ranges);
  const trusts = (address: string | undefined): boolean => address !== undefined && trusted.includes(address);
  // A connection, and often a proxy, sends many requests: its address is read once.
  const peers = boundedMap<{ readonly address: string | undefined; readonly trusted: boolean }>({ entries: 1000 });
  const peerAt = (peer: string): { readonly address: string | undefined; readonly trusted: boolean } => {
    let known = peers.get(peer);
    if (known === undefined) peers.set(peer, (known = { address: normalizeAddress(peer), trusted: trusts(peer) }));
    return known;
  };

  return {
    isUnnamedProxy: (peer, headers) =>
      peer !== undefined && headers.has("x-forwarded-for") && !peerAt(peer).trusted && isPrivateAddress(peer),
    forwardedHost(peer, headers) {
      const hosts = peer !== undefined && peerAt(peer).trusted ? fromTheRight(headers.get("x-forwarded-host")) : [];
      if (hosts.length === 0) return undefined;
      // The peer wrote the last one, and each trusted address beside it stands for one proxy more.
      const addresses = fromTheRight(headers.get("x-forwarded-for"));
      const stranger = addresses.findIndex((hop) => !trusts(normalizeAddress(hop)));
      return hosts[Math.min(stranger === -1 ? addresses.length : stranger, hosts.length - 1)] || undefined;
    },
    clientAddress(peer, headers) {
      if (peer === undefined) return undefined;
      const { address, trusted } = peerAt(peer);
      if (!trusted) return address;
      for (const hop of fromTheRight(headers.get("x-forwarded-for"))) {
        const address = normalizeAddress(hop);
        // What stands left of an unreadable hop was written by somebody unknown.
        if (address === undefined) return undefined;
        if (!trusts(address)) return address;
      }
      return undefined;
    },
  };
}

/** The entries of a list to which each proxy adds its own, the nearest first. */
function fromTheRight(header: string | null): readonly string[] {
  return header === null
    ? []
    : header
        .split(",")
        .map((entry) => entry.trim())
        .reverse();
}
