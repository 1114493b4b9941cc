/**
 * A hash in the PHC string format: `$id$v=19$m=19456,t=2,p=1$salt$hash`.
 * https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md
 */
export interface PhcString {
  readonly id: string;
  readonly version?: number;
  readonly parameters: ReadonlyMap<string, string>;
  /** Salt and hash, as encoded in the string. */
  readonly salt: string;
  readonly hash: string;
}

/** The maximum length of a stored hash, in characters. */
export const maximumHashLength = 1024;

/**
 * Parses a PHC string that has a salt and a hash; undefined for anything else. Each parameter may occur once, in any
 * order.
 */
export function parsePhc(text: string): PhcString | undefined {
  if (text.length > maximumHashLength) return undefined;
  const [empty, id = "", ...rest] = text.split("$");
  const [salt, hash] = rest.slice(-2);
  const middle = rest.slice(0, -2);
  if (empty !== "" || !/^[a-z0-9-]{1,32}$/.test(id) || !salt || !hash || middle.length > 2) return undefined;
  const versioned = middle.length > 0 && /^v=\d{1,9}$/.test(middle[0] ?? "");
  const version = versioned ? Number(middle[0]?.slice(2)) : undefined;
  const lists = versioned ? middle.slice(1) : middle;
  if (lists.length > 1) return undefined;
  const parameters = new Map<string, string>();
  for (const pair of lists[0]?.split(",") ?? []) {
    const [, name, value] = /^([a-z0-9-]{1,32})=([A-Za-z0-9/+.=-]+)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined || parameters.has(name)) return undefined;
    parameters.set(name, value);
  }
  return { id, ...(version !== undefined && { version }), parameters, salt, hash };
}

/** Writes a PHC string. */
export function formatPhc({ id, version, parameters, salt, hash }: PhcString): string {
  const list = Array.from(parameters, ([name, value]) => `${name}=${value}`).join(",");
  return ["", id, ...(version === undefined ? [] : [`v=${version}`]), ...(list ? [list] : []), salt, hash].join("$");
}

/** Reads a parameter that is a whole number without leading zeros; undefined if it is missing or invalid. */
export function numberIn({ parameters }: PhcString, name: string): number | undefined {
  const value = parameters.get(name);
  return value !== undefined && /^(0|[1-9]\d{0,9})$/.test(value) ? Number(value) : undefined;
}
