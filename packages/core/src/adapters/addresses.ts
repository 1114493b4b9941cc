import ipaddr from "ipaddr.js";

/** A list of IP networks. {@link createAddressRanges} creates it. */
export interface AddressRanges {
  /** Whether one of the networks contains an IP address. False for text that is not an IP address. */
  includes(address: string): boolean;
}

/**
 * Returns the canonical form of an IP address: IPv4-mapped IPv6 becomes IPv4, and letters become lower case. A port is
 * left out, because some gateways write `198.51.100.7:51234`, `[2001:db8::7]:443` or `[2001:db8::7]` to
 * `X-Forwarded-For`. Undefined for text that is not an IP address.
 */
export function normalizeAddress(text: string): string | undefined {
  const [, inBrackets, beforePort] = /^(?:\[([0-9a-f.]*:[0-9a-f:.]*)\](?::\d{1,5})?|(\d+(?:\.\d+){3}):\d{1,5})$/i.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}

/**
 * Returns the network that counts as one client. That is an IPv4 address itself, or the /64 network that contains an
 * IPv6 address, because one client usually controls all addresses in such a network. Returns text that is not an IP
 * address unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
    : parsed.toString();
}

/**
 * Whether an IP address is a loopback, private, unique local or link-local address. Proxies in front of a host usually
 * have such an address.
 */
export function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && ["loopback", "private", "uniqueLocal", "linkLocal"].includes(ipaddr.process(address).range());
}

/** Whether an IP address is public. Undefined for text that is not an IP address. */
export function isPublicAddress(address: string): boolean | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address).range() === "unicast" : undefined;
}

/**
 * Creates {@link AddressRanges}.
 * @param ranges IP addresses and CIDR ranges, for example `["10.0.0.0/8", "::1"]`.
 * @throws {Error} if an element is neither an IP address nor a CIDR range.
 */
export function createAddressRanges(ranges: readonly string[]): AddressRanges {
  const parsed = ranges.map(parseRange);
  return {
    includes(address) {
      if (parsed.length === 0 || !ipaddr.isValid(address)) return false;
      return ipaddr.subnetMatch(ipaddr.process(address), { inside: parsed }, "outside") === "inside";
    },
  };
}

/** Whether a text is an IP address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  try {
    parseRange(text);
    return true;
  } catch {
    return false;
  }
}

/** Parses an IP address or a CIDR range. @throws {Error} if the text is neither. */
function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address = "", ...rest] = text.split("/");
  // The library also accepts the short forms that old C libraries accept: 10.1 means 10.0.0.1. They are usually typing
  // errors.
  if (!address.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(address)) throw new Error(`'${text}' is not an IP address`);
  const [network, bits] = ipaddr.parseCIDR(rest.length > 0 ? text : `${text}/${address.includes(":") ? 128 : 32}`);
  // `includes` compares canonical addresses, so IPv4-mapped networks are converted to IPv4 too.
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96) return [network.toIPv4Address(), bits - 96];
  return [network, bits];
}
