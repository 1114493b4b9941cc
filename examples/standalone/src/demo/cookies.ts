/** The demo's cookies: for this issuer alone, and out of every script's reach. */
export interface Cookies {
  read(request: Request, name: string): string | undefined;
  /** A `Set-Cookie` value. @param maxAge seconds; left out, it ends with the browser. 0 removes it. */
  write(name: string, value: string, maxAge?: number): string;
}

/** What the issuer is decides, not the request: behind a TLS proxy the request itself comes over http. */
export function createCookies(issuer: string): Cookies {
  const { protocol, pathname } = new URL(issuer);
  const isSecure = protocol === "https:";
  const prefix = isSecure ? (pathname === "/" ? "__Host-" : "__Secure-") : "";
  const attributes = `; Path=${pathname}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read(request, name) {
      const wanted = `${prefix}${name}=`;
      const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(wanted))?.slice(wanted.length);
    },
    write: (name, value, maxAge) => `${prefix}${name}=${value}${attributes}${maxAge === undefined ? "" : `; Max-Age=${maxAge}`}`,
  };
}
