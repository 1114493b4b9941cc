import type { NewAddress } from "../../../identity/users/change-address.ts";
import { Address } from "../../../login/components/address.tsx";
import type { PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { FactorCodeField } from "../../../login/components/factor-code-field.tsx";
import { Form, FormAction, ProblemNote } from "../../../login/components/form.tsx";
import { BackToSection } from "../pages/back.tsx";

/** The data for {@link drawAddressCode}. */
export interface AddressCodeScreen extends NewAddress {
  /** Seconds until the user should request another code. */
  readonly resendIn: number;
  readonly back: string;
}

/** Draws the form for the code that was sent to a new address. */
export function drawAddressCode({ frame, t, problem }: StepDrawing, { kind, address, resendIn, back }: AddressCodeScreen): PageParts {
  const lead = kind === "email" ? "factorLeadEmail" : "factorLeadPhone";
  return {
    title: t.text(kind === "email" ? "addressesEmailTitle" : "addressesPhoneTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <p class="lead">{t.pieces(lead, { address: <Address>{address}</Address> })}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <FactorCodeField t={t} label={t.text("factorCodeLabel")} validFor={600} problem={problem} />
          <FormAction value="confirm-address">{t.text("factorSubmit")}</FormAction>
        </Form>
        <div class="others">
          <Form frame={frame}>
            <FormAction value="send-another-code" kind="small" waits={resendIn}>
              {t.text("codeResend")}
            </FormAction>
          </Form>
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
