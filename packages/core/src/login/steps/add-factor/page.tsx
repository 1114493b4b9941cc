import type { FactorType } from "../../../model/factors/factor-types.ts";
import { Address } from "../../components/address.tsx";
import type { PageParts, StepDrawing } from "../../components/drawing.ts";
import { FactorCodeField } from "../../components/factor-code-field.tsx";
import { describedByProblem, Form, FormAction, Name, ProblemNote } from "../../components/form.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import type { AddFactorScreen } from "./step.ts";

/** The texts of the options: the name of the factor, and a hint. */
const options = {
  totp: ["addFactorTotp", "addFactorTotpHint"],
  phone: ["addFactorPhone", "addFactorPhoneHint"],
  "webauthn-roaming": ["addFactorKey", "addFactorKeyHint"],
} as const satisfies { readonly [type in FactorType]?: readonly [string, string] };

function textsOf(
  type: FactorType,
):
  | readonly ["addFactorTotp", "addFactorTotpHint"]
  | readonly ["addFactorPhone", "addFactorPhoneHint"]
  | readonly ["addFactorKey", "addFactorKeyHint"] {
  return type === "totp" || type === "phone" ? options[type] : options["webauthn-roaming"];
}

/** Draws the pages with which a user adds a second factor. */
export function drawAddFactor(drawing: StepDrawing, screen: AddFactorScreen): PageParts {
  const { t } = drawing;
  if (screen.totp !== undefined)
    return { title: t.text("addTotpTitle"), content: <NewTotp {...drawing} totp={screen.totp} screen={screen} /> };
  if (screen.factor === "phone") return { title: t.text("addPhoneTitle"), content: <NewPhone {...drawing} screen={screen} /> };
  return { title: t.text("addFactorTitle"), content: <Options {...drawing} screen={screen} /> };
}

type Drawn = StepDrawing & { readonly screen: AddFactorScreen };

function Options({ frame, t, problem, screen }: Drawn) {
  return (
    <>
      <p class="lead">{t.pieces("addFactorLead", { tenant: <Name>{frame.tenantName}</Name> })}</p>
      <ProblemNote frame={frame} t={t} problem={problem} />
      {screen.options.map((option) => (
        <Form frame={frame} key={option}>
          <input type="hidden" name="factor" value={option} />
          <FormAction value="choose-new-factor" kind="row">
            <span>
              <strong>{t.text(textsOf(option)[0])}</strong>
              <br />
              <small>{t.text(textsOf(option)[1])}</small>
            </span>
          </FormAction>
        </Form>
      ))}
      <OtherAccount frame={frame} t={t} />
    </>
  );
}

function NewTotp({ frame, t, problem, screen, totp }: Drawn & { readonly totp: NonNullable<AddFactorScreen["totp"]> }) {
  return (
    <>
      <p class="lead">{t.text("addTotpScan")}</p>
      <QrCode value={totp.uri} label={t.text("addTotpQr")} />
      <p>
        <a href={totp.uri}>{t.text("addTotpOpen")}</a>
      </p>
      <p>{t.text("addTotpManual")}</p>
      <p>
        <code class="secret" dir="ltr">
          {totp.secret.match(/.{1,4}/g)?.join(" ")}
        </code>
      </p>
      <ProblemNote frame={frame} t={t} problem={problem} />
      <p>{t.text("addTotpConfirm")}</p>
      <Confirm frame={frame} t={t} problem={problem} />
      <Back frame={frame} t={t} screen={screen} />
    </>
  );
}

function NewPhone({ frame, t, problem, screen }: Drawn) {
  const { sentTo, resendIn = 0 } = screen;
  if (sentTo !== undefined) {
    return (
      <>
        <p class="lead">{t.pieces("factorLeadSent", { address: <Address>{sentTo}</Address> })}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Confirm frame={frame} t={t} problem={problem} />
        <div class="others">
          <Form frame={frame}>
            <FormAction value="send-new-factor-code" kind="small" waits={resendIn}>
              {t.text("codeResend")}
            </FormAction>
          </Form>
        </div>
        <Back frame={frame} t={t} screen={screen} />
      </>
    );
  }
  return (
    <>
      <p class="lead">{t.text("addPhoneLead")}</p>
      <ProblemNote frame={frame} t={t} problem={problem} />
      <Form frame={frame}>
        <div class="field">
          <label for="phone">{t.text("addPhoneLabel")}</label>
          <input
            id="phone"
            name="phone"
            class="input"
            type="tel"
            autocomplete="tel"
            dir="ltr"
            maxlength={100}
            required
            data-missing={t.text("phoneMalformed")}
            autofocus
            {...describedByProblem(problem, "phone")}
          />
        </div>
        <FormAction value="enter-phone">{t.text("factorSend")}</FormAction>
      </Form>
      <Back frame={frame} t={t} screen={screen} />
    </>
  );
}

function Confirm({ frame, t, problem }: StepDrawing) {
  return (
    <Form frame={frame}>
      <FactorCodeField t={t} label={t.text("factorCodeLabel")} problem={problem} />
      <FormAction value="confirm-new-factor">{t.text("factorSubmit")}</FormAction>
    </Form>
  );
}

function Back({ frame, t, screen }: Pick<Drawn, "frame" | "t" | "screen">) {
  return (
    <div class="others">
      {screen.options.length > 1 && (
        <Form frame={frame}>
          <FormAction value="other-new-factor" kind="small">
            {t.text("addFactorBack")}
          </FormAction>
        </Form>
      )}
      <Form frame={frame}>
        <FormAction value="other-account" kind="small">
          {t.text("codeChangeReset")}
        </FormAction>
      </Form>
    </div>
  );
}

function OtherAccount({ frame, t }: Pick<Drawn, "frame" | "t">) {
  return (
    <div class="others">
      <Form frame={frame}>
        <FormAction value="other-account" kind="small">
          {t.text("codeChangeReset")}
        </FormAction>
      </Form>
    </div>
  );
}
