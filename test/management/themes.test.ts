import { beforeEach, describe, expect, test } from "vitest";
import { sampleTheme } from "../../packages/core/test/sample-theme.ts";
import { expectError, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

const path = "/api/v2/branding/themes";
const { themeId: _, ...theme } = sampleTheme;

let service: TestPostern;
let manage: Manager;
beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

const create = async (body: object = theme) => jsonBody(await manage("POST", path, body));
const expectNoTheme = async (target = `${path}/default`, caller = manage): Promise<void> => {
  expect(expectError(await caller("GET", target), 404, "not_found")).toMatchObject({ errorCode: "theme_not_found" });
};

describe("the branding theme", () => {
  test("does not exist by default, and can be created once, replaced and deleted without changes to the branding", async () => {
    await expectNoTheme();
    await manage("PATCH", "/api/v2/branding", { logo_url: "https://cdn.example.test/logo.png" });
    const made = await create();
    expect(made).toEqual({ themeId: expect.stringMatching(/^[a-zA-Z0-9]{32}$/), ...theme });
    expect(jsonBody(await manage("GET", `${path}/default`))).toEqual(made);
    const themePath = `${path}/${stringMember(made, "themeId")}`;
    expect(jsonBody(await manage("GET", themePath))).toEqual(made);
    expectError(await manage("POST", path, theme), 409, "conflict", "already has a theme");
    await expectNoTheme(`${path}/${"x".repeat(32)}`);

    const { displayName: __, ...unnamed } = theme;
    const widget = { ...theme.widget, logo_position: "none" };
    expect(jsonBody(await manage("PATCH", themePath, { ...unnamed, widget }))).toEqual({ ...made, widget });
    await manage("PATCH", "/api/v2/branding", { colors: { primary: "#123456" } });
    expect(jsonBody(await manage("GET", "/api/v2/branding"))).toEqual({
      logo_url: "https://cdn.example.test/logo.png",
      colors: { primary: "#123456" },
    });
    expect(jsonBody(await manage("GET", themePath))).toEqual({ ...made, widget });

    const other = await managerOf(service, "other");
    await expectNoTheme(`${path}/default`, other);
    await expectNoTheme(themePath, other);
    expectError(await other("DELETE", themePath), 404, "not_found");
    expectError(await other("PATCH", themePath, theme), 404, "not_found");
    expect(await manage("DELETE", themePath)).toMatchObject({ status: 204 });
    expectError(await manage("DELETE", themePath), 404, "not_found");
    await expectNoTheme();
    expect(jsonBody(await manage("GET", "/api/v2/branding"))).toMatchObject({ colors: { primary: "#123456" } });
  });

  test("is created once by parallel requests", async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => manage("POST", path, theme)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
  });

  const { borders, colors, fonts, page_background, widget } = theme;
  test.each([
    [{ ...theme, borders: { ...borders, button_border_radius: 0 } }, "'borders.button_border_radius'"],
    [{ ...theme, borders: { ...borders, buttons_style: "round" } }, "'borders.buttons_style'"],
    [{ ...theme, colors: { ...colors, header: "red" } }, "'colors.header'"],
    [{ ...theme, colors: { ...colors, header: "#fff}</style><script>" } }, "'colors.header'"],
    [{ ...theme, colors: { ...colors, header: undefined } }, "'colors.header'"],
    [{ ...theme, fonts: { ...fonts, font_url: "http://cdn.example.test/f.woff2" } }, "'fonts.font_url'"],
    [{ ...theme, fonts: { ...fonts, title: { bold: true, size: 74 } } }, "'fonts.title.size'"],
    [{ ...theme, fonts: { ...fonts, reference_text_size: 25 } }, "'fonts.reference_text_size'"],
    [
      { ...theme, page_background: { ...page_background, background_image_url: "javascript:alert(1)" } },
      "'page_background.background_image_url'",
    ],
    [{ ...theme, widget: { ...widget, logo_url: "data:image/png;base64,AAAA" } }, "'widget.logo_url'"],
    [{ ...theme, widget: { ...widget, logo_height: 101 } }, "'widget.logo_height'"],
    [{ ...theme, displayName: "<b>" }, "'displayName'"],
    [{ ...theme, themeId: sampleTheme.themeId }, "'themeId'"],
    [{ borders, colors, fonts, widget }, "'page_background'"],
  ])("cannot be %j", async (body, error) => {
    expectError(await manage("POST", path, body), 400, "invalid_request", error);
    await expectNoTheme();
  });
});
