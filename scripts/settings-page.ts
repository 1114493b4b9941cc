import { storedOnlyMark, storedOnlyText } from "../packages/core/src/model/settings.ts";
import { listResourceSettings, type ResourceSettings } from "../packages/core/src/model/supported-settings.ts";

/** The settings of each resource: those that are supported and those that are stored only. */
export function settingsPage(): string {
  return `${[
    "<!-- Made by `npx pnpm@12 reference` from the schemas: do not edit. -->",
    "# Settings",
    "A setting of the Management API is either supported or stored only.\n\n" +
      "- **Supported**: the setting has the effect that its name says.\n" +
      `- **Stored only**: ${storedOnlyText[0]?.toLowerCase()}${storedOnlyText.slice(1)}. Auth0's tools write back\n` +
      "  whatever they read, so the setting is validated, stored and returned.\n\n" +
      "A value that promises a protection that Postern does not have is rejected with 400.\n" +
      `The OpenAPI document marks a stored-only setting with \`${storedOnlyMark}: true\`.`,
    ...listResourceSettings().map(section),
  ].join("\n\n")}\n`;
}

function section({ title, supported, storedOnly }: ResourceSettings): string {
  const isWhole = storedOnly.some(({ path }) => path === "");
  const notes = isWhole ? [] : storedOnly.filter(({ description }) => description !== undefined);
  return [
    `## ${title}`,
    supported.length > 0 && `Supported: ${list(supported)}.`,
    storedOnly.length > 0 && (isWhole ? "All settings are stored only." : `Stored only: ${list(storedOnly.map(({ path }) => path))}.`),
    notes.length > 0 && notes.map(({ path, description }) => `- \`${path}\`: ${description}.`).join("\n"),
  ]
    .filter((part) => part !== false)
    .join("\n\n");
}

function list(paths: readonly string[]): string {
  return paths.map((path) => `\`${path}\``).join(", ");
}
