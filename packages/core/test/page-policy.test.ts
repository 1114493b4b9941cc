import { describe, expect, test } from "vitest";
import { htmlResponse } from "../src/http/html.ts";
import { blockedParts } from "./page-policy.ts";

const url = "https://id.example.test/u/login";
const cdn = "https://cdn.example.test";

/** Returns what the policy for these options blocks of a page. */
function blocked(html: string, options: Partial<Parameters<typeof htmlResponse>[1]> = {}): readonly string[] {
  const response = htmlResponse(html, { nonce: "n0nce", ...options });
  return blockedParts(html, response.headers.get("content-security-policy") ?? "", url);
}

describe("a page's Content-Security-Policy", () => {
  test.each([
    ["a script with the nonce", '<script nonce="n0nce">run()</script>', { script: true }],
    ["a style sheet with the nonce", '<style nonce="n0nce">p{background:url("data:,")}</style>', {}],
    ["an image of a named origin", `<img src="${cdn}/a?b=1&amp;c=2"/>`, { images: [cdn] }],
    ["a font of a named origin", `<style nonce="n0nce">@font-face{font-family:Own;src:url("${cdn}/f.woff2")}</style>`, { fonts: [cdn] }],
    ["an icon in a data URL", '<link rel="icon" href="data:,"/>', {}],
    ["a form of the page's origin", '<form method="post" action="/u/login"></form>', {}],
    ["a form of any origin if its response redirects", `<form action="${cdn}"></form>`, { redirectsAfterSubmit: true }],
    ["text that looks like an element", "<p>&lt;img src=x onerror=run()&gt;</p>", {}],
    ["a quoted text of a style sheet that looks like an import", `<style nonce="n0nce">p{content:'@import url(a)'}</style>`, {}],
    ["a script that contains a tag", `<script nonce="n0nce">show("<img src=x>")</script>`, { script: true }],
  ])("allows %s", (_, html, options) => {
    expect(blocked(html, options)).toEqual([]);
  });

  test.each([
    ["a script without a nonce", "<script>run()</script>", { script: true }, "script-src: inline"],
    ["a script with another nonce", '<script nonce="other">run()</script>', { script: true }, "script-src: inline"],
    ["a script of a page that names none", '<script nonce="n0nce">run()</script>', {}, "script-src: inline"],
    ["a script from a URL", `<script src="${cdn}/a.js"></script>`, { script: true }, `script-src: ${cdn}/a.js`],
    ["an event handler", '<button onclick="run()">Go</button>', { script: true }, "script-src-attr: inline"],
    ["a javascript URL", '<a href="javascript:run()">Go</a>', { script: true }, "script-src: inline"],
    ["a style sheet without a nonce", "<style>p{}</style>", {}, "style-src: inline"],
    ["a style attribute", '<p style="color:red">Hello</p>', {}, "style-src-attr: inline"],
    ["a style sheet from a URL", `<link rel="stylesheet" href="${cdn}/a.css"/>`, {}, `style-src: ${cdn}/a.css`],
    ["an imported style sheet", `<style nonce="n0nce">@import "${cdn}/a.css";</style>`, {}, `style-src: ${cdn}/a.css`],
    ["an image of another origin", `<img src="${cdn}/a"/>`, { images: ["https://other.example.test"] }, `img-src: ${cdn}/a`],
    ["an image of the page's own origin", '<img src="/a"/>', {}, "img-src: /a"],
    ["the second image of a set", `<source srcset="data:a 1x, ${cdn}/a 2x"/>`, {}, `img-src: ${cdn}/a`],
    ["an image of a style sheet", `<style nonce="n0nce">p{background:url(${cdn}/a)}</style>`, {}, `img-src: ${cdn}/a`],
    ["an icon of another origin", `<link rel="icon" href="${cdn}/a"/>`, {}, `img-src: ${cdn}/a`],
    ["a font of another origin", `<style nonce="n0nce">@font-face{src:url("${cdn}/f")}</style>`, { images: [cdn] }, `font-src: ${cdn}/f`],
    ["a form of another origin", `<form action="${cdn}/"></form>`, {}, `form-action: ${cdn}/`],
    ["a button that posts to another origin", `<button formaction="${cdn}/">Go</button>`, {}, `form-action: ${cdn}/`],
    ["a frame", `<iframe src="${cdn}/"></iframe>`, {}, `frame-src: ${cdn}/`],
    ["a base URL", `<base href="${cdn}/"/>`, {}, `base-uri: ${cdn}/`],
  ])("blocks %s", (_, html, options, part) => {
    expect(blocked(html, options)).toEqual([part]);
  });
});
