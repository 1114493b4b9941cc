import type { JSX } from "preact";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { ForAccount, type ForAccountProps } from "../components/account.tsx";
import { Address } from "../components/address.tsx";
import type { PageParts, StepDrawing } from "../components/drawing.ts";
import { FormAction, Form, Name } from "../components/form.tsx";
import { LockedNote } from "../components/locked-note.tsx";
import { KeyLead, WebauthnForm } from "../components/webauthn-form.tsx";
import { FactorCodeField } from "../components/factor-code-field.tsx";
import { MethodRows } from "../components/method-rows.tsx";
import { SwitchChannel } from "../components/switch-channel.tsx";
import type { FactorScreen } from "../steps/factor/step.ts";

/** The texts of a factor: the title of its page, and the button that selects it. */
const texts = {
  totp: ["factorTitleTotp", "factorUseTotp"],
  phone: ["factorTitlePhone", "factorUsePhone"],
  email: ["factorTitleEmail", "factorUseEmail"],
  "recovery-code": ["factorTitleRecovery", "factorUseRecovery"],
  "webauthn-roaming": ["factorTitleKey", "factorUseKey"],
  "webauthn-platform": ["securityDevice", "securityDevice"],
  passkey: ["factorTitlePasskey", "factorUsePasskey"],
} as const satisfies { readonly [type in FactorType]: readonly [string, string] };

/** The leads of the factors that the browser requests. */
const keyLeads: ReadonlyMap<FactorType, "factorLeadKey" | "factorLeadPasskey"> = new Map([
  ["webauthn-roaming", "factorLeadKey"],
  ["webauthn-platform", "factorLeadPasskey"],
  ["passkey", "factorLeadPasskey"],
] as const);

type Drawn = StepDrawing & { readonly screen: FactorScreen };

/** The parts of the page that differ outside the login. */
export interface FactorPlace {
  /** What the factor is for, and the account. Default: the sign-in, which the page need not say. */
  readonly about?: ForAccountProps;
  /** The button that leaves the page. `null`: none. Default: it leads to another account. */
  readonly exit?: JSX.Element | null;
}

/** Draws the page that asks for a second factor. */
export function drawFactor(drawing: StepDrawing, screen: FactorScreen, { about, exit }: FactorPlace = {}): PageParts {
  const { frame, t, problem } = drawing;
  const { factor, others, destinations = [], sent, resendIn, channel, otherChannel, lockedUntil } = screen;
  const isLocked = lockedUntil !== undefined;
  const isCall = factor === "phone" && channel === "voice";
  const mustSend = (factor === "phone" || factor === "email") && sent !== true;
  const useText = (type: FactorType, by = channel) => (type === "phone" && by === "voice" ? "factorUseCall" : texts[type][1]);
  const rows = [factor, ...others].flatMap((type) => {
    const listed = destinations.filter((one) => one.factor === type);
    if (listed.length > 0)
      return listed.map(({ id, sentTo, channel: by }) => ({
        factor: type,
        destination: id,
        name: t.text(useText(type, by)),
        detail: sentTo,
      }));
    return type === factor ? [] : [{ factor: type, name: t.text(useText(type)) }];
  });
  return {
    title: t.text(mustSend || isCall ? "againTitle" : texts[factor][0]),
    content: (
      <>
        <FactorLead {...drawing} screen={screen} />
        {about && <ForAccount {...about} />}
        <LockedNote frame={frame} t={t} problem={problem} lockedUntil={lockedUntil} />
        {keyLeads.has(factor) ? (
          <WebauthnForm frame={frame} t={t} action="use-key" publicKey={screen.publicKey} remember={screen.remember} disabled={isLocked} />
        ) : mustSend ? (
          <Form frame={frame}>
            <FormAction value="send-factor-code" disabled={isLocked}>
              {t.text(isCall ? "factorUseCall" : "factorSend")}
            </FormAction>
          </Form>
        ) : (
          <CodeForm {...drawing} screen={screen} />
        )}
        <div class="others">
          {sent === true && !isLocked && (
            <Form frame={frame}>
              <FormAction value="send-factor-code" kind="small" waits={resendIn ?? 0}>
                {t.text(isCall ? "factorCallAgain" : "codeResend")}
              </FormAction>
            </Form>
          )}
          {!isLocked && <SwitchChannel frame={frame} t={t} action="send-factor-code" channel={otherChannel} />}
          {exit === undefined ? (
            <Form frame={frame}>
              <FormAction value="other-account" kind="small">
                {t.text("codeChangeReset")}
              </FormAction>
            </Form>
          ) : (
            exit
          )}
        </div>
        {rows.length > 0 && (
          <section class="ways">
            <h2>{t.text("factorOthers")}</h2>
            <MethodRows frame={frame} action="choose-factor" rows={rows} />
          </section>
        )}
      </>
    ),
  };
}

function CodeForm({ frame, t, problem, screen: { factor, validFor, remember, lockedUntil } }: Drawn) {
  const isRecovery = factor === "recovery-code";
  const isLocked = lockedUntil !== undefined;
  return (
    <Form frame={frame}>
      <FactorCodeField
        t={t}
        label={t.text(isRecovery ? "factorRecoveryLabel" : "factorCodeLabel")}
        isText={isRecovery}
        validFor={validFor}
        problem={problem}
        disabled={isLocked}
      />
      {remember !== undefined && (
        <label class="check">
          <input type="checkbox" name="remember" value="true" checked={remember} disabled={isLocked} />
          <span>{t.text("factorRemember")}</span>
        </label>
      )}
      <FormAction value="enter-factor-code" disabled={isLocked}>
        {t.text("factorSubmit")}
      </FormAction>
    </Form>
  );
}

function FactorLead({ frame, t, screen: { factor, sentTo, sent, channel } }: Drawn) {
  if (sentTo !== undefined) {
    const address = <Address>{sentTo}</Address>;
    if (factor === "phone" && channel === "voice")
      return <p class="lead">{t.pieces(sent === true ? "factorLeadCalled" : "factorLeadCall", { address })}</p>;
    const sentLead = factor === "email" ? "factorLeadEmail" : "factorLeadPhone";
    return <p class="lead">{t.pieces(sent === true ? sentLead : "factorLeadSend", { address })}</p>;
  }
  if (factor === "totp") return <p class="lead">{t.pieces("factorLeadTotp", { tenant: <Name>{frame.tenantName}</Name> })}</p>;
  const keyLead = keyLeads.get(factor);
  return keyLead === undefined ? <p class="lead">{t.text("factorLeadRecovery")}</p> : <KeyLead text={t.text(keyLead)} />;
}
