/** A load or a script of a page, and the directive of the Content-Security-Policy that decides about it. */
interface PagePart {
  readonly directive: string;
  /** A URL, or `inline` for code in the page itself. */
  readonly source: string;
  readonly nonce?: string | undefined;
}

/** The URL attributes of elements, by the directive for their URLs. */
const loads: { readonly [directive: string]: { readonly [element: string]: readonly string[] } } = {
  "script-src": { script: ["src"] },
  "img-src": { img: ["src", "srcset"], source: ["srcset"], input: ["src"], video: ["poster"], image: ["href"] },
  "form-action": { form: ["action"], button: ["formaction"], input: ["formaction"] },
  "frame-src": { iframe: ["src", "srcdoc"], frame: ["src"] },
  "object-src": { object: ["data"], embed: ["src"] },
  "media-src": { audio: ["src"], video: ["src"] },
  "base-uri": { base: ["href"] },
};

/** The directives to which `default-src` does not apply. */
const withoutDefault = new Set(["form-action", "base-uri", "frame-ancestors"]);

/** An element's start tag. Scripts and style sheets include their content, which can look like a tag. */
const tags = /<(?:(script|style)\b((?:"[^"]*"|'[^']*'|[^"'>])*)>(.*?)<\/\1>|([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>)/gis;
const attributes = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** The URLs and quoted texts of a style sheet. The style sheet can import the URL in a quoted text. */
const cssUrls = /(?<imported>@import\s*)?(?:url\(\s*(?<around>["']?)(?<url>.*?)\k<around>\s*\)|(?<quote>["'])(?<text>.*?)\k<quote>)/gs;

/**
 * Returns the parts of an HTML page that its Content-Security-Policy blocks, as readable lines. Knows the sources that
 * Postern's pages use: `'none'`, `'self'`, nonces, schemes and origins.
 * @param url the page's URL.
 */
export function blockedParts(html: string, policy: string, url: string): readonly string[] {
  const directives = new Map(
    policy.split(";").map((text): [string, readonly string[]] => {
      const [name = "", ...sources] = text.trim().split(/\s+/);
      return [name, sources];
    }),
  );
  const allows = ({ directive, source, nonce }: PagePart): boolean => {
    // `style-src-attr` and `script-src-attr` are optional, like all directives below `default-src`.
    const names = [directive, directive.replace("-attr", ""), ...(withoutDefault.has(directive) ? [] : ["default-src"])];
    const sources = names.map((name) => directives.get(name)).find((found) => found !== undefined);
    if (sources === undefined) return true;
    if (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) return true;
    if (source === "inline") return sources.includes("'unsafe-inline'");
    const { protocol, origin } = new URL(source, url);
    return sources.some(
      (allowed) => allowed === protocol || allowed === origin || (allowed === "'self'" && origin === new URL(url).origin),
    );
  };
  return partsOf(html)
    .filter((part) => !allows(part))
    .map(({ directive, source }) => `${directive}: ${source.slice(0, 200)}`);
}

function partsOf(html: string): PagePart[] {
  return [...html.matchAll(tags)].flatMap(([, raw, rawAttributes = "", text = "", name = "", plainAttributes = ""]) => {
    const element = (raw ?? name).toLowerCase();
    const found = new Map(
      [...(raw === undefined ? plainAttributes : rawAttributes).matchAll(attributes)].map(([, key = "", ...values]): [string, string] => [
        key.toLowerCase(),
        unescapeHtml(values.find((value) => value !== undefined) ?? ""),
      ]),
    );
    return [...attributeParts(element, found), ...contentParts(element, found, text)];
  });
}

/** The attributes whose URL the browser opens when the user follows a link or submits a form. */
const followed: readonly string[] = ["href", "xlink:href", "action", "formaction", "src", "srcdoc", "data"];

function attributeParts(element: string, found: ReadonlyMap<string, string>): PagePart[] {
  const parts: PagePart[] = [];
  for (const [key, value] of found) {
    if (key === "style") parts.push({ directive: "style-src-attr", source: "inline" });
    if (key.startsWith("on")) parts.push({ directive: "script-src-attr", source: "inline" });
    if (followed.includes(key) && /^\s*javascript:/i.test(value)) parts.push({ directive: "script-src", source: "inline" });
    for (const [directive, elements] of Object.entries(loads)) {
      if (!elements[element]?.includes(key) || value === "") continue;
      const urls = key === "srcset" ? value.split(/,\s+/).map((candidate) => candidate.trim().split(/\s/, 1)[0] ?? "") : [value];
      parts.push(...urls.map((source) => ({ directive, source, nonce: element === "script" ? found.get("nonce") : undefined })));
    }
  }
  if (element === "link") parts.push(...linkParts(found));
  return parts;
}

function linkParts(found: ReadonlyMap<string, string>): PagePart[] {
  const [relation = "", source = "", nonce] = ["rel", "href", "nonce"].map((name) => found.get(name));
  const directives: { readonly [relation: string]: string } = { stylesheet: "style-src", icon: "img-src", manifest: "manifest-src" };
  return relation.split(" ").flatMap((each) => {
    const directive = directives[each.toLowerCase()];
    return directive === undefined ? [] : [{ directive, source, nonce }];
  });
}

/** Returns an inline script, or an inline style sheet with the URLs that it loads. */
function contentParts(element: string, found: ReadonlyMap<string, string>, text: string): PagePart[] {
  const nonce = found.get("nonce");
  if (element === "script" && !found.has("src")) return [{ directive: "script-src", source: "inline", nonce }];
  if (element !== "style") return [];
  const parts: PagePart[] = [{ directive: "style-src", source: "inline", nonce }];
  for (const { index, groups = {} } of text.matchAll(cssUrls)) {
    const { imported, url, text: quoted } = groups;
    const isFont = text.lastIndexOf("@font-face", index) > text.lastIndexOf("}", index);
    if (imported !== undefined) parts.push({ directive: "style-src", source: url ?? quoted ?? "" });
    else if (url !== undefined) parts.push({ directive: isFont ? "font-src" : "img-src", source: url });
  }
  return parts;
}

function unescapeHtml(text: string): string {
  const characters: { readonly [entity: string]: string } = { lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'", amp: "&" };
  return text.replaceAll(/&([#\w]+);/g, (entity, name: string) => characters[name] ?? entity);
}
