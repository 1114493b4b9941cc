/** The cookies of the demo. They are limited to the issuer's path and not readable by scripts. */
interface Cookies {
  read(request: Request, name: string): string | undefined;
  /** Returns a `Set-Cookie` value. @param maxAge in seconds. 0 deletes the cookie. Default: a session cookie. */
  write(name: string, value: string, maxAge?: number): string;
}

/**
 * Creates the {@link Cookies} for an issuer. The issuer's scheme determines `Secure`, because a request through a TLS
 * proxy arrives with http.
 */
export function createCookies(issuer: string): Cookies {
  const { protocol, pathname } = new URL(issuer);
  const isSecure = protocol === "https:";
  const prefix = isSecure ? (pathname === "/" ? "__Host-" : "__Secure-") : "";
  const attributes = `; Path=${pathname}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read(request, name) {
      const start = `${prefix}${name}=`;
      const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
    },
    write: (name, value, maxAge) => `${prefix}${name}=${value}${attributes}${maxAge === undefined ? "" : `; Max-Age=${maxAge}`}`,
  };
}
