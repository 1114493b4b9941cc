/** The placeholder in registered URLs for the name of an organization. */
export const organizationPlaceholder = "{organization_name}";

/** Stands for the placeholder while a URL is parsed, because a parser would percent-encode the braces. */
const standIn = "organization--name--placeholder";

/**
 * Returns a URL with characters outside ASCII as `new URL` writes it: the host in punycode, the rest percent-encoded,
 * because an HTTP header cannot contain the characters. `{organization_name}` and `*` stay. Any other URL is returned
 * unchanged, because ASCII URLs are compared as text. So is a text that is not a URL, a URL with a character that parsers
 * remove or convert, and a URL with the placeholder in a label that punycode would encode.
 */
export function toAsciiUrl(url: string): string {
  // oxlint-disable-next-line eslint/no-control-regex
  if (!/[^\u0000-\u007f]/.test(url) || /[\u0000-\u0020\u007f\\]/.test(url) || !url.isWellFormed()) return url;
  const parsed = parse(url);
  return parsed === undefined ? url : withPlaceholder(parsed.href);
}

/**
 * Returns the URL in a request in the spelling in which registered URLs are stored, see {@link toAsciiUrl}. A URL that
 * contains ASCII text in disguise is returned unchanged, so that it equals no registered URL: full-width letters or
 * another full stop in the host, or a path with dot segments.
 */
export function toComparableUrl(url: string): string {
  const ascii = toAsciiUrl(url);
  return ascii === url || hasDisguisedText(url, new URL(ascii)) ? url : ascii;
}

function hasDisguisedText(url: string, { hostname }: URL): boolean {
  const [, authority = "", path = ""] = /^[^:/?#]+:(?:\/\/([^/?#]*))?([^?#]*)/.exec(url) ?? [];
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(path)) return true;
  const converted = hostname.split(".");
  const labels = authority.replace(/:\d*$/, "").split(".");
  // A label outside ASCII remains recognizable: in punycode, or percent-encoded in the host of a custom scheme.
  const isDisguised = (label: string, index: number): boolean => /\P{ASCII}/u.test(label) && !/^xn--|%/.test(converted[index] ?? "");
  return labels.length !== converted.length || labels.some(isDisguised);
}

/**
 * Returns an origin as browsers send it in the `Origin` header: scheme and host in lower case, the host in punycode, and
 * no default port (HTML Standard, "serialization of an origin"). `{organization_name}` and `*` stay. A text that is not
 * `scheme://host[:port]` is returned unchanged.
 */
export function toSentOrigin(origin: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#\\@\s\p{Cc}]+$/iu.test(origin)) return origin;
  const parsed = parse(origin);
  return parsed === undefined ? origin : withPlaceholder(`${parsed.protocol}//${parsed.host}`);
}

/**
 * Parses a URL that may contain the placeholder; undefined if it is not a URL, or if the placeholder is in a label that
 * punycode encodes.
 */
function parse(url: string): URL | undefined {
  const sample = url.replaceAll(organizationPlaceholder, standIn);
  const parsed = URL.canParse(sample) ? new URL(sample) : undefined;
  const isEncoded = parsed?.hostname.split(".").some((label) => label.startsWith("xn--") && label.includes(standIn));
  return isEncoded === true ? undefined : parsed;
}

function withPlaceholder(text: string): string {
  return text.replaceAll(standIn, organizationPlaceholder);
}

/** The URLs and origins of a client that requests are compared with. */
interface ComparedUrls {
  readonly callbacks: readonly string[];
  readonly web_origins: readonly string[];
  readonly allowed_origins: readonly string[];
}

/**
 * Returns a stored client with its URLs and origins in the spelling in which they are compared and sent. A row that
 * the host wrote into its own table may contain other spellings.
 */
export function withComparableUrls<Client extends ComparedUrls>(client: Client): Client {
  return {
    ...client,
    callbacks: client.callbacks.map(toAsciiUrl),
    web_origins: client.web_origins.map(toSentOrigin),
    allowed_origins: client.allowed_origins.map(toSentOrigin),
  };
}
