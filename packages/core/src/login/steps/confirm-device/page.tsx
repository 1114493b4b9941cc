import type { ConfirmDeviceScreen } from "./step.ts";
import type { Drawing, PageParts } from "../../components/drawing.ts";
import { NotYou } from "../../components/account.tsx";
import { FormAction, Form, Name } from "../../components/form.tsx";
import { Icon } from "../../components/icons.tsx";
import { brandMark, Tile } from "../../components/marks.tsx";
import { RequestedScopes } from "../../components/requested-scopes.tsx";

/**
 * Draws the page on which the user confirms a device. No button has the focus, so that a user cannot connect a device by
 * pressing Enter accidentally.
 */
export function drawConfirmDevice({ frame, t }: Drawing, screen: ConfirmDeviceScreen): PageParts {
  const { client, account, userCode, requestedFrom, otherNetwork = false, audience = "", scopes } = screen;
  const name = <Name>{client.name}</Name>;
  const asks =
    audience === ""
      ? t.pieces("consentScopes", { client: name })
      : t.pieces("consentScopesFor", { client: name, audience: <Name>{audience}</Name> });
  return {
    title: t.text("deviceConfirmTitle", { client: client.name }),
    heading: t.pieces("deviceConfirmTitle", { client: name }),
    pictures: [client.logoUri],
    mark: (
      <div class="pair" aria-hidden="true">
        <Tile name={client.name} picture={client.logoUri} />
        <span class="link-dots" />
        <Tile {...brandMark(frame)} />
      </div>
    ),
    content: (
      <>
        <p class="lead">{t.text("deviceConfirmLead")}</p>
        <p class="user-code">
          <bdi dir="ltr">{userCode}</bdi>
        </p>
        <NotYou frame={frame} t={t} account={account} />
        {requestedFrom !== undefined && (
          <dl class="facts">
            <dt>{t.text("deviceRequestedFrom")}</dt>
            <dd>
              <bdi dir="ltr">{requestedFrom}</bdi>
            </dd>
          </dl>
        )}
        {otherNetwork && (
          <div class="problem notice">
            <Icon name="alert" />
            <p>{t.text("deviceOtherNetwork")}</p>
          </div>
        )}
        <RequestedScopes t={t} heading={asks} scopes={scopes} />
        <p class="note">{t.text("deviceConfirmNote")}</p>
        <Form frame={frame} class="answers">
          <FormAction value="connect-device">{t.text("deviceConfirmSubmit")}</FormAction>
          <FormAction value="deny" kind="second">
            {t.text("deviceConfirmDeny")}
          </FormAction>
        </Form>
      </>
    ),
  };
}
