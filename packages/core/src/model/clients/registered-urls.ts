import * as z from "zod";
import { organizationPlaceholder as placeholder, toAsciiUrl, toSentOrigin } from "./url-spelling.ts";

/**
 * Forbidden schemes. URLs with these schemes are scripts, documents or files. A redirect to such a URL could run code
 * in the page of another site or read from it.
 */
const forbiddenSchemes = new Set(["javascript:", "data:", "vbscript:", "blob:", "about:", "file:", "filesystem:", "view-source:"]);

/** The text of the error for a URL of a kind. */
const mustBe = (kind: string) => `must be ${kind} without a user name or password, and without spaces, control characters or backslashes`;

/**
 * The spelling of each kind of URL, for validation and for the OpenAPI documents, whose patterns have no flags. URL
 * parsers remove tabs and line breaks and convert backslashes to slashes, so a URL that contains them is not the URL that
 * a browser opens.
 */
// oxlint-disable eslint/no-control-regex
const kinds = {
  any: { pattern: /^[A-Za-z][A-Za-z0-9+.-]*:(?!\/\/[^/?#]*@)[^\u0000-\u0020\u007f\\]*$/, error: mustBe("an absolute URL") },
  web: { pattern: /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?![^/?#]*@)[^\u0000-\u0020\u007f\\]*$/, error: mustBe("an http or https URL") },
  https: { pattern: /^[Hh][Tt][Tt][Pp][Ss]:\/\/(?![^/?#]*@)[^\u0000-\u0020\u007f\\]*$/, error: mustBe("an https URL") },
  origin: {
    pattern: /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\u0000-\u0020\u007f\\/?#@]+$/,
    error: "must be scheme://host[:port], without a path or a final slash",
  },
};
// oxlint-enable eslint/no-control-regex

/** Rules for one kind of registered URL, in addition to the rules for all registered URLs. */
interface Rules {
  /** The kind of URL. By default, it may have any scheme that is not forbidden: native apps register custom schemes. */
  readonly kind?: keyof typeof kinds;
  readonly fragment?: false;
  /**
   * Response parameters that the URL must not contain. The parameter in the URL would come first and override the
   * parameter in the response.
   */
  readonly reserved?: readonly string[];
}

/**
 * Validates a URL when it is registered. The URL must be absolute. It may contain `{organization_name}` in the leftmost
 * label of the host or in the path, and `*` as the whole leftmost label of an https URL.
 * @returns the error message, or undefined if the URL is valid.
 */
function findFault(value: string, rules: Rules): string | undefined {
  const [, authority = "", path = "", tail = ""] = /^[^:/?#]+:(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s.exec(value) ?? [];
  const [label = "", ...parents] = authority.split(".");
  if (/[{}]/.test([label.replace(placeholder, ""), ...parents, path.replaceAll(placeholder, ""), tail].join())) {
    return `may contain ${placeholder} in the leftmost label of the host and in the path, but no other braces`;
  }
  if (value.includes("*")) {
    if (!value.startsWith("https://*.") || value.lastIndexOf("*") !== value.indexOf("*")) {
      return "may contain * only as the whole leftmost label of an https URL";
    }
    if (parents.filter((parent) => parent !== "").length < 2) return "must have at least two labels after *";
  }
  const sample = value.replaceAll(placeholder, "name").replace("*", "name");
  const { protocol } = URL.canParse(sample) ? new URL(sample) : { protocol: "" };
  if (protocol === "" || (authority === "" && /^https?:$/.test(protocol))) return "must be an absolute URL";
  if (forbiddenSchemes.has(protocol)) return `must not have the scheme ${protocol}`;
  if (rules.fragment === false && value.includes("#")) return "must not contain a fragment";
  const own = rules.reserved?.find((name) => new URL(sample).searchParams.has(name));
  if (own !== undefined) return `must not contain the parameter ${own}, which responses add`;
  return undefined;
}

/** Maximum number of characters in a registered URL. */
const maxUrlLength = 2048;

/** Maximum number of URLs in a list. */
const maxUrls = 250;

/** Maximum total number of characters of the URLs in a list. */
const maxListLength = 64 * 1024;

/**
 * Adds limits to a list of URLs in a request body, because each process caches the lists of the clients that it serves.
 * Stored lists and responses have no limits, so that every stored list stays readable.
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
  const { pattern, error } = kinds[rules.kind ?? "any"];
  return (
    z
      .string()
      .max(maxUrlLength)
      .overwrite(rules.kind === "origin" ? toSentOrigin : toAsciiUrl)
      .regex(pattern, { error, abort: true })
      .superRefine((value, context) => {
        const fault = findFault(value, rules);
        if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
      })
      // Not `uri`, because a URI contains no braces.
      .meta({ format: "uri-template" })
  );
}

/** The parameters of an authorization response. */
const responseParameters = [
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

/**
 * A redirect URI for codes and tokens. It must be absolute and have no fragment (RFC 6749 section 3.1.2). Native apps
 * use custom schemes.
 */
export const callbackUrlSchema = registeredUrl({ fragment: false, reserved: responseParameters });

/** Returns `true` if a registered URL is plain http to a host other than a loopback address. */
export function isExposedHttp(registered: string): boolean {
  if (!/^http:/i.test(registered)) return false;
  const { hostname } = new URL(registered.replaceAll(placeholder, "name"));
  return !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** A URL to which a browser may be redirected after logout. The redirect adds the `state` of the logout request. */
export const logoutUrlSchema = registeredUrl({ reserved: ["state"] });

/** An origin: scheme, host and port. */
export const originSchema = registeredUrl({ kind: "origin" });

/** An https URL, which may contain placeholders, or an empty string. */
export const httpsUrlOrEmptySchema = z.union([z.literal(""), registeredUrl({ kind: "https" })]);

/**
 * The URL of a page or an image, or empty. Custom schemes are not allowed, because a browser cannot display such a
 * resource.
 */
export const webUrlOrEmptySchema = z.union([z.literal(""), registeredUrl({ kind: "web" })]);
