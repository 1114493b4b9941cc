import type { Placeholders, MessageKey } from "../../locales/messages.ts";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { ForAccount } from "../components/account.tsx";
import { FormAction, Form } from "../components/form.tsx";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** The result of opening or requesting a link. */
export type LinkOutcome =
  /** The email address is verified. */
  | "verified"
  /** The account can no longer be signed in to: its creator does not own the email address. */
  | "disowned"
  | "password-changed"
  /** A link is sent if the account exists. */
  | "sent"
  /** A new link is sent. */
  | "replaced"
  | "expired"
  /** The link set a password before, in another browser or some time ago. */
  | "used"
  /** The subject of the link no longer exists. */
  | "void"
  | "unknown";

/** The data of {@link drawLinkResult}. */
export interface LinkResult {
  readonly outcome: LinkOutcome;
  /** The account's email address; '' if the link does not contain it. */
  readonly email: string;
  readonly returnLink: ReturnLink | undefined;
  /** The URL of the page that requests a link for a new password, if that helps. */
  readonly resetPage: string | undefined;
}

/** A text without placeholders. */
type PlainText = { [Key in MessageKey]: Placeholders<Key> extends never ? Key : never }[MessageKey];
type Words = readonly [title: PlainText, lead: PlainText, sign: "good" | "quiet", icon: "check" | "clock" | "alert"];

const words: { readonly [Outcome in LinkOutcome]: Words } = {
  verified: ["linkVerifiedTitle", "linkVerifiedLead", "good", "check"],
  disowned: ["linkDisownedTitle", "linkDisownedLead", "good", "check"],
  "password-changed": ["linkChangedTitle", "linkChangedLead", "good", "check"],
  sent: ["linkSentTitle", "linkSentLead", "good", "check"],
  replaced: ["linkSentTitle", "linkReplacedLead", "good", "check"],
  expired: ["linkExpiredTitle", "linkExpiredLead", "quiet", "clock"],
  used: ["linkUsedTitle", "linkUsedLead", "quiet", "clock"],
  void: ["linkVoidTitle", "linkVoidLead", "quiet", "clock"],
  unknown: ["linkUnknownTitle", "linkUnknownLead", "quiet", "alert"],
};

/** Shows the result of a link, with a link to continue. */
export function drawLinkResult({ frame, t }: Drawing, { outcome, email, returnLink: returnLink, resetPage }: LinkResult): PageParts {
  const [title, lead, sign, icon] = words[outcome];
  return {
    title: t.text(title),
    mark: <Sign frame={frame} kind={sign} icon={icon} />,
    content: (
      <>
        <p class="lead">{t.text(lead)}</p>
        {email !== "" && <ForAccount account={email} about={t.text("linkAddress")} />}
        {outcome === "expired" && (
          <Form frame={frame}>
            <FormAction value="renew">{t.text("linkRenew")}</FormAction>
          </Form>
        )}
        {resetPage !== undefined && (
          <a class="button main" href={resetPage}>
            {t.text(outcome === "disowned" ? "linkSetPassword" : "linkRenew")}
          </a>
        )}
        {resetPage === undefined && outcome !== "expired" && <ReturnLinkAnchor t={t} frame={frame} returnLink={returnLink} />}
      </>
    ),
  };
}
