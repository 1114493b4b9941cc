import { LRUCache } from "lru-cache";
import { createAddressRanges, normalizeAddress } from "../adapters/addresses.ts";

/** Reads `X-Forwarded-*`, from proxies that the host named. */
export interface TrustedProxies {
  /** The address of the true client: the first from the right that is not a trusted proxy. Undefined where the host gave no address. */
  clientAddress(peer: string | undefined, headers: Headers): string | undefined;
  /** Whether the peer is trusted, so that its `X-Forwarded-Host` may be believed. */
  trusts(peer: string | undefined): boolean;
}

/** @param ranges addresses and CIDR ranges, for example `["10.0.0.0/8", "::1"]`. @throws {Error} for one that is neither. */
export function createTrustedProxies(ranges: readonly string[]): TrustedProxies {
  const trusted = createAddressRanges(ranges);
  const trusts = (address: string | undefined): boolean => address !== undefined && trusted.includes(address);
  // A connection, and often a proxy, sends many requests: its address is read once.
  const peers = new LRUCache<string, { readonly address: string | undefined; readonly trusted: boolean }>({ max: 1000 });
  const peerAt = (peer: string): { readonly address: string | undefined; readonly trusted: boolean } => {
    let known = peers.get(peer);
    if (known === undefined) peers.set(peer, (known = { address: normalizeAddress(peer), trusted: trusts(peer) }));
    return known;
  };

  return {
    trusts: (peer) => peer !== undefined && peerAt(peer).trusted,
    clientAddress(peer, headers) {
      if (peer === undefined) return undefined;
      const { address, trusted } = peerAt(peer);
      if (!trusted) return address;
      const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
      for (const hop of hops.reverse()) {
        const address = normalizeAddress(hop);
        // What stands left of an unreadable hop was written by somebody unknown.
        if (address === undefined) return undefined;
        if (!trusts(address)) return address;
      }
      return undefined;
    },
  };
}
