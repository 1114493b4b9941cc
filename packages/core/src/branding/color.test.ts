import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contrast, darkened, hex, inDarkMode, luminance, mix, parseColor, pressed, readable, textOn, type Color } from "./color.ts";
import { sampleTheme } from "../../test/sample-theme.ts";
import { themeCss } from "./theme.ts";

const channel = fc.integer({ min: 0, max: 255 });
const color: fc.Arbitrary<Color> = fc.tuple(channel, channel, channel);

/** Returns a theme with the given colors. */
function themeWith(colors: readonly string[]): typeof sampleTheme {
  const named = Object.keys(sampleTheme.colors).map((name, index) => [name, colors[index]]);
  return { ...sampleTheme, colors: { ...sampleTheme.colors, ...Object.fromEntries(named) } };
}

test("parses only #rgb and #rrggbb, with or without opacity", () => {
  expect(parseColor("#0aF")).toEqual([0, 170, 255]);
  expect(parseColor("#102030")).toEqual([16, 32, 48]);
  // A color with opacity is mixed with the color below it.
  expect(parseColor("#00000080")).toEqual([127, 127, 127]);
  expect(parseColor("#f000", [1, 2, 3])).toEqual([1, 2, 3]);
  const others = [
    undefined,
    "",
    "red",
    "#12",
    "#12345",
    "#1234567",
    "#123456789",
    "#ggg",
    " #fff",
    "#fff ",
    "#fff\n",
    "#fff;}",
    "rgb(0,0,0)",
    "#fff}</style>",
  ];
  for (const text of others) expect(parseColor(text), text).toBeUndefined();
  fc.assert(
    fc.property(color, (any) => {
      expect(parseColor(hex(any))).toEqual(any);
    }),
  );
});

test("computes the contrast ratio that WCAG 2.2 defines", () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.478, 2);
  fc.assert(
    fc.property(color, color, (a, b) => {
      expect(contrast(a, b)).toBe(contrast(b, a));
      expect(contrast(a, b)).toBeGreaterThanOrEqual(1);
    }),
  );
});

test("text on any color is readable, even on a button that is being pressed", () => {
  fc.assert(
    fc.property(color, (background) => {
      const text = textOn(background);
      expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(text, pressed(background))).toBeGreaterThanOrEqual(contrast(text, background) - 0.1);
      expect(contrast(text, pressed(background))).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test("changes a brand's color only as far as needed to make it readable", () => {
  const white: Color = [255, 255, 255];
  expect(readable([0, 80, 0], white, 4.5)).toEqual([0, 80, 0]);
  fc.assert(fc.property(color, fc.constantFrom(3, 4.5, 7), (any, ratio) => contrast(readable(any, white, ratio), white) >= ratio));
  const surface: Color = [27, 30, 36];
  fc.assert(fc.property(color, (any) => contrast(inDarkMode(any, surface), surface) >= 3));
  fc.assert(fc.property(color, (any) => luminance(darkened(any)) <= 0.007));
});

describe("the theme of any brand", () => {
  const pairs = [
    ["text", "surface"],
    ["text", "quiet"],
    ["text", "field"],
    ["text", "tint"],
    ["muted", "surface"],
    ["muted", "quiet"],
    ["danger", "danger-tint"],
    ["link", "surface"],
    ["link", "quiet"],
    ["link", "tint"],
    ["title", "surface"],
    ["label", "surface"],
    ["typed", "field"],
    ["second-text", "surface"],
    ["second-text", "quiet"],
    ["on-primary", "primary"],
    ["on-primary", "primary-pressed"],
  ] as const;
  const edges = [
    ["focus", "surface"],
    ["focus", "field"],
    ["danger", "surface"],
    ["primary-line", "surface"],
    ["field-line", "surface"],
    ["field-line", "field"],
    ["good", "good-tint"],
    ["icon", "surface"],
    ["icon", "quiet"],
    ["icon", "field"],
    ["second-line", "surface"],
  ] as const;

  test("has sufficient contrast for every text and edge", () => {
    fc.assert(
      fc.property(
        color,
        color,
        fc.option(fc.array(color, { minLength: 20, maxLength: 20 }), { nil: undefined }),
        (primary, page, colors) => {
          const theme = colors && { theme: themeWith(colors.map(hex)) };
          const css = themeCss({ primaryColor: hex(primary), pageBackground: hex(page), ...theme });
          for (const mode of css.split("@media")) {
            const value = (name: string): Color => {
              const found = parseColor(new RegExp(`--${name}:(#[0-9a-f]+)`).exec(mode)?.[1]);
              if (found === undefined) throw new Error(`no color --${name}`);
              return found;
            };
            for (const [text, ground] of pairs)
              expect(contrast(value(text), value(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
            for (const [edge, ground] of edges)
              expect(contrast(value(edge), value(ground)), `${edge} on ${ground}`).toBeGreaterThanOrEqual(3);
          }
        },
      ),
    );
  });

  test("has the colors that the tenant chose if they are readable, on light and dark surfaces", () => {
    const css = themeCss({ theme: sampleTheme });
    for (const property of ["--surface:#fffdf7", "--title:#401020", "--field:#ffffff", "--card-line:#e0c0c0", "--second-text:#203060"])
      expect(css).toContain(property);
    // A dark theme has the same colors in light mode and in dark mode.
    const night = themeCss({ theme: { ...sampleTheme, colors: { ...sampleTheme.colors, widget_background: "#101820" } } });
    expect(night.match(/--surface:#101820/g)).toHaveLength(2);
    expect(night).toContain("color-scheme:dark;");
    // No text color is readable on middle grey.
    expect(themeCss({ theme: { ...sampleTheme, colors: { ...sampleTheme.colors, widget_background: "#808080" } } })).not.toContain(
      "--surface:#808080",
    );
  });

  test("has the brand's color if it is readable, and ignores invalid colors", () => {
    expect(themeCss({ primaryColor: "#123456" })).toContain("--primary:#123456");
    expect(themeCss({ primaryColor: "#123456", pageBackground: "#abc" })).toContain("--page:#aabbcc");
    const gradient = { start: "#abc", end: "#123456", angle: 35 };
    expect(themeCss({ pageBackground: gradient })).toContain("--backdrop:linear-gradient(35deg,#aabbcc,#123456) fixed");
    const evil = "url(https://evil.example.test)";
    expect(themeCss({ primaryColor: "red;}body{display:none", pageBackground: evil })).toBe(themeCss({}));
    for (const trick of [{ start: evil }, { end: evil }])
      expect(themeCss({ pageBackground: { ...gradient, ...trick } })).toBe(themeCss({}));
    expect(themeCss({ pageBackground: { ...gradient, angle: Number.NaN } })).toContain("linear-gradient(0deg,");
    expect(mix([0, 0, 0], [255, 255, 255], 0.5)).toEqual([128, 128, 128]);
  });
});
