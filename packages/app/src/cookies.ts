/** The cookies of one request and its response. */
export interface Cookies {
  /** The `Cookie` header of the request. */
  readonly header: string | null;
  /**
   * Adds a `Set-Cookie` line to the response. Undefined if the response cannot set cookies, as in Next.js server
   * components.
   */
  readonly set?: (line: string) => void;
}

/**
 * Maximum characters of a cookie's value. Browsers limit a cookie to 4,096 bytes, including its name and attributes.
 */
const chunkLength = 3500;

/** Maximum number of cookies for one value, because servers reject headers of 16 kB. */
const maximumChunks = 4;

/** The name and attributes of the cookies that hold one value. */
export interface CookieKind {
  /** The name with its prefix, such as `__Host-app_session`. */
  readonly name: string;
  /** `; Path=/; HttpOnly; …`, beginning with the semicolon. */
  readonly attributes: string;
}

/**
 * Parses the cookies of a request. Of two cookies with the same name the first wins, because its path is longer (RFC
 * 6265 section 5.4).
 */
export function parseCookies(header: string | null): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (name !== "" && !cookies.has(name)) cookies.set(name, part.slice(at + 1).trim());
  }
  return cookies;
}

/** Reads a value that is split into one or more cookies. */
export function readChunks({ name }: CookieKind, header: string | null): string | undefined {
  const cookies = parseCookies(header);
  const chunks: string[] = [];
  for (let index = 0; index < maximumChunks; index++) {
    const chunk = cookies.get(`${name}.${index}`);
    if (chunk === undefined) break;
    chunks.push(chunk);
  }
  return chunks.length === 0 ? undefined : chunks.join("");
}

/**
 * Writes a value into as many cookies as necessary, and deletes the cookies that only an earlier, longer value needed.
 * @param lifetime in seconds; 0 deletes the value.
 * @throws {RangeError} if the value is too long for cookies.
 */
export function writeChunks(kind: CookieKind, value: string, lifetime: number, { header, set }: Cookies): void {
  if (set === undefined) return;
  const chunks = lifetime === 0 ? [] : (value.match(new RegExp(`.{1,${chunkLength}}`, "gs")) ?? []);
  if (chunks.length > maximumChunks) {
    throw new RangeError(
      `the encrypted session has ${value.length} characters, but cookies can store at most ${chunkLength * maximumChunks}: request fewer claims or a smaller access token`,
    );
  }
  for (const [index, chunk] of chunks.entries()) set(cookieLine(`${kind.name}.${index}`, chunk, kind.attributes, lifetime));
  const known = parseCookies(header);
  for (let index = chunks.length; index < maximumChunks; index++) {
    if (known.has(`${kind.name}.${index}`)) set(cookieLine(`${kind.name}.${index}`, "", kind.attributes, 0));
  }
}

export function cookieLine(name: string, value: string, attributes: string, lifetime: number): string {
  return `${name}=${value}${attributes}; Max-Age=${lifetime}`;
}
