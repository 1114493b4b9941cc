import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { passwordRules } from "../domain/passwords/policy.ts";
import { builtIn } from "../locales/catalogues.ts";
import type { PageFrame, Screen } from "./screen.ts";
import { renderFormPost } from "./pages/form-post.tsx";
import { imageSources, renderPage, scriptOf } from "./draw.tsx";
import { renderWebMessage } from "./pages/web-message.tsx";

const evil = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;</style></title>\u2028`;

const newcomer = {
  name: "create-account",
  organization: { name: "Fieldnotes" },
  inviter: "Jonas",
  email: "mira@example.com",
  rules: passwordRules("", { passwordPolicy: "excellent" }),
} as const;

/** Every screen, with this text wherever it holds one. */
function screens(text: string): Screen[] {
  const problems = ["identifier-missing", "password-missing", "wrong-credentials", "too-many-attempts", "blocked", "try-again"] as const;
  return [
    { name: "identifier", identifier: text, kinds: ["email", "username", "phone"] },
    { name: "identifier", kinds: [] },
    ...problems.map((problem) => ({ name: "identifier", identifier: text, kinds: ["email"], problem }) as const),
    { name: "password", identifier: text },
    ...problems.map((problem) => ({ name: "password", identifier: text, problem }) as const),
    { name: "consent", client: { name: text, logoUri: text }, account: text, audience: text, scopes: [{ value: text, description: text }] },
    { name: "consent", client: { name: text }, account: text, scopes: [{ value: text }, { value: "openid" }] },
    { name: "consent", client: { name: text }, account: text, scopes: [] },
    { name: "select-account", accounts: [{ name: text, email: `${text}@`, picture: text }, { name: text }] },
    { ...newcomer, organization: { name: text, logoUrl: text }, inviter: text, email: text },
    ...(["password-missing", "password-too-weak", "password-too-common", "password-personal"] as const).map((problem) => ({
      ...newcomer,
      email: text,
      problem,
    })),
    { name: "confirm-logout" },
    { name: "logged-out" },
    { name: "error", code: text, description: text, requestId: text },
    { name: "error", code: "login_expired", description: text, requestId: text },
  ];
}

const look = { tenantName: "Harbour", branding: {}, catalogues: builtIn, locale: "en" };

function frame(screen: Screen, more: Partial<PageFrame> = {}): PageFrame {
  const hidden = { state: "main.abc", csrf: "token" };
  return { ...look, screen, action: "/u/login", hidden, nonce: "n0nce", ...more };
}

/** All pages, each with hostile text in every field that has one. */
function hostilePages(): [name: string, html: string][] {
  const more = {
    action: `/u/login?${evil}`,
    hidden: { state: evil, [evil]: evil },
    clientName: evil,
    tenantName: evil,
    branding: { logoUrl: `https://pictures.example.test/${evil}`, primaryColor: evil, pageBackground: evil },
    nonce: evil,
  };
  return [
    ...screens(evil).flatMap((screen) =>
      ["en", "de", evil].map((locale): [string, string] => [
        `${screen.name} in ${locale.slice(0, 3)}`,
        renderPage(frame(screen, { ...more, locale })),
      ]),
    ),
    ["form post", renderFormPost({ ...look, ...more, fields: { [evil]: evil }, locale: evil })],
    ["web message", renderWebMessage({ response: { [evil]: evil }, targetOrigin: evil, nonce: evil })],
  ];
}

/** One piece of a page: an element of raw text, a tag, or text, each only in the form that Postern writes. */
const piece =
  /<(?<raw>script|style) nonce="[^"<]*">[^<]*<\/\k<raw>>|<\/?(?<name>[a-zA-Z][a-zA-Z0-9]*)(?<attributes>(?: [a-zA-Z-]+(?:="[^"<]*")?)*)\/?>|[^<]+/y;

