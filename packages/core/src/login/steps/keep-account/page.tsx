import type { KeepAccountScreen } from "./step.ts";
import type { Drawing, PageParts } from "../../components/drawing.ts";
import { NotYou } from "../../components/account.tsx";
import { FormAction, Form } from "../../components/form.tsx";
import { Sign } from "../../components/sign.tsx";

/** Draws the page that asks a user whether to keep the account that they wanted to delete. The date is in UTC. */
export function drawKeepAccount({ frame, t }: Drawing, { account, deletesAt }: KeepAccountScreen): PageParts {
  return {
    title: t.text("keepTitle"),
    mark: <Sign frame={frame} kind="quiet" icon="clock" />,
    content: (
      <>
        <p class="lead">{t.text("keepLead", { date: deletesAt.slice(0, 10) })}</p>
        <NotYou frame={frame} t={t} account={account} />
        <Form frame={frame} class="answers">
          <FormAction value="keep-account">{t.text("keepSubmit")}</FormAction>
          <FormAction value="delete-account" kind="second">
            {t.text("keepDelete")}
          </FormAction>
        </Form>
      </>
    ),
  };
}
