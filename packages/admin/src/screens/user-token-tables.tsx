import type { JSX } from "preact";
import { Card, EmptyState, MissingScope } from "../components/blocks.tsx";
import { ActionButton } from "../components/post-form.tsx";
import { DataTable } from "../components/table.tsx";
import { ExactValue, Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { RefreshTokenPage, ShownDeviceKey } from "../resources.ts";
import type { ReadPart } from "./read-parts.ts";
import { RowButton, type FormPlace } from "./row-button.tsx";
import { userAgentName } from "./user-agent-name.tsx";

const texts = consoleTexts.user;

/** Renders the refresh tokens of a user, or the scope that is missing to read them. */
export function TokenTable({ page, ...place }: FormPlace & { readonly page: ReadPart<RefreshTokenPage> }): JSX.Element {
  const { now, scopes } = place.request;
  const mayRevoke = scopes.has("delete:refresh_tokens");
  if (!("value" in page)) {
    return (
      <Card title={texts.refreshTokens}>
        <MissingScope scopes={page.missingScopes} />
      </Card>
    );
  }
  const { refresh_tokens: tokens, next } = page.value;
  return (
    <Card
      title={texts.refreshTokens}
      about={texts.refreshTokensAbout}
      actions={
        mayRevoke && tokens.length > 0 ? (
          <ActionButton {...place} hidden={{ action: "revoke-all" }} kind="small bad">
            {texts.revokeAllTokens}
          </ActionButton>
        ) : undefined
      }
    >
      {tokens.length === 0 ? (
        <EmptyState icon="apps" text={texts.refreshTokensEmpty} />
      ) : (
        <DataTable
          caption={texts.refreshTokens}
          rows={tokens}
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
      {next !== undefined && <p class="hint in">{texts.moreTokens(tokens.length)}</p>}
    </Card>
  );
}

/** Renders the keys of a user's devices. */
export function DeviceKeyTable({ keys, ...place }: FormPlace & { readonly keys: readonly ShownDeviceKey[] }): JSX.Element {
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
