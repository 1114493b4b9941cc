import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { Form, FormAction } from "../../components/form.tsx";
import { SecretText } from "../../components/secret-text.tsx";
import type { RecoveryCodeScreen } from "./step.ts";

/** Draws the page that shows a new recovery code once. */
export function drawRecoveryCode({ frame, t }: StepDrawing, { code, isReplacement, accountSecurity }: RecoveryCodeScreen): PageParts {
  return {
    title: t.text(isReplacement ? "recoverySpentTitle" : "recoveryTitle"),
    content: (
      <>
        <p class="lead">{t.text(isReplacement ? "recoverySpentLead" : "recoveryLead")}</p>
        <SecretText t={t} value={code} label={t.text("recoveryLabel")} copyLabel={t.text("recoveryCopy")} />
        <Form frame={frame}>
          <FormAction value="recovery-code-stored">{t.text("recoveryDone")}</FormAction>
        </Form>
        {isReplacement && <p class="note">{t.text("recoveryReplace")}</p>}
        {accountSecurity !== undefined && (
          <div class="others">
            {/* In another tab: the sign-in continues on this page. */}
            <a class="button small" href={accountSecurity} target="_blank" rel="noopener">
              {t.text("securityTitle")}
            </a>
          </div>
        )}
      </>
    ),
  };
}
