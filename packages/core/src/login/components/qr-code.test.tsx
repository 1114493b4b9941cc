import { render } from "preact-render-to-string";
import { encode } from "uqr";
import { expect, test } from "vitest";
import { totpUri } from "../../identity/factors/totp.ts";
import { QrCode } from "./qr-code.tsx";

const value = totpUri({ issuer: "Acme", account: "ann@example.com", secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" });

/** Reads the dark modules of a rendered code, as `x,y`. */
function darkModules(svg: string): ReadonlySet<string> {
  return new Set(Array.from(svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g), ([, x, y]) => `${x},${y}`));
}

test("a QR code is an image with a name, without scripts, styles and references", () => {
  const svg = render(<QrCode value={value} label={'Code for "Acme" <b>'} />);
  expect(svg).toMatch(/^<svg [^>]*role="img"/);
  expect(svg).toContain('aria-label="Code for &quot;Acme&quot; &lt;b>"');
  expect(svg).not.toMatch(/<script|style=|href|url\(/);
});

test("a QR code has the modules of its text, and a light border of four modules", () => {
  const svg = render(<QrCode value={value} label="Code" />);
  const { size, data } = encode(value, { ecc: "M", border: 0 });
  expect(svg).toContain(`viewBox="0 0 ${size + 8} ${size + 8}"`);
  const expected = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x + 4},${y + 4}`] : [])));
  expect(darkModules(svg)).toEqual(new Set(expected));
});

test("a QR code has the three patterns by which cameras find it", () => {
  const dark = darkModules(render(<QrCode value={value} label="Code" />));
  const { size } = encode(value, { ecc: "M", border: 0 });
  for (const [left, top] of [
    [4, 4],
    [size - 3, 4],
    [4, size - 3],
  ] as const) {
    for (let i = 0; i < 7; i++) {
      const [above, below, inner] = [`${left + i},${top}`, `${left + i},${top + 6}`, `${left + 3},${top + 3}`];
      expect([dark.has(above), dark.has(below), dark.has(inner)]).toEqual([true, true, true]);
    }
  }
});

test("the longest URI of an authenticator app fits in a QR code", () => {
  const longest = totpUri({ issuer: "🌍".repeat(300), account: "🌍".repeat(300), secret: "A".repeat(204) });
  expect(() => render(<QrCode value={longest} label="Code" />)).not.toThrow();
});
