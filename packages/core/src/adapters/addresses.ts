import ipaddr from "ipaddr.js";

/** A list of networks. Made by {@link createAddressRanges}. */
export interface AddressRanges {
  /** Whether an address lies in one of them. False for text that is no address. */
  includes(address: string): boolean;
}

/** One spelling per address: IPv4 inside IPv6 becomes IPv4, letters lower case. Undefined for text that is no address. */
export function normalizeAddress(address: string): string | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}

/**
 * Who is behind an address, as far as it tells: an IPv4 address itself, of an IPv6 address its first 64 bits, since whoever has one such address has all that begin alike.
 * Text that is no address stays as it is.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
    : parsed.toString();
}

/** Whether an address is of this machine or of a private network: where a proxy is, and no stranger. */
export function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && ["loopback", "private", "uniqueLocal", "linkLocal"].includes(ipaddr.process(address).range());
}

/** Whether an address is of the public internet; undefined for text that is no address. */
export function isPublicAddress(address: string): boolean | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address).range() === "unicast" : undefined;
}

/** @param ranges addresses and CIDR ranges, for example `["10.0.0.0/8", "::1"]`. @throws {Error} for one that is neither. */
export function createAddressRanges(ranges: readonly string[]): AddressRanges {
  const parsed = ranges.map(parseRange);
  return {
    includes(address) {
      if (parsed.length === 0 || !ipaddr.isValid(address)) return false;
      return ipaddr.subnetMatch(ipaddr.process(address), { inside: parsed }, "outside") === "inside";
    },
  };
}

/** Whether a text is an address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  try {
    parseRange(text);
    return true;
  } catch {
    return false;
  }
}

/** @throws {Error} */
function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address = "", ...rest] = text.split("/");
  // The library also takes the short forms of old C libraries, in which 10.1 is 10.0.0.1: a typing error more often than not.
  if (!address.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(address)) throw new Error(`'${text}' is no address`);
  const [network, bits] = ipaddr.parseCIDR(rest.length > 0 ? text : `${text}/${address.includes(":") ? 128 : 32}`);
  // Addresses are compared in their shortest form, so IPv4 networks inside IPv6 are brought to it too.
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96) return [network.toIPv4Address(), bits - 96];
  return [network, bits];
}
