import { ForAccount } from "../components/account.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { FormAction, Form, Name } from "../components/form.tsx";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** Why a link cannot sign in. */
export type CodeProblem =
  /** Used, expired or incomplete. */
  | "used"
  /** Too many attempts for the address. */
  | "refused"
  /** No account has the address, and none can be created. */
  | "no-account"
  /** An administrator blocked the account. */
  | "blocked";

/** The data of {@link drawConfirmCode}. */
export interface ConfirmCode {
  /**
   * The email address or phone number that the link was sent to, so that a visitor who opens the link of another user
   * sees whose account it is.
   */
  readonly account: string;
  /** Undefined: the link can be tried. */
  readonly problem: CodeProblem | undefined;
  readonly returnLink: ReturnLink | undefined;
}

const words = {
  used: ["linkVoidTitle", "linkCodeUsed", "clock"],
  refused: ["linkCodeRefused", "tooManyAttempts", "clock"],
  "no-account": ["linkVoidTitle", "noAccountHere", "alert"],
  blocked: ["linkCodeBlocked", "blocked", "alert"],
} as const;

/** Asks whether to sign in by a link from a mail. */
export function drawConfirmCode({ frame, t }: Drawing, { account, problem, returnLink: returnLink }: ConfirmCode): PageParts {
  const to = <ForAccount account={account} about={t.text("linkCodeAccount")} />;
  if (problem !== undefined) {
    const [title, lead, icon] = words[problem];
    return {
      title: t.text(title),
      mark: <Sign frame={frame} kind="quiet" icon={icon} />,
      content: (
        <>
          <p class="lead">{t.pieces(lead, { tenant: <Name>{frame.tenantName}</Name> })}</p>
          {to}
          <ReturnLinkAnchor t={t} frame={frame} returnLink={returnLink} />
        </>
      ),
    };
  }
  const client = frame.clientName ?? frame.tenantName;
  return {
    title: t.text("linkCodeTitle", { client }),
    heading: t.pieces("linkCodeTitle", { client: <Name>{client}</Name> }),
    content: (
      <>
        <p class="lead">{t.text("linkCodeLead")}</p>
        {to}
        <Form frame={frame} class="answers">
          <FormAction value="sign-in">{t.text("linkCodeSubmit")}</FormAction>
        </Form>
        <p class="note">{t.text("linkCodeNote")}</p>
      </>
    ),
  };
}
