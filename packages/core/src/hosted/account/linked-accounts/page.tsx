import type { Drawing, PageParts, StepDrawing } from "../../../login/components/drawing.ts";
import { Clamped, Form, FormAction, Name, ProblemNote } from "../../../login/components/form.tsx";
import { BackToSection } from "../pages/back.tsx";
import { AccountNotice } from "../pages/notice.tsx";

/** A linked account in the list. */
export interface ListedAccount {
  readonly id: string;
  /** The name of the connection. */
  readonly provider: string;
  readonly account: string;
  /** The URL of the page that asks whether to unlink the account. Undefined if the user cannot. */
  readonly unlink: string | undefined;
}

/** The data for {@link drawLinkedAccounts}. */
export interface ShownLinkedAccounts {
  readonly accounts: readonly ListedAccount[];
  /** The URL of the page on which the user links an account. Undefined if the user cannot. */
  readonly link: string | undefined;
  /** The change that was just made. */
  readonly done: "linked" | "unlinked" | undefined;
}

/** Draws the list of the accounts that are linked to the user's account. */
export function drawLinkedAccounts({ frame, t, problem }: StepDrawing, { accounts, link, done }: ShownLinkedAccounts): PageParts {
  return {
    title: t.text("linkedTitle"),
    problem: problem !== undefined,
    content: (
      <>
        {done !== undefined && <AccountNotice icon="check" text={t.text(done === "linked" ? "linkedLinked" : "linkedUnlinked")} />}
        <ProblemNote frame={frame} t={t} problem={problem} />
        {accounts.length === 0 && <p class="lead">{t.text("linkedNone")}</p>}
        <ul class="methods">
          {accounts.map(({ id, provider, account, unlink }) => (
            <li key={id}>
              <Clamped class="row-name">{provider}</Clamped>
              <bdi class="row-detail">{account}</bdi>
              {unlink !== undefined && (
                <div class="others">
                  <a class="button small" href={unlink} aria-label={t.text("linkedUnlinkName", { name: provider })}>
                    {t.text("linkedUnlink")}
                  </a>
                </div>
              )}
            </li>
          ))}
        </ul>
        {link !== undefined && (
          <a class="button second" href={link}>
            {t.text("linkedAdd")}
          </a>
        )}
      </>
    ),
  };
}

/** The data for {@link drawUnlink}. */
export interface UnlinkScreen {
  readonly provider: string;
  /** Whether the account can be unlinked, see `canUnlink`. */
  readonly decision: "last" | "has-factors" | "allowed";
  readonly back: string;
}

const leads = { last: "linkedLast", "has-factors": "linkedHasFactors", allowed: "linkedUnlinkLead" } as const;

/** Draws the page that asks whether to unlink an account, or says why it cannot be unlinked. */
export function drawUnlink({ frame, t }: Drawing, { provider, decision, back }: UnlinkScreen): PageParts {
  return {
    title: t.text("linkedUnlinkTitle"),
    content: (
      <>
        <p class="lead">{t.pieces(leads[decision], { name: <Name>{provider}</Name> })}</p>
        {decision === "allowed" && (
          <Form frame={frame}>
            <FormAction value="unlink-account">{t.text("linkedUnlink")}</FormAction>
          </Form>
        )}
        <div class="others">
          <BackToSection t={t} href={back} />
        </div>
      </>
    ),
  };
}
