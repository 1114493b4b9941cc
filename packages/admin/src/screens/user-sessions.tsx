import type { JSX } from "preact";
import { Card, EmptyState, MissingScope } from "../components/blocks.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { DataTable } from "../components/table.tsx";
import { ExactValue, Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import {
  deviceKeysSchema,
  refreshTokenPageSchema,
  sessionPageSchema,
  type ShownDeviceKey,
  type ShownRefreshToken,
  type ShownSession,
} from "../resources.ts";
import { redirectTo, ScreenNotFound, type ScreenRequest, type ScreenResult, type SubmittedForm } from "../screen.ts";
import { userAgentName } from "./user-agent-name.tsx";
import { change, read, readPart, type ReadPart } from "./read-parts.ts";
import { userTabPath, userTab } from "./user-frame.tsx";

const texts = consoleTexts.user;

/** The sessions, the refresh tokens and the keys of devices of the user. */
export const userSessionsScreen = userTab({
  tab: "sessions",
  read: async ({ api }, userId) => {
    const [sessions, tokens, keys] = await Promise.all([
      read(api, ["users", userId, "sessions"], { take: "50" }).then((body) => sessionPageSchema.parse(body).sessions),
      readPart(
        read(api, ["refresh-tokens"], { user_id: userId, take: "50" }).then((body) => refreshTokenPageSchema.parse(body).refresh_tokens),
      ),
      readPart(read(api, ["device-credentials"], { user_id: userId, type: "public_key" }).then((body) => deviceKeysSchema.parse(body))),
    ]);
    return { sessions, tokens, keys };
  },
  body: ({ sessions, tokens, keys }, request, user) => {
    const place = { request, action: userTabPath(request, user.user_id, "sessions") };
    return (
      <div class="stack">
        <SessionTable {...place} sessions={sessions} />
        <TokenTable {...place} tokens={tokens} />
        {"value" in keys && keys.value.length > 0 && <DeviceKeyTable {...place} keys={keys.value} />}
      </div>
    );
  },
  submit: submitSessions,
});

/** The request, and the URL that the forms of the tab post to. */
interface Place {
  readonly request: ScreenRequest;
  readonly action: string;
}

/** Renders the button of a row. */
function RowButton({ request, action, hidden, text, name }: Place & RowButtonProps): JSX.Element {
  return (
    <ActionButton request={request} action={action} hidden={hidden} kind="small" label={`${text} ${name}`}>
      {text}
    </ActionButton>
  );
}

interface RowButtonProps {
  readonly hidden: { readonly [name: string]: string };
  readonly text: string;
  /** The session, token or key that the button removes, for its accessible name. */
  readonly name: string;
}

function SessionTable({ sessions, ...place }: Place & { readonly sessions: readonly ShownSession[] }): JSX.Element {
  const { now, scopes } = place.request;
  const mayEnd = scopes.has("delete:sessions");
  return (
    <Card
      title={texts.sessions}
      about={texts.sessionsAbout}
      actions={
        mayEnd && sessions.length > 0 ? (
          <ActionButton {...place} hidden={{ action: "end-all" }} kind="small bad">
            {texts.endAllSessions}
          </ActionButton>
        ) : undefined
      }
    >
      {sessions.length === 0 ? (
        <EmptyState icon="users" text={texts.sessionsEmpty} />
      ) : (
        <DataTable
          caption={texts.sessions}
          rows={sessions}
          rowKey={({ id }) => id}
          columns={[
            { title: texts.device, cell: ({ device }) => userAgentName(device) },
            { title: consoleTexts.logs.ip, isTight: true, cell: ({ device }) => <ValueOrDash>{device?.last_ip}</ValueOrDash> },
            {
              title: texts.clients,
              cell: ({ clients }) => <ValueOrDash>{(clients ?? []).map((one) => one.client_id).join(", ")}</ValueOrDash>,
            },
            { title: texts.started, isTight: true, cell: (session) => <Timestamp at={session.created_at} now={now} /> },
            { title: texts.lastSeen, isTight: true, cell: (session) => <Timestamp at={session.last_interacted_at} now={now} /> },
            {
              title: "",
              isTight: true,
              cell: ({ id }) =>
                mayEnd && <RowButton {...place} hidden={{ action: "end", session: id }} text={texts.endSession} name={id} />,
            },
          ]}
        />
      )}
    </Card>
  );
}

function TokenTable({ tokens, ...place }: Place & { readonly tokens: ReadPart<readonly ShownRefreshToken[]> }): JSX.Element {
  const { now, scopes } = place.request;
  const mayRevoke = scopes.has("delete:refresh_tokens");
  if (!("value" in tokens)) {
    return (
      <Card title={texts.refreshTokens}>
        <MissingScope scopes={tokens.missingScopes} />
      </Card>
    );
  }
  return (
    <Card
      title={texts.refreshTokens}
      about={texts.refreshTokensAbout}
      actions={
        mayRevoke && tokens.value.length > 0 ? (
          <ActionButton {...place} hidden={{ action: "revoke-all" }} kind="small bad">
            {texts.revokeAllTokens}
          </ActionButton>
        ) : undefined
      }
    >
      {tokens.value.length === 0 ? (
        <EmptyState icon="apps" text={texts.refreshTokensEmpty} />
      ) : (
        <DataTable
          caption={texts.refreshTokens}
          rows={tokens.value}
          rowKey={({ id }) => id}
          columns={[
            { title: texts.client, cell: ({ client_id: id }) => <ExactValue value={id} what={texts.client} /> },
            { title: texts.device, cell: ({ device }) => userAgentName(device) },
            { title: texts.started, isTight: true, cell: (token) => <Timestamp at={token.created_at} now={now} /> },
            {
              title: texts.lastSeen,
              isTight: true,
              cell: (token) => <Timestamp at={token.last_exchanged_at} now={now} missing={consoleTexts.never} />,
            },
            {
              title: texts.expires,
              isTight: true,
              cell: (token) => <Timestamp at={token.expires_at} now={now} missing={consoleTexts.never} />,
            },
            {
              title: "",
              isTight: true,
              cell: ({ id }) =>
                mayRevoke && <RowButton {...place} hidden={{ action: "revoke", token: id }} text={texts.revokeToken} name={id} />,
            },
          ]}
        />
      )}
    </Card>
  );
}

function DeviceKeyTable({ keys, ...place }: Place & { readonly keys: readonly ShownDeviceKey[] }): JSX.Element {
  return (
    <Card title={texts.deviceKeys} about={texts.deviceKeysAbout}>
      <DataTable
        caption={texts.deviceKeys}
        rows={keys}
        rowKey={({ id }) => id}
        columns={[
          { title: texts.device, cell: ({ device_name: name, device_id: id }) => <ValueOrDash>{name || id}</ValueOrDash> },
          { title: texts.client, cell: ({ client_id: id }) => <ExactValue value={id} what={texts.client} /> },
          {
            title: "",
            isTight: true,
            cell: ({ id, device_name: name }) =>
              place.request.scopes.has("delete:device_credentials") && (
                <RowButton {...place} hidden={{ action: "forget", key: id }} text={texts.deleteDeviceKey} name={name || id} />
              ),
          },
        ]}
      />
    </Card>
  );
}

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
