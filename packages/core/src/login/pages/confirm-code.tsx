import { ForAccount } from "../components/account.tsx";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { FormAction, Form, Name } from "../components/form.tsx";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** Why the user cannot sign in with a link from a message. */
export type CodeProblem =
  /** The link was already used, has expired or is incomplete. */
  | "used"
  /** Too many attempts were made for the email address or phone number. */
  | "refused"
  /** No account has the email address or phone number, and none can be created. */
  | "no-account"
  /** An administrator blocked the account. */
  | "blocked"
  /** The user must pass a second factor, in the login that requested the link. */
  | "factor-required";

/** The problems that each sign-in link can have, by their name in the URL of its page. */
export const codeProblems: { readonly [name: string]: CodeProblem } = {
  used: "used",
  refused: "refused",
  "no-account": "no-account",
  blocked: "blocked",
};

/** The data for {@link drawConfirmCode}. */
export interface ConfirmCode {
  /**
   * The email address or phone number that the link was sent to. A visitor who opens a link that was sent to another
   * person can see whose account it signs in to.
   */
  readonly account: string;
  /** Undefined if the visitor can try to sign in with the link. */
  readonly problem: CodeProblem | undefined;
  readonly returnLink: ReturnLink | undefined;
  /** Whether the login started in another browser, in which the visitor can enter the code of the message. Default false. */
  readonly isElsewhere?: boolean;
}

const words = {
  used: ["linkVoidTitle", "linkCodeUsed", "clock"],
  refused: ["linkCodeRefused", "tooManyAttempts", "clock"],
  "no-account": ["linkVoidTitle", "noAccountHere", "alert"],
  blocked: ["linkCodeBlocked", "blocked", "alert"],
  "factor-required": ["againTitle", "linkFactorRequired", "alert"],
} as const;

/** Draws the page that asks whether to sign in with a link from a message, or says why that is impossible. */
export function drawConfirmCode({ frame, t }: Drawing, { account, problem, returnLink, isElsewhere = false }: ConfirmCode): PageParts {
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
        {isElsewhere && <p class="note">{t.text("linkCodeElsewhere")}</p>}
        <p class="note">{t.text("linkCodeNote")}</p>
      </>
    ),
  };
}
