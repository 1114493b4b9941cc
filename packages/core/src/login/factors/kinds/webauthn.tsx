import type { JSX } from "preact";
import { ProblemNote } from "../../components/form.tsx";
import { KeyLead, WebauthnForm } from "../../components/webauthn-form.tsx";
import { AddedTo, BackToFactors } from "../enrollment-parts.tsx";
import { keyCreation } from "../new-key.ts";
import type { EnrollmentDrawing, FactorPages } from "./kind.ts";

/** The pages of security keys. */
export const securityKeyPages: FactorPages = {
  label: () => "securityKey",
  title: () => "factorTitleKey",
  use: () => "factorUseKey",
  Lead: ({ t }) => <KeyLead text={t.text("factorLeadKey")} />,
  input: "key",
  enrollment: {
    name: () => "securityKey",
    hint: "addFactorKeyHint",
    title: "securityKey",
    Content: (drawing) => <NewKey {...drawing} what={<KeyLead text={drawing.t.text("webauthnAddLead")} />} />,
    chosen: (context) => keyCreation(context, "webauthn-roaming"),
  },
};

/** The pages of passkeys. */
export const passkeyPages: FactorPages = {
  label: () => "securityPasskey",
  title: () => "factorTitlePasskey",
  use: () => "factorUsePasskey",
  Lead: ({ t }) => <KeyLead text={t.text("factorLeadPasskey")} />,
  input: "key",
  enrollment: {
    name: () => "securityPasskey",
    hint: "newPasskeyLead",
    title: "newPasskeyTitle",
    Content: (drawing) => <NewKey {...drawing} what={<p class="lead">{drawing.t.text("newPasskeyLead")}</p>} />,
    chosen: (context) => keyCreation(context, "passkey"),
  },
};

/** The pages of the user's device, which an administrator or an import added. */
export const devicePages: FactorPages = {
  label: () => "securityDevice",
  title: () => "securityDevice",
  use: () => "securityDevice",
  Lead: passkeyPages.Lead,
  input: "key",
};

function NewKey({ frame, t, problem, screen, about, exit, what }: EnrollmentDrawing & { readonly what: JSX.Element }): JSX.Element {
  return (
    <>
      {what}
      <AddedTo about={about} />
      <ProblemNote frame={frame} t={t} problem={problem} />
      <WebauthnForm frame={frame} t={t} action="confirm-key" publicKey={screen.publicKey} />
      <div class="others">
        <BackToFactors frame={frame} t={t} screen={screen} />
        {exit}
      </div>
    </>
  );
}
