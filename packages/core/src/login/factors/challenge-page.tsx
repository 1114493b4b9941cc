import type { JSX } from "preact";
import { ForAccount, type ForAccountProps } from "../components/account.tsx";
import type { PageParts, StepDrawing } from "../components/drawing.ts";
import { FactorCodeField } from "../components/factor-code-field.tsx";
import { Form, FormAction } from "../components/form.tsx";
import { LockedNote } from "../components/locked-note.tsx";
import { MethodRows } from "../components/method-rows.tsx";
import { SwitchChannel } from "../components/switch-channel.tsx";
import { WebauthnForm } from "../components/webauthn-form.tsx";
import type { FactorScreen } from "../steps/factor/step.ts";
import { factorPages } from "./kinds.ts";
import type { ChallengeDrawing } from "./kinds/kind.ts";

/** The parts of the page that differ outside the login. */
export interface FactorPlace {
  /** The purpose of the factor, and the account. Default: the sign-in, which the page does not name. */
  readonly about?: ForAccountProps;
  /** The button that leaves the page. `null`: none. Default: it leads to another account. */
  readonly exit?: JSX.Element | null;
}

/** Draws the page that asks for a second factor. */
export function drawFactor(drawing: StepDrawing, screen: FactorScreen, { about, exit }: FactorPlace = {}): PageParts {
  const { frame, t, problem } = drawing;
  const { factor, sent, resendIn, channel, otherChannel, lockedUntil } = screen;
  const { title, Lead } = factorPages[factor];
  const isLocked = lockedUntil !== undefined;
  const rows = otherFactors(drawing, screen);
  return {
    title: t.text(title(screen)),
    content: (
      <>
        <Lead {...drawing} screen={screen} />
        {about && <ForAccount {...about} />}
        <LockedNote frame={frame} t={t} problem={problem} lockedUntil={lockedUntil} />
        <Answer {...drawing} screen={screen} />
        <div class="others">
          {sent === true && !isLocked && (
            <Form frame={frame}>
              <FormAction value="send-factor-code" kind="small" waits={resendIn ?? 0}>
                {t.text(factor === "phone" && channel === "voice" ? "factorCallAgain" : "codeResend")}
              </FormAction>
            </Form>
          )}
          {!isLocked && <SwitchChannel frame={frame} t={t} action="send-factor-code" channel={otherChannel} />}
          {exit === undefined ? <OtherAccount {...drawing} /> : exit}
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

/** Returns the rows of the factors and destinations that the user can use instead. */
function otherFactors({ t }: StepDrawing, { factor, others, destinations = [], channel }: FactorScreen) {
  return [factor, ...others].flatMap((type) => {
    const { use } = factorPages[type];
    const listed = destinations.filter((one) => one.factor === type);
    if (listed.length > 0)
      return listed.map(({ id, sentTo, channel: by }) => ({ factor: type, destination: id, name: t.text(use(by)), detail: sentTo }));
    return type === factor ? [] : [{ factor: type, name: t.text(use(channel)) }];
  });
}

/** Renders the form with which the user passes the factor. */
function Answer(drawing: ChallengeDrawing): JSX.Element {
  const { frame, t, screen } = drawing;
  const { factor, sent, channel, publicKey, remember, lockedUntil } = screen;
  const isLocked = lockedUntil !== undefined;
  const { input, use } = factorPages[factor];
  if (input === "key")
    return <WebauthnForm frame={frame} t={t} action="use-key" publicKey={publicKey} remember={remember} disabled={isLocked} />;
  if (input !== "sent-code" || sent === true) return <CodeForm {...drawing} />;
  return (
    <Form frame={frame}>
      <FormAction value="send-factor-code" disabled={isLocked}>
        {t.text(channel === "voice" && factor === "phone" ? use(channel) : "factorSend")}
      </FormAction>
    </Form>
  );
}

function CodeForm({ frame, t, problem, screen: { factor, validFor, remember, lockedUntil } }: ChallengeDrawing): JSX.Element {
  const isText = factorPages[factor].input === "text";
  const isLocked = lockedUntil !== undefined;
  return (
    <Form frame={frame}>
      <FactorCodeField
        t={t}
        label={t.text(isText ? "factorRecoveryLabel" : "factorCodeLabel")}
        isText={isText}
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

/** Renders the button that leaves the login for another account. */
export function OtherAccount({ frame, t }: Pick<StepDrawing, "frame" | "t">): JSX.Element {
  return (
    <Form frame={frame}>
      <FormAction value="other-account" kind="small">
        {t.text("codeChangeReset")}
      </FormAction>
    </Form>
  );
}
