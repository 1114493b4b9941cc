import type { JSX } from "preact";
import { Card, EmptyState } from "../components/blocks.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { DataTable } from "../components/table.tsx";
import { Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { SessionPage } from "../resources.ts";
import { RowButton, type FormPlace } from "./row-button.tsx";
import { userAgentName } from "./user-agent-name.tsx";

const texts = consoleTexts.user;

/** Renders the sessions of a user. */
export function SessionTable({ page: { sessions, next }, ...place }: FormPlace & { readonly page: SessionPage }): JSX.Element {
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
      {next !== undefined && <p class="hint in">{texts.moreSessions(sessions.length)}</p>}
    </Card>
  );
}
