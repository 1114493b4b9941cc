/** The cookies of one request and its answer. */
export interface Cookies {
  /** The request's `Cookie` header. */
  readonly header: string | null;
  /** Adds a `Set-Cookie` line to the answer. Left out where there is no answer to add one to, as in Next.js server components. */
  readonly set?: (line: string) => void;
}

/** Characters of a cookie's value: browsers keep 4,096 bytes of a cookie, its name and attributes included. */
const chunkLength = 3500;

/** A value of more than this many chunks is none of ours: servers refuse headers of 16 kB. */
const mostChunks = 4;

/** How cookies of one kind are written. */
export interface CookieKind {
  /** With its prefix: `__Host-app_session`. */
  readonly name: string;
  /** `; Path=/; HttpOnly; …`, beginning with the semicolon. */
  readonly attributes: string;
}

/** All cookies of a request, by their names. Of two with one name the first counts: its path is the longer one (RFC 6265 section 5.4). */
export function parseCookies(header: string | null): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (name !== "" && !cookies.has(name)) cookies.set(name, part.slice(at + 1).trim());
  }
  return cookies;
}

/** Reads a value that may stand in several cookies. */
export function readChunks({ name }: CookieKind, header: string | null): string | undefined {
  const cookies = parseCookies(header);
  const chunks: string[] = [];
  for (let index = 0; index < mostChunks; index++) {
    const chunk = cookies.get(`${name}.${index}`);
    if (chunk === undefined) break;
    chunks.push(chunk);
  }
  return chunks.length === 0 ? undefined : chunks.join("");
}

/**
 * Writes a value into as many cookies as it takes, and removes what a longer one left.
 * @param lifetime seconds; 0 removes the value.
 * @throws {RangeError} for a value that is too long for cookies.
 */
export function writeChunks(kind: CookieKind, value: string, lifetime: number, { header, set }: Cookies): void {
  if (set === undefined) return;
  const chunks = lifetime === 0 ? [] : (value.match(new RegExp(`.{1,${chunkLength}}`, "gs")) ?? []);
  if (chunks.length > mostChunks) {
    throw new RangeError(
      `the session takes ${value.length} characters, and cookies hold ${chunkLength * mostChunks}: ask for fewer claims or a smaller access token`,
    );
  }
  for (const [index, chunk] of chunks.entries()) set(cookieLine(`${kind.name}.${index}`, chunk, kind.attributes, lifetime));
  const known = parseCookies(header);
  for (let index = chunks.length; index < mostChunks; index++) {
    if (known.has(`${kind.name}.${index}`)) set(cookieLine(`${kind.name}.${index}`, "", kind.attributes, 0));
  }
}

export function cookieLine(name: string, value: string, attributes: string, lifetime: number): string {
  return `${name}=${value}${attributes}; Max-Age=${lifetime}`;
}
