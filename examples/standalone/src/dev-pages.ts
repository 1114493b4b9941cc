import { BlockList, isIP } from "node:net";

/** The clients that may read the pages for development: only this machine, or every client that reaches the server. */
export type DevPagesSetting = "loopback" | "public";

/**
 * Protects the pages for development: the inbox, which contains the codes and links for all users, and the demo, which
 * names accounts. A public server must not serve these pages. A server on a developer's machine must not serve them to
 * another website. With DNS rebinding, that website's host name points to 127.0.0.1, so the browser treats the server
 * as the website's own origin. The server can detect this only by the `Host` header.
 */
export interface DevPages {
  /** Whether there are requests that may read the pages. */
  readonly isOn: boolean;
  /** Whether a request with these headers may read the pages. */
  areShownTo(headers: Headers): boolean;
  /**
   * Whether the issuer, the host and these headers all name this machine, independent of the setting. Only the response
   * to such a request may contain a password.
   */
  isLocal(headers: Headers): boolean;
}

/** Creates the {@link DevPages} of a server. */
export function createDevPages(parts: { readonly setting: DevPagesSetting; readonly issuer: string; readonly host: string }): DevPages {
  const { setting, issuer, host } = parts;
  const isLocalServer = isLoopback(new URL(issuer).hostname) && isLoopback(host);
  const isLocal = (headers: Headers): boolean => {
    // A proxy or a tunnel on this machine may replace the Host header. `X-Forwarded-Host` then has the requested host.
    const forwarded = headers.get("x-forwarded-host")?.split(",") ?? [];
    return isLocalServer && [headers.get("host") ?? "", ...forwarded].every((name) => isLoopback(hostnameOf(name.trim())));
  };
  const isPublic = setting === "public";
  return { isOn: isPublic || isLocalServer, areShownTo: (headers) => isPublic || isLocal(headers), isLocal };
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether a host name names this machine. Names below `localhost` always resolve to it (RFC 6761 section 6.3). */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  const version = isIP(name);
  if (version === 0) return /^(?:.+\.)?localhost$/i.test(name);
  return loopback.check(name, version === 4 ? "ipv4" : "ipv6");
}

/** Returns the host name of a `Host` header, or an empty string if it is invalid. */
function hostnameOf(host: string): string {
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : "";
}
