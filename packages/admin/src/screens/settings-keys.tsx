import * as z from "zod";
import { Card, EmptyState } from "../components/blocks.tsx";
import { ConfirmCard } from "../components/confirm-page.tsx";
import { DataTable } from "../components/table.tsx";
import { ExactValue, StateBadge, Timestamp, type StateLevel } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import { redirectTo, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import { change, read } from "./read-parts.ts";
import { newForm } from "./record-form.tsx";
import { settingsRecordPage, tenantSettingsPage, tenantSettingsPath } from "./settings-frame.ts";

const texts = consoleTexts.settings.keys;

/** A signing key. */
const keySchema = z.looseObject({
  kid: z.string(),
  alg: z.string().nullish(),
  current: z.boolean().nullish(),
  next: z.boolean().nullish(),
  previous: z.boolean().nullish(),
  current_since: z.string().nullish(),
  current_until: z.string().nullish(),
  revoked: z.boolean().nullish(),
  inherited: z.boolean().nullish(),
});
type ShownKey = z.infer<typeof keySchema>;

/** Reads the signing keys in the order in which they sign. */
const readKeys = async ({ api }: ScreenRequest): Promise<readonly ShownKey[]> =>
  z.array(keySchema).parse(await read(api, ["keys", "signing"]));

function stateOf({ revoked, current, next, previous }: ShownKey): readonly [StateLevel, string] {
  if (revoked === true) return ["bad", texts.revoked];
  if (current === true) return ["good", texts.current];
  if (next === true) return ["warn", texts.next];
  return previous === true ? ["plain", texts.previous] : ["plain", texts.retired];
}

/** The signing keys on a line of time: those that sign later, the one that signs now, and those that signed before. */
const keysScreen: ConsoleScreen = {
  path: "/settings/keys",
  async show(request) {
    const { links, now, scopes } = request;
    const keys = await readKeys(request);
    return tenantSettingsPage(
      request,
      "keys",
      <Card title={texts.title} about={texts.about}>
        {keys.length === 0 ? (
          <EmptyState icon="settings" text={texts.empty} />
        ) : (
          <DataTable
            caption={texts.title}
            rows={keys}
            rowKey={({ kid }) => kid}
            columns={[
              { title: texts.kid, cell: ({ kid }) => <ExactValue value={kid} what={texts.kid} /> },
              {
                title: texts.state,
                isTight: true,
                hasLabel: false,
                cell: (key) => {
                  const [level, text] = stateOf(key);
                  return (
                    <>
                      <StateBadge level={level}>{text}</StateBadge>
                      {key.inherited === true && <StateBadge level="plain">{texts.inherited}</StateBadge>}
                    </>
                  );
                },
              },
              { title: texts.since, cell: ({ current_since: at }) => <Timestamp at={at} now={now} /> },
              { title: texts.until, cell: ({ current_until: at }) => <Timestamp at={at} now={now} /> },
              { title: texts.algorithm, isTight: true, cell: ({ alg }) => <code>{alg}</code> },
              {
                title: "",
                isTight: true,
                cell: ({ kid, revoked, inherited }) =>
                  revoked !== true &&
                  inherited !== true &&
                  scopes.has("update:signing_keys") && (
                    <a class="button small bad" href={links.to(["settings", "keys", kid, "revoke"])} aria-label={texts.revokeOf(kid)}>
                      {texts.revoke}
                    </a>
                  ),
              },
            ]}
          />
        )}
      </Card>,
      scopes.has("create:signing_keys") && scopes.has("update:signing_keys") && (
        <a class="button main" href={links.to(["settings", "keys", "rotate"])}>
          {texts.rotate}
        </a>
      ),
    );
  },
};

/** The page that rotates the signing key. Clients cache the key set, so it proposes that the new key signs a day later. */
const rotateScreen = newForm({
  path: "/settings/keys/rotate",
  title: texts.rotateTitle,
  about: texts.rotateAbout,
  needsRecentSignIn: true,
  submit: texts.rotate,
  fields: () => [
    { name: "activate_in_days", label: texts.activateIn, hint: texts.activateInHint, kind: "number", required: true },
    { name: "grace_days", label: texts.grace, hint: texts.graceHint, kind: "number", required: true },
  ],
  initial: { activate_in_days: "1", grace_days: "1" },
  page: (request, form) => tenantSettingsPage(request, "keys", form),
  create: async (request, body) => {
    await change(request.api, "POST", ["keys", "signing", "rotate"], body);
    return tenantSettingsPath(request, "keys", { done: "key-rotated" });
  },
  cancel: (request) => tenantSettingsPath(request, "keys"),
});

/** The page that revokes a signing key. */
const revokeScreen: ConsoleScreen = {
  path: "/settings/keys/:id/revoke",
  needsRecentSignIn: true,
  async show(request) {
    const { links, params } = request;
    const { id = "" } = params;
    return settingsRecordPage(
      request,
      "keys",
      { id, name: texts.key },
      <ConfirmCard
        request={request}
        title={texts.revokeTitle(id)}
        about={texts.revokeAbout}
        action={links.to(["settings", "keys", id, "revoke"])}
        confirm={texts.revoke}
        back={tenantSettingsPath(request, "keys")}
      />,
    );
  },
  async submit(request) {
    await change(request.api, "PUT", ["keys", "signing", request.params["id"] ?? "", "revoke"]);
    return redirectTo(tenantSettingsPath(request, "keys", { done: "key-revoked" }));
  },
};

/** The screens of signing keys. */
export const keyScreens: readonly ConsoleScreen[] = [keysScreen, rotateScreen, revokeScreen];
