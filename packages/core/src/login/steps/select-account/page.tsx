import { Lead } from "../../components/lead.tsx";
import type { SelectAccountScreen } from "./step.ts";
import type { Drawing, PageParts } from "../../components/drawing.ts";
import { FormAction, Clamped, Form } from "../../components/form.tsx";
import { Icon } from "../../components/icons.tsx";
import { Avatar } from "../../components/marks.tsx";

/** Draws the page that asks whether to continue with the signed-in account or with another one. */
export function drawSelectAccount({ frame, t }: Drawing, { accounts }: SelectAccountScreen): PageParts {
  return {
    title: t.text("accountTitle"),
    pictures: accounts.map(({ picture }) => picture),
    content: (
      <>
        <Lead frame={frame} t={t} />
        <Form frame={frame} class="rows">
          {accounts.map(({ name, email, picture }) => (
            <FormAction key={email ?? name} value="continue-as" kind="row">
              <Avatar name={name} picture={picture} />
              <span class="row-text">
                <Clamped class="row-name">{name}</Clamped>
                {email !== undefined && email !== name && <Clamped class="row-detail">{email}</Clamped>}
              </span>
              <Icon name="chevron" />
            </FormAction>
          ))}
          <FormAction value="other-account" kind="row">
            <span class="mark avatar plain">
              <Icon name="plus" />
            </span>
            <span class="row-text">{t.text("accountOther")}</span>
          </FormAction>
        </Form>
      </>
    ),
  };
}
