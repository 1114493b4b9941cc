import type { JSX } from "preact";
import { openTotpSecret } from "../../../identity/factors/totp.ts";
import { Name } from "../../components/form.tsx";
import { LockedNote } from "../../components/locked-note.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { SecretText } from "../../components/secret-text.tsx";
import { AddedTo, BackToFactors, ConfirmForm } from "../enrollment-parts.tsx";
import { lockedState } from "../locked-factor.ts";
import { authenticatorUri, startApp } from "../new-factor.ts";
import type { EnrollmentDrawing, FactorPages } from "./kind.ts";

/** The pages of authenticator apps. */
export const totpPages: FactorPages = {
  label: () => "addFactorTotp",
  title: () => "factorTitleTotp",
  use: () => "factorUseTotp",
  Lead: ({ frame, t }) => <p class="lead">{t.pieces("factorLeadTotp", { tenant: <Name>{frame.tenantName}</Name> })}</p>,
  input: "code",
  enrollment: {
    name: () => "addFactorTotp",
    hint: "addFactorTotpHint",
    title: "addTotpTitle",
    Content: NewTotp,
    start: async (context) => (await startApp(context)).factor,
    async pending({ tenant, user }, factor) {
      const secret = await openTotpSecret(tenant, factor);
      return {
        factor: "totp",
        ...(await lockedState(tenant, user.user_id, "totp")),
        totp: { secret, uri: authenticatorUri(tenant, user, secret) },
      };
    },
  },
};

/**
 * The QR code is hidden on phones, which cannot scan their own screen. The field has no focus at first, because the user
 * must add the key to the app before.
 */
function NewTotp({ frame, t, problem, screen, about, exit }: EnrollmentDrawing): JSX.Element {
  const { totp, lockedUntil } = screen;
  return (
    <>
      <p class="lead">{t.text("addTotpLead")}</p>
      <AddedTo about={about} />
      {totp && (
        <>
          <div class="scan">
            <p>{t.text("addTotpScan")}</p>
            <QrCode value={totp.uri} label={t.text("addTotpQr")} />
          </div>
          <a class="button second" href={totp.uri}>
            {t.text("addTotpOpen")}
          </a>
          <p class="manual">{t.text("addTotpManual")}</p>
          <SecretText t={t} value={totp.secret} label={t.text("addTotpManual")} copyLabel={t.text("addTotpCopy")} />
        </>
      )}
      <LockedNote frame={frame} t={t} problem={problem} lockedUntil={lockedUntil} />
      <ConfirmForm frame={frame} t={t} problem={problem} screen={screen} hasFocus={problem !== undefined} />
      <div class="others">
        <BackToFactors frame={frame} t={t} screen={screen} />
        {exit}
      </div>
    </>
  );
}
