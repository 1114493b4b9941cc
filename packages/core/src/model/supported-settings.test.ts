import * as z from "zod";
import { expect, test } from "vitest";
import { fact, storedOnly, storedOnlyFields } from "./settings.ts";
import { listResourceSettings, settingsOf } from "./supported-settings.ts";

test("settingsOf finds settings in objects, arrays, unions and references, and ignores facts and constants", () => {
  const itemSchema = z.strictObject({ on: z.boolean(), note: storedOnly(z.string(), "Never shown") }).meta({ id: "SettingsTestItem" });
  const resourceSchema = z.strictObject({
    id: fact(z.string()),
    label: fact(z.string()).exactOptional(),
    always: z.literal(true),
    items: z.array(itemSchema).nullable(),
    choice: z.union([z.string(), z.strictObject({ mode: z.string() })]),
    ...storedOnlyFields({ old: z.strictObject({ member: z.string() }) }),
  });
  expect(settingsOf(resourceSchema)).toEqual([
    { path: "items.on", isStoredOnly: false },
    { path: "items.note", isStoredOnly: true, description: "Never shown" },
    { path: "choice", isStoredOnly: false },
    { path: "choice.mode", isStoredOnly: false },
    { path: "old", isStoredOnly: true },
  ]);
});

test.each(["Options of a SAML provider (strategy `samlp`)", "Options of any other strategy", "Partials of a prompt"])(
  "%s: no setting is supported",
  (title) => {
    const settings = listResourceSettings().find((each) => each.title === title);
    expect(settings?.supported).toEqual([]);
    expect(settings?.storedOnly.map(({ path }) => path)).toEqual([""]);
  },
);
