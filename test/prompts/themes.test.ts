import { beforeEach, describe, expect, test } from "vitest";
import { sampleTheme } from "../../packages/core/test/sample-theme.ts";
import { jsonBody } from "../support/api.ts";
import { sendAuthorization, loginState, openService, type LoginService } from "../support/flow.ts";

const { themeId: _, ...theme } = sampleTheme;
const path = "/api/v2/branding/themes";

let service: LoginService;
beforeEach(async () => {
  service = await openService();
});

/** Returns the first login page: its Content-Security-Policy, its style sheet and its HTML. */
async function loginPage(asked = {}): Promise<{ readonly policy: string; readonly style: string; readonly html: string }> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web, asked));
  const page = await browser.get(`/u/login?${new URLSearchParams({ state })}`);
  const html = await page.text();
  return { html, policy: page.headers.get("content-security-policy") ?? "", style: /<style[^>]*>([^<]*)<\/style>/.exec(html)?.[1] ?? "" };
}

const create = async (change = {}) => jsonBody(await service.manage("POST", path, { ...theme, ...change }));

describe("a branding theme", () => {
  test("applies to the next page, whose Content-Security-Policy allows the theme's images and font", async () => {
    const plain = await loginPage();
    expect(plain.policy).not.toContain("font-src");
    expect(plain.style).not.toContain("@font-face");
    const { themeId } = await create();
    const { policy, style, html } = await loginPage();
    expect(policy).toContain("img-src data: https://pictures.example.test;");
    expect(policy).toContain("font-src https://pictures.example.test;");
    expect(html).toContain('src="https://pictures.example.test/harvest.png"');
    for (const property of [
      "--primary:#7a2048",
      "--on-primary:#fff4d6",
      "--page:#f3e2d0",
      "--surface:#fffdf7",
      '@font-face{font-family:Own;src:url("https://pictures.example.test/letters.woff2");font-display:swap}',
      '--backdrop:url("https://pictures.example.test/field.png") center/cover fixed',
      "--button-radius:1.5rem",
      "--input-radius:2px",
      "--card-shadow:none",
      "--reference:106.25%",
      "--title-size:1.4rem",
      "--place:left",
      "--logo-align:center",
    ])
      expect(style).toContain(property);
    expect(await service.manage("DELETE", `${path}/${String(themeId)}`)).toMatchObject({ status: 204 });
    expect((await loginPage()).style).toBe(plain.style);
  });

  test("takes precedence over the branding settings, which supply what the theme omits", async () => {
    const logo = "https://cdn.example.test/logo.png";
    await service.manage("PATCH", "/api/v2/branding", {
      logo_url: logo,
      colors: { primary: "#0000ff" },
      font: { url: "https://cdn.example.test/f.woff2" },
    });
    expect((await loginPage()).policy).toContain("font-src https://cdn.example.test;");
    const { fonts, widget } = theme;
    await create({ fonts: { ...fonts, font_url: "" }, widget: { ...widget, logo_url: "", logo_position: "none" } });
    const { html, style, policy } = await loginPage();
    expect(html).toContain(`src="${logo}"`);
    expect(style).toContain("--primary:#7a2048");
    expect(style).toContain("--logo-display:none");
    expect(policy).toContain("font-src https://cdn.example.test;");
  });

  test("cannot make texts unreadable or edges invisible", async () => {
    const { fonts, borders, colors } = theme;
    const none = { bold: false, size: 0 };
    await create({
      fonts: { ...fonts, body_text: none, buttons_text: none },
      borders: { ...borders, input_border_weight: 0, button_border_weight: 0 },
      colors: { ...colors, primary_button_label: colors.primary_button, body_text: colors.widget_background },
    });
    const { style } = await loginPage();
    for (const property of [
      "--body-size:0.75rem",
      "--button-size:0.75rem",
      "--input-edge:1px",
      "--button-edge:1px",
      "--on-primary:#ffffff",
    ])
      expect(style).toContain(property);
    expect(style).not.toContain("--text:#fffdf7");
  });

  test("has its URLs escaped in the style sheet", async () => {
    const evil = `https://pictures.example.test/?'")};@import url(//evil.example.test)#')</style><script>alert(1)</script>`;
    const { fonts, page_background } = theme;
    await create({ fonts: { ...fonts, font_url: evil }, page_background: { ...page_background, background_image_url: evil } });
    const { html, style } = await loginPage();
    expect(html).not.toContain("<script>alert");
    const escaped = String.raw`url\("https://pictures\.example\.test/[^"'()<>\s\\]*"\)`;
    expect(style).toMatch(new RegExp(`src:${escaped};font-display`));
    expect(style).toMatch(new RegExp(`--backdrop:${escaped} center`));
  });

  test("loads no font from a URL with credentials", async () => {
    const font_url = "https://user:secret@pictures.example.test/f.woff2";
    await create({ fonts: { ...theme.fonts, font_url } });
    const { policy, style } = await loginPage();
    expect([policy.includes("font-src"), style.includes("@font-face")]).toEqual([false, false]);
  });

  test("is overridden by an organization's branding", async () => {
    await create();
    const branding = { colors: { primary: "#004488", page_background: "#ddeeff" } };
    const { id } = await service.manage.create("/api/v2/organizations", { name: "guild", branding });
    await service.manage("PATCH", `/api/v2/clients/${service.web.clientId}`, { organization_usage: "allow" });
    const { style } = await loginPage({ organization: id });
    for (const property of ["--primary:#004488", "--page:#ddeeff", "--surface:#fffdf7"]) expect(style).toContain(property);
    expect(style).not.toContain("field.png");
  });
});
