import type { Drawing, PageParts } from "../../../login/components/drawing.ts";
import { ReturnLinkAnchor } from "../../../login/components/return-link.tsx";
import { Form, FormAction } from "../../../login/components/form.tsx";
import { Sign } from "../../../login/components/sign.tsx";
import type { ReturnLink } from "../../../login/return-link.ts";
import { BackToSection } from "./back.tsx";

/** Why the user can change nothing now. `no-session`: no user is signed in. The others: see `ChangePermission`. */
export type ClosedReason = "no-session" | "sign-in-again" | "unavailable" | "frozen";

/** The data for {@link drawClosed}. */
export interface ClosedAccount {
  readonly reason: ClosedReason;
  /** The link to the application, if no user is signed in. */
  readonly returnLink?: ReturnLink | undefined;
  /** The URL at which the user signs out, if they must sign in again. */
  readonly logout?: string;
  /** Whether the user can sign in again with a form of the page. */
  readonly canSignIn?: true;
  /** The URL of the overview, if a user is signed in. */
  readonly back?: string;
}

const texts = {
  "no-session": ["securityNoSessionTitle", "securityNoSessionLead"],
  "sign-in-again": ["securityAgainTitle", "securityAgainLead"],
  "at-page": ["securityAgainTitle", "accountAgainLead"],
  unavailable: ["securityUnavailableTitle", "securityUnavailableLead"],
  frozen: ["securityFrozenTitle", "securityFrozenLead"],
} as const;

/** Draws the page that says why the user can change nothing now, and what they can do. */
export function drawClosed({ frame, t }: Drawing, { reason, returnLink, logout, canSignIn, back }: ClosedAccount): PageParts {
  const [title, lead] = canSignIn ? texts["at-page"] : texts[reason];
  return {
    title: t.text(title),
    mark: <Sign frame={frame} kind="quiet" icon={reason === "unavailable" ? "alert" : "clock"} />,
    content: (
      <>
        <p class="lead">{t.text(lead)}</p>
        <ReturnLinkAnchor frame={frame} t={t} returnLink={returnLink} />
        {logout !== undefined && (
          <a class="button main" href={logout}>
            {t.text("securitySignOut")}
          </a>
        )}
        {canSignIn && (
          <Form frame={frame}>
            <FormAction value="sign-in-again">{t.text("passwordSubmit")}</FormAction>
          </Form>
        )}
        {back !== undefined && (
          <div class="others">
            <BackToSection t={t} href={back} />
          </div>
        )}
      </>
    ),
  };
}
