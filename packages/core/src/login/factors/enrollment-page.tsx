import type { ComponentChildren, JSX } from "preact";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { ForAccount, type ForAccountProps } from "../components/account.tsx";
import { Address } from "../components/address.tsx";
import type { PageParts, StepDrawing } from "../components/drawing.ts";
import { FactorCodeField } from "../components/factor-code-field.tsx";
import { describedByProblem, Form, FormAction, Name, ProblemNote } from "../components/form.tsx";
import { LockedNote } from "../components/locked-note.tsx";
import { MethodRows } from "../components/method-rows.tsx";
import { SwitchChannel } from "../components/switch-channel.tsx";
import { KeyLead, WebauthnForm } from "../components/webauthn-form.tsx";
import { QrCode } from "../components/qr-code.tsx";
import { SecretText } from "../components/secret-text.tsx";
import type { AddFactorScreen } from "../steps/add-factor/step.ts";

/** The texts of the options: the name of the factor, and a hint. */
const texts = {
  totp: ["addFactorTotp", "addFactorTotpHint"],
  phone: ["addFactorPhone", "addFactorPhoneHint"],
  key: ["securityKey", "addFactorKeyHint"],
  passkey: ["securityPasskey", "newPasskeyLead"],
} as const;

/** The parts of the pages that differ if a signed-in user adds a factor. */
export interface AddFactorPlace {
  /** The text above the list of factors. Default: the tenant requires a factor. */
  readonly lead?: ComponentChildren;
  /** What the factor is for, and the account. Default: the sign-in, which the page need not say. */
  readonly about?: ForAccountProps;
  /** The button that leaves the page. `null`: none. Default: it leads to another account. */
  readonly exit?: JSX.Element | null;
}

/** Draws the pages with which a user adds a second factor. */
export function drawAddFactor(drawing: StepDrawing, screen: AddFactorScreen, place: AddFactorPlace = {}): PageParts {
  const { t } = drawing;
  const { totp, factor, frozen } = screen;
  const parts = { ...drawing, screen, exit: <OtherAccount {...drawing} />, ...place };
  if (totp !== undefined) return { title: t.text("addTotpTitle"), content: <NewTotp {...parts} totp={totp} /> };
  if (factor === "phone") return { title: t.text("addPhoneTitle"), content: <NewPhone {...parts} /> };
  if (factor === "passkey") return { title: t.text("newPasskeyTitle"), content: <NewKey {...parts} /> };
  if (factor === "webauthn-roaming") return { title: t.text("securityKey"), content: <NewKey {...parts} /> };
  if (frozen === true) return { title: t.text("securityFrozenTitle"), content: <Frozen {...parts} /> };
  return { title: t.text("addFactorTitle"), content: <Options {...parts} /> };
}

type Drawn = StepDrawing & AddFactorPlace & { readonly screen: AddFactorScreen; readonly exit: JSX.Element | null };

function Frozen({ t, exit }: Drawn) {
  return (
    <>
      <p class="lead">{t.text("addFactorFrozen")}</p>
      <div class="others">{exit}</div>
    </>
  );
}

function Options({ frame, t, problem, screen, lead, about, exit }: Drawn) {
  const rows = screen.options.map((factor) => {
    const [name, hint] = texts[keyOf(factor)];
    const isCall = factor === "phone" && screen.channel === "voice";
    return { factor, name: t.text(isCall ? "addFactorCall" : name), detail: t.text(hint) };
  });
  return (
    <>
      <p class="lead">{lead ?? t.pieces("addFactorLead", { tenant: <Name>{frame.tenantName}</Name> })}</p>
      {about && <ForAccount {...about} />}
      <ProblemNote frame={frame} t={t} problem={problem} />
      <MethodRows frame={frame} action="choose-new-factor" rows={rows} />
      <div class="others">{exit}</div>
    </>
  );
}

function keyOf(type: FactorType): keyof typeof texts {
  return type === "totp" || type === "phone" || type === "passkey" ? type : "key";
}

/**
 * The QR code is hidden on phones, which cannot scan their own screen. The field has no focus at first, because the user
 * must add the key to the app before.
 */
function NewTotp({ frame, t, problem, screen, totp, about, exit }: Drawn & { readonly totp: NonNullable<AddFactorScreen["totp"]> }) {
  return (
    <>
      <p class="lead">{t.text("addTotpLead")}</p>
      {about && <ForAccount {...about} />}
      <div class="scan">
        <p>{t.text("addTotpScan")}</p>
        <QrCode value={totp.uri} label={t.text("addTotpQr")} />
      </div>
      <a class="button second" href={totp.uri}>
        {t.text("addTotpOpen")}
      </a>
      <p class="manual">{t.text("addTotpManual")}</p>
      <SecretText t={t} value={totp.secret} label={t.text("addTotpManual")} copyLabel={t.text("addTotpCopy")} />
      <LockedNote frame={frame} t={t} problem={problem} lockedUntil={screen.lockedUntil} />
      <Confirm frame={frame} t={t} problem={problem} screen={screen} hasFocus={problem !== undefined} />
      <div class="others">
        <Back frame={frame} t={t} screen={screen} />
        {exit}
      </div>
    </>
  );
}

