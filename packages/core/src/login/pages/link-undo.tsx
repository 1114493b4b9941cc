import { ForAccount } from "../components/account.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { Form, FormAction, Name } from "../components/form.tsx";
import { Icon } from "../components/icons.tsx";

/** The data for {@link drawLinkUndo}. */
export interface ShownUndo {
  /** The masked address of the account. */
  readonly account: string;
  /** Whether the account has a request to delete it, which the form withdraws. */
  readonly isDeletionPending: boolean;
}

/** Draws the page that asks whether to protect an account after a change of factors. */
export function drawLinkUndo({ frame, t }: Drawing, { account, isDeletionPending }: ShownUndo): PageParts {
  const effects = ["undoSignsOut", "undoForgets", "undoFreezes", ...(isDeletionPending ? (["undoKeeps"] as const) : [])] as const;
  return {
    title: t.text("undoTitle"),
    content: (
      <>
        <p class="lead">{t.pieces("undoLead", { tenant: <Name>{frame.tenantName}</Name> })}</p>
        <ForAccount account={account} about={t.text("undoFor")} />
        <section class="asks">
          <h2>{t.text("undoEffects")}</h2>
          <ul>
            {effects.map((effect) => (
              <li key={effect}>
                <Icon name="check" />
                <span>{t.text(effect)}</span>
              </li>
            ))}
          </ul>
        </section>
        <Form frame={frame}>
          <FormAction value="protect">{t.text("undoSubmit")}</FormAction>
        </Form>
        <p class="note">{t.text("undoNote")}</p>
      </>
    ),
  };
}
