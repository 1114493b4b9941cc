import { BlockList, isIP } from "node:net";

/** Who sees the pages for development: this machine alone, or whoever reaches the server. */
export type DevPagesSetting = "loopback" | "public";

/**
 * The pages for development: the inbox, which shows everybody's codes and links, and the demo, which names accounts. A server that others reach must not
 * show them, and neither must one on a developer's machine show them to a stranger's page: a name of the stranger's that is made to lead to 127.0.0.1 (DNS
 * rebinding) counts as that page's own origin, and only the `Host` that the browser sends tells the difference.
 */
export interface DevPages {
  /** Whether anybody at all is shown them. */
  readonly isOn: boolean;
  /** Whether the sender of a request with these headers is. */
  areFor(headers: Headers): boolean;
  /** Whether the sender is on this machine as far as issuer, host and these headers tell, whatever the setting is. A password is shown to nobody else. */
  isLocal(headers: Headers): boolean;
}

/** @param host what the server listens on. */
export function createDevPages(parts: { readonly setting: DevPagesSetting; readonly issuer: string; readonly host: string }): DevPages {
  const { setting, issuer, host } = parts;
  const isOwn = isLoopback(new URL(issuer).hostname) && isLoopback(host);
  const isLocal = (headers: Headers): boolean => {
    // A proxy or a tunnel on this machine may send its own Host, and says here which one it was asked for.
    const forwarded = headers.get("x-forwarded-host")?.split(",") ?? [];
    return isOwn && [headers.get("host") ?? "", ...forwarded].every((name) => isLoopback(hostnameOf(name.trim())));
  };
  const isPublic = setting === "public";
  return { isOn: isPublic || isOwn, areFor: (headers) => isPublic || isLocal(headers), isLocal };
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether a host name is this machine. Names below `localhost` lead nowhere else (RFC 6761 section 6.3). */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  const version = isIP(name);
  if (version === 0) return /^(?:.+\.)?localhost$/i.test(name);
  return loopback.check(name, version === 4 ? "ipv4" : "ipv6");
}

/** Empty for what is no host. */
function hostnameOf(host: string): string {
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : "";
}