function NewPhone(drawing: Drawn) {
  const { frame, t, problem, screen, about, exit } = drawing;
  const { sentTo, resendIn = 0, channel, otherChannel, lockedUntil } = screen;
  const isCall = channel === "voice";
  const canResend = sentTo !== undefined && lockedUntil === undefined;
  return (
    <>
      <p class="lead">
        {sentTo === undefined
          ? t.text(isCall ? "addCallLead" : "addPhoneLead")
          : t.pieces(isCall ? "factorLeadCalled" : "factorLeadPhone", { address: <Address>{sentTo}</Address> })}
      </p>
      {about && <ForAccount {...about} />}
      <LockedNote frame={frame} t={t} problem={problem} lockedUntil={lockedUntil} />
      {sentTo === undefined ? <PhoneForm {...drawing} /> : <Confirm frame={frame} t={t} problem={problem} screen={screen} />}
      <div class="others">
        {canResend && (
          <Form frame={frame}>
            <FormAction value="send-new-factor-code" kind="small" waits={resendIn}>
              {t.text(isCall ? "factorCallAgain" : "codeResend")}
            </FormAction>
          </Form>
        )}
        {canResend && <SwitchChannel frame={frame} t={t} action="send-new-factor-code" channel={otherChannel} />}
        <Back frame={frame} t={t} screen={screen} />
        {exit}
      </div>
    </>
  );
}

function NewKey({ frame, t, problem, screen, about, exit }: Drawn) {
  return (
    <>
      {screen.factor === "passkey" ? <p class="lead">{t.text("newPasskeyLead")}</p> : <KeyLead text={t.text("webauthnAddLead")} />}
      {about && <ForAccount {...about} />}
      <ProblemNote frame={frame} t={t} problem={problem} />
      <WebauthnForm frame={frame} t={t} action="confirm-key" publicKey={screen.publicKey} />
      <div class="others">
        <Back frame={frame} t={t} screen={screen} />
        {exit}
      </div>
    </>
  );
}

function PhoneForm({ frame, t, problem, screen: { channel, rejectedPhone } }: Drawn) {
  const { "aria-describedby": problemId, ...invalid } = describedByProblem(problem, "phone");
  return (
    <Form frame={frame}>
      <div class="field">
        <label for="phone">{t.text("addPhoneLabel")}</label>
        <input
          id="phone"
          name="phone"
          class="input"
          type="tel"
          autocomplete="tel"
          enterkeyhint="go"
          dir="ltr"
          maxlength={100}
          value={rejectedPhone}
          required
          data-missing={t.text("phoneMalformed")}
          autofocus
          {...invalid}
          aria-describedby={problemId === undefined ? "phone-hint" : `${problemId} phone-hint`}
        />
        <p class="hint" id="phone-hint">
          {t.text("addPhoneHint")}
        </p>
      </div>
      <FormAction value="enter-phone">{t.text(channel === "voice" ? "factorUseCall" : "factorSend")}</FormAction>
    </Form>
  );
}

interface ConfirmProps extends StepDrawing {
  readonly screen: AddFactorScreen;
  readonly hasFocus?: boolean;
}

function Confirm({ frame, t, problem, screen: { validFor, lockedUntil }, hasFocus = true }: ConfirmProps) {
  const isLocked = lockedUntil !== undefined;
  const label = t.text("factorCodeLabel");
  return (
    <Form frame={frame}>
      <FactorCodeField t={t} label={label} validFor={validFor} hasFocus={hasFocus} problem={problem} disabled={isLocked} />
      <FormAction value="confirm-new-factor" disabled={isLocked}>
        {t.text("factorSubmit")}
      </FormAction>
    </Form>
  );
}

/** Leads back to the list of factors, or to the form for another number. */
function Back({ frame, t, screen }: Pick<Drawn, "frame" | "t" | "screen">) {
  if (screen.options.length < 2 && screen.sentTo === undefined) return null;
  return (
    <Form frame={frame}>
      <FormAction value="other-new-factor" kind="small">
        {t.text("addFactorBack")}
      </FormAction>
    </Form>
  );
}

function OtherAccount({ frame, t }: Pick<Drawn, "frame" | "t">) {
  return (
    <Form frame={frame}>
      <FormAction value="other-account" kind="small">
        {t.text("codeChangeReset")}
      </FormAction>
    </Form>
  );
}
