import { settings, shownBy, type SettingsOf } from "../packages/core/src/model/honoured-settings.ts";

/** Which settings something goes by, and which are kept for the vendor's tools. */
export function settingsPage(): string {
  return `${[
    "<!-- Made by `npx pnpm@12 reference` from the schemas: do not edit. -->",
    "# Settings",
    "A setting of the Management API does what it says, or it is kept for the vendor's tools: these write back whatever they read, so it is checked, stored and shown, and nothing goes by it.\n" +
      "A value that would promise a protection which does not exist is refused with 400. In the OpenAPI document a kept setting is marked `x-kept-for-tools`.",
    ...settings.map(section),
  ].join("\n\n")}\n`;
}

function section({ record, schema, honoured }: SettingsOf): string {
  const kept = shownBy(schema).filter((shown) => shown.kept);
  return [
    `## ${record[0]?.toUpperCase()}${record.slice(1)}`,
    Object.keys(honoured).length > 0 && `Honoured: ${list(Object.keys(honoured))}.`,
    kept.length > 0 && (kept.some(({ path }) => path === "") ? "All of them are kept." : `Kept: ${list(kept.map(({ path }) => path))}.`),
  ]
    .filter((part) => part !== false)
    .join("\n\n");
}

function list(paths: readonly string[]): string {
  return paths.map((path) => `\`${path}\``).join(", ");
}
