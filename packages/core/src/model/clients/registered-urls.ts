import * as z from "zod";

/** Schemes whose "URL" is a script, a document or a file: a redirect to one of them runs in, or reads from, somebody else's page. */
const forbiddenSchemes = new Set(["javascript:", "data:", "vbscript:", "blob:", "about:", "file:", "filesystem:", "view-source:"]);

const placeholder = "{organization_name}";

/** What a registered URL may be, beyond what holds for each of them. */
interface Rules {
  /** Only these schemes; without, any that is not forbidden, so that native apps can register their own. */
  readonly schemes?: readonly string[];
  readonly fragment?: false;
  readonly originOnly?: true;
  /** Parameters that answers bring: one of the URL's own would come before them, and stand for them. */
  readonly reserved?: readonly string[];
}

/**
 * Checks a URL as somebody registers it: absolute, with `{organization_name}` where an organization's name may stand
 * (the leftmost label of the host, or the path) and `*` as a whole leftmost label of an https URL.
 * @returns what is wrong with it, or undefined.
 */
function findFault(value: string, rules: Rules): string | undefined {
  // Parsers drop tabs and line breaks and turn backslashes round, so that what is read here would not be what a browser reads.
  // oxlint-disable-next-line eslint/no-control-regex
  if (/[\u0000-\u0020\u007f\\]/.test(value)) return "must not contain spaces, control characters or backslashes";
  const [, authority = "", path = "", tail = ""] = /^[^:/?#]+:(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s.exec(value) ?? [];
  const [label = "", ...parents] = authority.split(".");
  if (/[{}]/.test([label.replace(placeholder, ""), ...parents, path.replaceAll(placeholder, ""), tail].join())) {
    return `may contain ${placeholder} in the leftmost label of the host and in the path, and no other braces`;
  }
  if (value.includes("*")) {
    if (!value.startsWith("https://*.") || value.lastIndexOf("*") !== value.indexOf("*")) {
      return "may contain * only as the whole leftmost label of an https URL";
    }
    if (parents.filter((parent) => parent !== "").length < 2) return "must name at least two labels after *";
  }
  const sample = value.replaceAll(placeholder, "name").replace("*", "name");
  const { protocol, username, password } = URL.canParse(sample) ? new URL(sample) : { protocol: "", username: "", password: "" };
  if (protocol === "" || (authority === "" && /^https?:$/.test(protocol))) return "must be an absolute URL";
  if (forbiddenSchemes.has(protocol)) return `must not have the scheme ${protocol}`;
  if (rules.schemes && !rules.schemes.includes(protocol))
    return `must begin with ${rules.schemes.map((scheme) => `${scheme}//`).join(" or ")}`;
  if (username !== "" || password !== "") return "must not contain a user name or password";
  if (rules.fragment === false && value.includes("#")) return "must not contain a fragment";
  const own = rules.reserved?.find((name) => new URL(sample).searchParams.has(name));
  if (own !== undefined) return `must not have the parameter ${own} of its own: answers bring it`;
  if (rules.originOnly && (authority === "" || path + tail !== "")) return "must be scheme://host[:port], without a path or a final slash";
  return undefined;
}

/** Maximum number of characters of a registered URL. */
const maxUrlLength = 2048;

/** Maximum number of URLs in a list. */
const maxUrls = 250;

/** Maximum number of characters of all URLs in a list. */
const maxListLength = 64 * 1024;

/**
 * The same list in a body, with its limits. Each process caches the lists of the clients that it serves.
 * Stored lists and responses have no limits, so that lists from before the limits stay readable.
 */
export function limitedUrls<Url extends z.ZodType<string>>(list: z.ZodArray<Url>): z.ZodArray<Url> {
  return list
    .max(maxUrls, `must have at most ${maxUrls} entries`)
    .refine(
      (urls) => urls.reduce((total, url) => total + url.length, 0) <= maxListLength,
      `must have at most ${maxListLength} characters in total`,
    );
}

function registeredUrl(rules: Rules) {
  return z
    .string()
    .max(maxUrlLength)
    .superRefine((value, context) => {
      const fault = findFault(value, rules);
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
    });
}

/** What an answer of `/authorize` carries. */
const answerParameters = [
  "code",
  "access_token",
  "token_type",
  "expires_in",
  "id_token",
  "scope",
  "state",
  "iss",
  "error",
  "error_description",
];

/** Where codes and tokens may be sent (RFC 6749 section 3.1.2: absolute, without a fragment). Native apps use schemes of their own. */
export const CallbackUrl = registeredUrl({ fragment: false, reserved: answerParameters });

/** Whether a registered URL is plain http to anything but a loopback address, where nobody is on the way. */
export function isExposedHttp(registered: string): boolean {
  if (!/^http:/i.test(registered)) return false;
  const { hostname } = new URL(registered.replaceAll(placeholder, "name"));
  return !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Where a browser may go after logout, with the `state` that was sent. */
export const LogoutUrl = registeredUrl({ reserved: ["state"] });

/** An origin: scheme, host and port. */
export const Origin = registeredUrl({ originOnly: true });

/** An https URL, possibly with placeholders, or empty. */
export const HttpsUrlOrEmpty = z.union([z.literal(""), registeredUrl({ schemes: ["https:"] })]);

/** The address of a page or a picture, or empty. Schemes of their own are for apps, not for what a browser shows. */
export const WebUrlOrEmpty = z.union([z.literal(""), registeredUrl({ schemes: ["https:", "http:"] })]);
