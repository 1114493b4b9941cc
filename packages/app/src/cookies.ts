import type { Exchange } from "./session-options.ts";

/**
 * Maximum characters of a cookie's value. Browsers limit a cookie to 4,096 bytes, including its name and attributes.
 */
const chunkLength = 3500;

/** Maximum number of cookies for one value. */
const maximumChunks = 4;

/** Maximum number of values that {@link readChunks} returns. */
const maximumValues = 8;

/** The name and attributes of the cookies that hold one value. */
export interface CookieKind {
  /** The name with its prefix, such as `__Host-app_session`. */
  readonly name: string;
  /** `; Path=/; HttpOnly; …`, beginning with the semicolon. */
  readonly attributes: string;
}

/**
 * Parses the cookies of a request. A browser sends several cookies of the same name if their paths differ, the longest
 * path first, and of the same path the oldest first (RFC 6265 section 5.4).
 */
export function parseCookies(header: string | null): ReadonlyMap<string, readonly string[]> {
  const cookies = new Map<string, readonly string[]>();
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).trim();
    if (name !== "") cookies.set(name, [...(cookies.get(name) ?? []), part.slice(at + 1).trim()]);
  }
  return cookies;
}

/**
 * Reads a value that is split into one or more cookies. Returns more than one value if the browser sends cookies of
 * several paths: the caller must find out which of them is valid.
 */
export function readChunks({ name }: CookieKind, header: string | null): readonly string[] {
  const cookies = parseCookies(header);
  const values: string[] = [];
  const add = (text: string, index: number): void => {
    const chunks = cookies.get(`${name}.${index}`) ?? [];
    if (chunks.length === 0 && text !== "") values.push(text);
    for (const chunk of chunks) {
      if (values.length === maximumValues) return;
      // Only the last chunk is shorter.
      if (chunk.length < chunkLength) values.push(text + chunk);
      else add(text + chunk, index + 1);
    }
  };
  add("", 0);
  return values;
}

/** The changes of a response to the browser's cookies, with the size of the `Cookie` header that results from them. */
export class CookieChanges {
  readonly #sent: ReadonlyMap<string, readonly string[]>;
  readonly #attributes: string;
  readonly #changed = new Map<string, { readonly value: string; readonly lifetime: number }>();

  /** @param header the `Cookie` header of the request. */
  constructor(header: string | null, { attributes }: CookieKind) {
    this.#sent = parseCookies(header);
    this.#attributes = attributes;
  }

  /** @param lifetime in seconds. */
  set(name: string, value: string, lifetime: number): void {
    this.#changed.set(name, { value, lifetime });
  }

  /** Deletes a cookie, if the browser sent it. */
  delete(name: string): void {
    if (this.#sent.has(name)) this.#changed.set(name, { value: "", lifetime: 0 });
  }

  /** Splits a value into as many cookies as necessary, and deletes the cookies that only a longer value needed. */
  setChunks(kind: CookieKind, value: string, lifetime: number): void {
    this.deleteChunks(kind);
    for (let index = 0; index * chunkLength < value.length; index++) {
      this.set(`${kind.name}.${index}`, value.slice(index * chunkLength, (index + 1) * chunkLength), lifetime);
    }
  }

  /** Reverts the changes to a value. */
  revertChunks({ name }: CookieKind): void {
    for (const changed of this.#changed.keys()) if (changed.startsWith(`${name}.`)) this.#changed.delete(changed);
  }

  deleteChunks({ name }: CookieKind): void {
    for (let index = 0; index < maximumChunks; index++) this.delete(`${name}.${index}`);
  }

  /** Returns the bytes of the next `Cookie` header: of all cookies, or of those whose name begins with `prefix`. */
  lengthOf(prefix = ""): number {
    let length = 0;
    const add = (name: string, value: string): void => {
      if (name.startsWith(prefix)) length += `${name}=${value}; `.length;
    };
    for (const [name, values] of this.#sent) {
      // A change does not affect a cookie of a longer path.
      for (const value of this.#changed.has(name) ? values.slice(0, -1) : values) add(name, value);
    }
    for (const [name, { value, lifetime }] of this.#changed) if (lifetime > 0) add(name, value);
    return length;
  }

  /** Returns the `Set-Cookie` lines. */
  lines(): readonly string[] {
    return [...this.#changed].map(([name, { value, lifetime }]) => `${name}=${value}${this.#attributes}; Max-Age=${lifetime}`);
  }
}

/** Runs a function that changes cookies, and sends the changes with the response of an exchange. */
export async function changeCookies<T>(
  kind: CookieKind,
  { headers, setCookie }: Exchange,
  change: (changes: CookieChanges, header: string | null) => T | Promise<T>,
): Promise<T> {
  const header = headers.get("cookie");
  const changes = new CookieChanges(header, kind);
  const result = await change(changes, header);
  for (const line of changes.lines()) setCookie?.(line);
  return result;
}
