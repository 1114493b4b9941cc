import { Address } from "../../../login/components/address.tsx";
import type { PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { ProblemNote } from "../../../login/components/form.tsx";
import { AccountNotice } from "../pages/notice.tsx";

/** The data for {@link drawAddresses}. */
export interface ShownAddresses {
  /** Undefined if the account has none. */
  readonly email: string | undefined;
  readonly phone: string | undefined;
  /** The URLs of the forms. Undefined if the user cannot change the address. */
  readonly changeEmail: string | undefined;
  readonly changePhone: string | undefined;
  readonly isSaved: boolean;
}

/** Draws the email address and the phone number of the signed-in user. */
export function drawAddresses({ frame, t, problem }: StepDrawing, shown: ShownAddresses): PageParts {
  const { email, phone, changeEmail, changePhone, isSaved } = shown;
  return {
    title: t.text("addressesTitle"),
    problem: problem !== undefined,
    content: (
      <>
        {isSaved && <AccountNotice icon="check" text={t.text("accountSaved")} />}
        <ProblemNote frame={frame} t={t} problem={problem} />
        <dl class="facts">
          <dt>{t.text("profileEmail")}</dt>
          <dd>{email === undefined ? t.text("languageUnset") : <Address>{email}</Address>}</dd>
          <dt>{t.text("addPhoneLabel")}</dt>
          <dd>{phone === undefined ? t.text("languageUnset") : <Address>{phone}</Address>}</dd>
        </dl>
        {changeEmail !== undefined && (
          <a class="button second" href={changeEmail}>
            {t.text("addressesChangeEmail")}
          </a>
        )}
        {changePhone !== undefined && (
          <a class="button second" href={changePhone}>
            {t.text("addressesChangePhone")}
          </a>
        )}
      </>
    ),
  };
}
