import { Card, NoticeBox } from "../components/blocks.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { consoleTexts } from "../console-texts.ts";
import { ManagementError } from "../management-error.ts";
import { shownRoleSchema } from "../resources.ts";
import { rolePresets } from "../role-presets.ts";
import { redirectTo, ScreenNotFound, type ConsoleScreen, type ScreenPage, type ScreenRequest } from "../screen.ts";
import { change } from "./read-parts.ts";

const texts = consoleTexts.roles;

const presetsPath = ({ links }: ScreenRequest): string => links.to(["roles", "presets"]);

/** Returns the scopes that a preset needs and the operator lacks. An operator can grant only scopes that the operator has. */
function lackingScopes({ scopes: held }: ScreenRequest, scopes: readonly string[]): readonly string[] {
  return ["create:roles", "update:roles", ...scopes].filter((scope) => !held.has(scope));
}

function presetsPage(request: ScreenRequest, fault?: string): ScreenPage {
  return {
    title: texts.presets,
    section: "roles",
    trail: [{ text: texts.title, href: request.links.to(["roles"]) }],
    body: (
      <div class="stack">
        {fault !== undefined && <NoticeBox level="bad">{`${consoleTexts.errors.rejected} ${fault}`}</NoticeBox>}
        <p>{texts.presetsAbout}</p>
        {Object.entries(rolePresets).map(([id, { name, description, scopes }]) => {
          const lacking = lackingScopes(request, scopes);
          return (
            <Card key={id} title={name} about={description}>
              <div class="in stack">
                <details>
                  <summary>{texts.presetScopes(scopes.length)}</summary>
                  <ul>
                    {scopes.map((scope) => (
                      <li key={scope}>
                        <code>{scope}</code>
                      </li>
                    ))}
                  </ul>
                </details>
                {lacking.length === 0 ? (
                  <ActionButton request={request} action={presetsPath(request)} hidden={{ preset: id }} label={texts.createPreset(name)}>
                    {texts.createPreset(name)}
                  </ActionButton>
                ) : (
                  <p class="hint">
                    {texts.presetLacking} <code>{lacking.slice(0, 3).join(", ")}</code>
                    {lacking.length > 3 && ` ${consoleTexts.errors.furtherScopes(lacking.length - 3)}`}
                  </p>
                )}
              </div>
            </Card>
          );
        })}
      </div>
    ),
  };
}

/** Adds the permissions to a new role. If this fails, deletes the role, because an empty role would block a retry. */
async function addPermissions(api: ScreenRequest["api"], role: string, permissions: readonly object[]): Promise<void> {
  try {
    await change(api, "POST", ["roles", role, "permissions"], { permissions });
  } catch (error) {
    // The operator may lack `delete:roles`. The first error is the one to show.
    await change(api, "DELETE", ["roles", role]).catch(() => undefined);
    throw error;
  }
}

/** The page that creates a role for operators from a preset. */
export const rolePresetsScreen: ConsoleScreen = {
  path: "/roles/presets",
  needsRecentSignIn: true,
  show: (request) => presetsPage(request),
  async submit(request, form) {
    const { api, issuer, links } = request;
    const id = form.get("preset") ?? "";
    const preset = Object.hasOwn(rolePresets, id) ? rolePresets[id] : undefined;
    if (preset === undefined) throw new ScreenNotFound();
    const { name, description, scopes } = preset;
    // Before the role is created, so that no role without permissions is left.
    const missingScopes = lackingScopes(request, scopes);
    if (missingScopes.length > 0)
      throw new ManagementError(texts.presetLacking, { status: 403, code: "insufficient_scope", missingScopes, requestId: undefined });
    const permissions = scopes.map((scope) => ({ resource_server_identifier: `${issuer}api/v2/`, permission_name: scope }));
    try {
      const role = shownRoleSchema.parse(await change(api, "POST", ["roles"], { name, description }));
      await addPermissions(api, role.id, permissions);
      return redirectTo(links.to(["roles", role.id], { done: "role-created" }));
    } catch (error) {
      if (!(error instanceof ManagementError && [400, 409].includes(error.status))) throw error;
      return { ...presetsPage(request, error.message), status: 400 };
    }
  },
};
