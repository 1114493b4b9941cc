import type { JSX } from "preact";
import { Address } from "../../components/address.tsx";
import { Form, FormAction } from "../../components/form.tsx";
import { LockedNote } from "../../components/locked-note.tsx";
import { PhoneField } from "../../components/phone-field.tsx";
import { SwitchChannel } from "../../components/switch-channel.tsx";
import { AddedTo, BackToFactors, ConfirmForm } from "../enrollment-parts.tsx";
import type { ChallengeDrawing, EnrollmentDrawing, FactorPages } from "./kind.ts";
import { pendingTarget, SentLead } from "./sent-code.tsx";

/** The pages of phones, which receive codes by text message or voice call. */
export const phonePages: FactorPages = {
  label: (channel) => (channel === "voice" ? "addFactorCall" : "addFactorPhone"),
  title: ({ sent, channel }) => (sent !== true || channel === "voice" ? "againTitle" : "factorTitlePhone"),
  use: (channel) => (channel === "voice" ? "factorUseCall" : "factorUsePhone"),
  Lead: PhoneLead,
  input: "sent-code",
  enrollment: {
    name: (channel) => (channel === "voice" ? "addFactorCall" : "addFactorPhone"),
    hint: "addFactorPhoneHint",
    title: "addPhoneTitle",
    Content: NewPhone,
    pending: pendingTarget,
  },
};

function PhoneLead({ t, screen }: ChallengeDrawing): JSX.Element {
  const { sentTo = "", sent, channel } = screen;
  if (channel !== "voice") return <SentLead t={t} screen={screen} text="factorLeadPhone" />;
  return <p class="lead">{t.pieces(sent === true ? "factorLeadCalled" : "factorLeadCall", { address: <Address>{sentTo}</Address> })}</p>;
}

function NewPhone(drawing: EnrollmentDrawing): JSX.Element {
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
      <AddedTo about={about} />
      <LockedNote frame={frame} t={t} problem={problem} lockedUntil={lockedUntil} />
      {sentTo === undefined ? <PhoneForm {...drawing} /> : <ConfirmForm frame={frame} t={t} problem={problem} screen={screen} />}
      <div class="others">
        {canResend && (
          <Form frame={frame}>
            <FormAction value="send-new-factor-code" kind="small" waits={resendIn}>
              {t.text(isCall ? "factorCallAgain" : "codeResend")}
            </FormAction>
          </Form>
        )}
        {canResend && <SwitchChannel frame={frame} t={t} action="send-new-factor-code" channel={otherChannel} />}
        <BackToFactors frame={frame} t={t} screen={screen} />
        {exit}
      </div>
    </>
  );
}

function PhoneForm({ frame, t, problem, screen: { channel, rejectedPhone } }: EnrollmentDrawing): JSX.Element {
  return (
    <Form frame={frame}>
      <PhoneField t={t} problem={problem} value={rejectedPhone} />
      <FormAction value="enter-phone">{t.text(channel === "voice" ? "factorUseCall" : "factorSend")}</FormAction>
    </Form>
  );
}