/** The pieces of a page. Throws where something stands that we never write, such as a tag out of somebody's text. */
function pieces(html: string): { readonly name: string; readonly attributes: readonly string[] }[] {
  const start = "<!DOCTYPE html>";
  expect(html.slice(0, start.length)).toBe(start);
  const found = [];
  piece.lastIndex = start.length;
  while (piece.lastIndex < html.length) {
    const at = piece.lastIndex;
    const groups = piece.exec(html)?.groups;
    if (groups === undefined) throw new Error(`not ours: ${html.slice(at, at + 200)}`);
    const attributes = [...(groups["attributes"] ?? "").replaceAll(/"[^"]*"/g, "").matchAll(/ ([a-zA-Z-]+)/g)].map(([, name = ""]) => name);
    found.push({ name: groups["raw"] ?? groups["name"] ?? "", attributes });
  }
  return found;
}

describe("no text of others becomes markup", () => {
  test.each(hostilePages())("%s", (_, html) => {
    for (const { name, attributes } of pieces(html)) {
      expect(["iframe", "object", "embed", "base"]).not.toContain(name);
      for (const attribute of attributes) expect(attribute).not.toMatch(/^(?:on.*|style|srcdoc|formaction)$/i);
    }
    const scripts = pieces(html).filter(({ name }) => name === "script");
    expect(scripts).toHaveLength(/id="form-post"|postMessage|id="password"/.test(html) ? 1 : 0);
  });

  test("and names that are not from the tenant's people reach the page whole", () => {
    const html = renderPage(frame({ name: "password", identifier: `a<b>&"'@example.com` }));
    expect(html).toContain(`<bdi id="account">a&lt;b>&amp;&quot;'@example.com</bdi>`);
    expect(html).toContain(`value="a&lt;b>&amp;&quot;'@example.com"`);
  });
});

describe("every page", () => {
  test.each(screens("x").map((screen): [string, Screen] => [screen.name, screen]))("%s keeps to its policy", (_, screen) => {
    const html = renderPage(frame(screen));
    expect(html).toMatch(/^<!DOCTYPE html><html lang="en" dir="ltr">/);
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>');
    expect(html).toContain('<meta name="robots" content="noindex, nofollow"/>');
    expect(html).toContain('<link rel="icon" href="data:," referrerpolicy="no-referrer"/>');
    expect(html.match(/<style nonce="n0nce">/g)).toHaveLength(1);
    expect(html).not.toMatch(/<iframe|<link rel="stylesheet"|@import|url\(|javascript:/i);
    const script = scriptOf(frame(screen));
    expect(html.match(/<script.*?<\/script>/gs) ?? []).toEqual(script === undefined ? [] : [`<script nonce="n0nce">${script}</script>`]);
    expect(script !== undefined).toBe(screen.name === "password" || screen.name === "create-account");
    expect(html.match(/<h1>/g)).toHaveLength(1);
    for (const form of html.match(/<form.*?<\/form>/gs) ?? []) {
      expect(form).toContain('<form method="post" action="/u/login"');
      expect(form).toContain('<input type="hidden" name="state" value="main.abc"/><input type="hidden" name="csrf" value="token"/>');
    }
  });

  test("says what can be done on it", () => {
    const actions = (screen: Screen): string[] =>
      [...renderPage(frame(screen)).matchAll(/<button type="submit" name="action" value="([a-z-]+)"/g)].map(([, value = ""]) => value);
    const account = { name: "Mira", email: "mira@example.com" };
    expect(actions({ name: "identifier", kinds: ["email"] })).toEqual(["continue"]);
    expect(actions({ name: "password", identifier: "mira" })).toEqual(["change-identifier", "sign-in"]);
    expect(actions({ name: "consent", client: { name: "c" }, account: "a", scopes: [] })).toEqual(["accept", "deny"]);
    expect(actions({ name: "select-account", accounts: [account] })).toEqual(["continue-as", "other-account"]);
    expect(actions(newcomer)).toEqual(["have-account", "create-account"]);
    expect(actions({ name: "confirm-logout" })).toEqual(["logout"]);
    expect(actions({ name: "logged-out" })).toEqual([]);
    expect(actions({ name: "error", code: "c", description: "d", requestId: "r" })).toEqual([]);
  });

  test("speaks the language of its frame, and marks what is not in it", () => {
    const html = renderPage(frame({ name: "error", code: "invalid_request", description: "no", requestId: "req_1" }, { locale: "de" }));
    expect(html).toContain('<html lang="de" dir="ltr">');
    expect(html).toContain("<title>Hier geht es nicht weiter · Harbour</title>");
    expect(html).toContain('<dd id="error-description" lang="en" dir="auto">no</dd>');
    expect(html).toContain('<code id="error-code" dir="ltr">invalid_request</code>');
    expect(html).toContain('<code id="request-id" dir="ltr">req_1</code>');
  });
});

describe("fields", () => {
  const inputOf = (screen: Screen, id: string): string => new RegExp(`<input id="${id}"[^>]*>`).exec(renderPage(frame(screen)))?.[0] ?? "";

  test("have what browsers, password managers and keyboards go by", () => {
    const identifier = inputOf({ name: "identifier", kinds: ["email", "username"], identifier: "mira" }, "identifier");
    for (const attribute of [
      'name="identifier"',
      'autocomplete="username"',
      'autocapitalize="none"',
      'spellcheck="false"',
      'inputmode="email"',
      'value="mira"',
      "autofocus",
    ]) {
      expect(identifier).toContain(attribute);
    }
    expect(inputOf({ name: "identifier", kinds: ["phone"] }, "identifier")).toContain('type="tel" inputmode="tel"');
    expect(inputOf({ name: "identifier", kinds: ["username"] }, "identifier")).toContain('inputmode="text"');
    const password = inputOf({ name: "password", identifier: "mira" }, "password");
    expect(password).toContain('name="password"');
    expect(password).toContain('type="password" autocomplete="current-password"');
    expect(password).not.toContain("value=");
    expect(renderPage(frame({ name: "password", identifier: "mira" }))).toMatch(
      /name="identifier" value="mira" autocomplete="username" readonly/,
    );
  });

  test("name the problem they have, and the title says it first", () => {
    const screen = { name: "password", identifier: "mira", problem: "wrong-credentials" } as const;
    expect(inputOf(screen, "password")).toContain('aria-describedby="problem" aria-invalid="true"');
    const html = renderPage(frame(screen));
    expect(html).toContain('id="problem" role="alert"');
    expect(html).toContain("<title>Problem: Enter your password · Harbour</title>");
    const throttled = inputOf({ ...screen, problem: "too-many-attempts" }, "password");
    expect(throttled).toContain("aria-describedby");
    expect(throttled).not.toContain("aria-invalid");
    expect(inputOf({ name: "password", identifier: "mira" }, "password")).not.toContain("aria-");
  });

  test("Enter in the password means to sign in", () => {
    const form = renderPage(frame({ name: "password", identifier: "mira" }))
      .match(/<form.*?<\/form>/gs)
      ?.find((part) => part.includes('id="password"'));
    expect(form?.match(/<button[^>]*value="([a-z-]+)"/)?.[1]).toBe("sign-in");
  });
});

describe("pictures", () => {
  const withLogo = (logoUrl: string): PageFrame => frame({ name: "identifier", kinds: ["email"] }, { branding: { logoUrl } });

  test.each([
    "javascript:alert(1)",
    "data:image/svg+xml,<svg/>",
    "//pictures.example.test/a.png",
    "/a.png",
    "ftp://a.example.test/a.png",
    "https://a;script-src/a.png",
    "https://a,b/a.png",
    "https://'unsafe-inline'/a.png",
    "https://*/a.png",
    "https://name:word@a.example.test/a.png",
    "https://",
    "",
  ])("%s is not shown", (url) => {
    expect(imageSources(withLogo(url))).toEqual([]);
    expect(renderPage(withLogo(url))).not.toContain("<img");
    const favicon = frame({ name: "logged-out" }, { branding: { faviconUrl: url } });
    expect(imageSources(favicon)).toEqual([]);
    expect(renderPage(favicon)).toContain('<link rel="icon" href="data:," referrerpolicy="no-referrer"/>');
  });

  test("are named by their origins, each once", () => {
    expect(imageSources(withLogo("https://a.example.test:8443/x/y.png?z"))).toEqual(["https://a.example.test:8443"]);
    expect(imageSources(withLogo("http://[::1]:3000/logo.png"))).toEqual(["http://[::1]:3000"]);
    expect(imageSources(withLogo("https://münchen.example.test/logo.png"))).toEqual(["https://xn--mnchen-3ya.example.test"]);
    const consent = { name: "consent", client: { name: "c", logoUri: "https://b.example.test/c" }, account: "a", scopes: [] } as const;
    const branding = { logoUrl: "https://b.example.test/t" };
    expect(imageSources(frame(consent, { branding }))).toEqual(["https://b.example.test"]);
    const accounts = [
      { name: "a", picture: "https://p.example.test/1" },
      { name: "b" },
      { name: "c", picture: "https://q.example.test/2" },
    ];
    expect(imageSources(frame({ name: "select-account", accounts }))).toEqual(["https://p.example.test", "https://q.example.test"]);
  });
});

describe("answers that a page carries", () => {
  test("form_post posts every field by script, and by a button where there is none", () => {
    const html = renderFormPost({
      ...look,
      action: "https://app.example.test/cb?a=1&b=2",
      fields: { code: 'c"<', submit: "s" },
      nonce: "n0nce",
      locale: "de",
    });
    expect(html).toContain('<form id="form-post" method="post" action="https://app.example.test/cb?a=1&amp;b=2">');
    expect(html).toContain('<input type="hidden" name="code" value="c&quot;&lt;"/><input type="hidden" name="submit" value="s"/>');
    expect(html).toMatch(/<button type="submit" [^>]*>Weiter<\/button>/);
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script nonce="n0nce">']);
  });

  test("web_message hands the answer to one origin", () => {
    const response = { code: "</script><!--\u2028", state: "s", expires_in: 5 };
    const html = renderWebMessage({ response, targetOrigin: "https://app.example.test", nonce: "n0nce" });
    const script = /<script nonce="n0nce">(.*)<\/script>/s.exec(html)?.[1] ?? "";
    expect(script).not.toMatch(/[<>\u2028]/);
    const sent: unknown[] = [];
    const run = (window: object): unknown => runInNewContext(script, { window });
    run({ opener: null, parent: { postMessage: (...message: unknown[]) => sent.push(message) } });
    run({ opener: { postMessage: (...message: unknown[]) => sent.push(message) }, parent: {} });
    const message = [{ type: "authorization_response", response }, "https://app.example.test"];
    expect(sent).toEqual([message, message]);
  });
});

test("a page starts no transition into the next one, which may be the customer's own and would be told of its end", () => {
  for (const [, html] of hostilePages()) expect(html).not.toContain("view-transition");
});
