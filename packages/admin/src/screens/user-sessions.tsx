import { deviceKeysSchema, refreshTokenPageSchema, sessionPageSchema } from "../resources.ts";
import { redirectTo, ScreenNotFound, type ScreenRequest, type ScreenResult, type SubmittedForm } from "../screen.ts";
import { change, pageSize, read, readPart } from "./read-parts.ts";
import { userTabPath, userTab } from "./user-frame.tsx";
import { SessionTable } from "./user-session-table.tsx";
import { DeviceKeyTable, TokenTable } from "./user-token-tables.tsx";

/** The sessions, the refresh tokens and the keys of devices of the user. */
export const userSessionsScreen = userTab({
  tab: "sessions",
  read: async ({ api }, userId) => {
    const [sessions, tokens, keys] = await Promise.all([
      read(api, ["users", userId, "sessions"], { take: String(pageSize) }).then((body) => sessionPageSchema.parse(body)),
      readPart(
        read(api, ["refresh-tokens"], { user_id: userId, take: String(pageSize) }).then((body) => refreshTokenPageSchema.parse(body)),
      ),
      readPart(read(api, ["device-credentials"], { user_id: userId, type: "public_key" }).then((body) => deviceKeysSchema.parse(body))),
    ]);
    return { sessions, tokens, keys };
  },
  body: ({ sessions, tokens, keys }, request, user) => {
    const place = { request, action: userTabPath(request, user.user_id, "sessions") };
    return (
      <div class="stack">
        <SessionTable {...place} page={sessions} />
        <TokenTable {...place} page={tokens} />
        {"value" in keys && keys.value.length > 0 && <DeviceKeyTable {...place} keys={keys.value} />}
      </div>
    );
  },
  submit: submitSessions,
});

/** The changes of the tab, by the value of the field `action`, with the name of the message after each. */
const actions: {
  readonly [action: string]: readonly [done: string, run: (request: ScreenRequest, form: SubmittedForm) => Promise<unknown>];
} = {
  end: ["session-ended", ({ api }, form) => change(api, "POST", ["sessions", form.get("session") ?? "", "revoke"])],
  "end-all": ["sessions-ended", ({ api, params }) => change(api, "DELETE", ["users", params["id"] ?? "", "sessions"])],
  revoke: ["token-revoked", ({ api }, form) => change(api, "POST", ["refresh-tokens", "revoke"], { ids: [form.get("token") ?? ""] })],
  "revoke-all": ["tokens-revoked", ({ api, params }) => change(api, "POST", ["refresh-tokens", "revoke"], { user_id: params["id"] ?? "" })],
  forget: ["key-deleted", ({ api }, form) => change(api, "DELETE", ["device-credentials", form.get("key") ?? ""])],
};

async function submitSessions(request: ScreenRequest, form: SubmittedForm): Promise<ScreenResult> {
  const name = form.get("action") ?? "";
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new ScreenNotFound();
  const [done, run] = action;
  await run(request, form);
  return redirectTo(userTabPath(request, request.params["id"] ?? "", "sessions", { done }));
}
