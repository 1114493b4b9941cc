import * as z from "zod";
import { Card, FactList } from "../components/blocks.tsx";
import { StateBadge, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ConsoleScreen, ScreenRequest } from "../screen.ts";
import { textsOfRecord, type FormField } from "./form-fields.ts";
import { change, read } from "./read-parts.ts";
import { editForm } from "./record-form.tsx";
import { tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.protection;

/** The names of the protections in the Management API, with the fields that operators change. */
const protections: { readonly [name: string]: { readonly title: string; readonly about: string; readonly fields: readonly FormField[] } } =
  {
    "brute-force-protection": {
      title: texts.bruteForce,
      about: texts.bruteForceAbout,
      fields: [
        { name: "enabled", label: texts.enabled, kind: "switch" },
        { name: "max_attempts", label: texts.attempts, kind: "number", required: true },
        { name: "allowlist", label: texts.allowlist, hint: texts.allowlistHint, kind: "lines" },
      ],
    },
    "suspicious-ip-throttling": {
      title: texts.addresses,
      about: texts.addressesAbout,
      fields: [
        { name: "enabled", label: texts.enabled, kind: "switch" },
        { name: "allowlist", label: texts.allowlist, hint: texts.allowlistHint, kind: "lines" },
      ],
    },
    "breached-password-detection": {
      title: texts.breached,
      about: texts.breachedAbout,
      fields: [{ name: "enabled", label: texts.enabled, kind: "switch" }],
    },
  };

const protectionSchema = z.looseObject({ enabled: z.boolean().nullish() });

const readProtection = async ({ api }: ScreenRequest, name: string) => protectionSchema.parse(await read(api, ["attack-protection", name]));

/** The protection against attacks. */
const protectionScreen: ConsoleScreen = {
  path: "/settings/protection",
  async show(request) {
    const { links, scopes } = request;
    const shown = await Promise.all(
      Object.entries(protections).map(async ([name, kind]) => ({ name, ...kind, record: await readProtection(request, name) })),
    );
    return tenantSettingsPage(
      request,
      "protection",
      <div class="stack">
        {shown.map(({ name, title, about, fields, record }) => {
          const values = textsOfRecord(fields, record);
          return (
            <Card
              key={name}
              title={title}
              about={about}
              actions={
                scopes.has("update:attack_protection") && (
                  <a class="button small" href={links.to(["settings", "protection", name])} aria-label={`${consoleTexts.edit}: ${title}`}>
                    {consoleTexts.edit}
                  </a>
                )
              }
            >
              <FactList
                items={fields.map(({ name: field, label, kind }) => [
                  label,
                  kind === "switch" ? (
                    <StateBadge level={values[field] === "true" ? "good" : "warn"}>
                      {values[field] === "true" ? consoleTexts.yes : consoleTexts.no}
                    </StateBadge>
                  ) : (
                    <ValueOrDash>{values[field]?.replaceAll("\n", ", ")}</ValueOrDash>
                  ),
                ])}
              />
            </Card>
          );
        })}
      </div>,
    );
  },
};

/** The pages that change a protection. */
const editScreens = Object.entries(protections).map(([name, { title, about, fields }]) =>
  editForm({
    path: `/settings/protection/${name}`,
    title,
    about,
    needsRecentSignIn: true,
    read: (request) => readProtection(request, name),
    fields: () => fields,
    page: (request, _, form) => tenantSettingsPage(request, "protection", form),
    save: ({ api }, body) => change(api, "PATCH", ["attack-protection", name], body),
    after: (request, done) => tenantSettingsPath(request, "protection", { done }),
    cancel: (request) => tenantSettingsPath(request, "protection"),
  }),
);

/** The screens of attack protection. */
export const protectionScreens: readonly ConsoleScreen[] = [protectionScreen, ...editScreens];
