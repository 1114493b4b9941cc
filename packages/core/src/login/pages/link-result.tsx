import type { Placeholders, MessageKey } from "../../locales/messages.ts";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { ForAccount } from "../components/account.tsx";
import { FormAction, Form } from "../components/form.tsx";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** The result of opening a link from a mail, or of requesting such a link. */
export type LinkOutcome =
  /** The email address is verified. */
  | "verified"
  /**
   * The owner of the email address said that they did not create the account. The account no longer accepts
   * sign-ins.
   */
  | "disowned"
  | "password-changed"
  /** A link was sent if the account exists. */
  | "sent"
  /** A new link was sent. */
  | "replaced"
  | "expired"
  /** A password was set with the link before, in another browser or some time ago. */
  | "used"
  /** The account or the request that the link belongs to no longer exists. */
  | "void"
  /** The account is protected after a change of factors. */
  | "protected"
  /** As `protected`, but a factor that was added or replaced recently can still be used. */
  | "factor-remains"
  /** The account is protected after a change of an address, which stays. */
  | "address-remains"
  /** The account was protected with the link before. */
  | "undo-used"
  /** The link that protects an account has expired. */
  | "undo-expired"
  /** A factor was added with the link. */
  | "enrolled"
  /** A link to add a factor was used, has expired, or is void. Only the sender can send another one. */
  | "ended"
  /** The user has got a first factor in another way while they used the link. */
  | "other-factor-added"
  | "unknown";

/** The data for {@link drawLinkResult}. */
export interface LinkResult {
  readonly outcome: LinkOutcome;
  /** The account's email address; '' if the link is invalid or its account was deleted. */
  readonly email: string;
  readonly returnLink: ReturnLink | undefined;
  /** The URL of the page where the visitor can request a link for a new password, if such a link helps. */
  readonly resetPage: string | undefined;
}

/** The name of a text without placeholders. */
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
  protected: ["undoDoneTitle", "undoDoneLead", "good", "check"],
  "factor-remains": ["undoRemainsTitle", "undoRemainsLead", "quiet", "alert"],
  "address-remains": ["undoAddressTitle", "undoAddressLead", "quiet", "alert"],
  "undo-used": ["linkUsedTitle", "undoUsedLead", "quiet", "clock"],
  "undo-expired": ["linkExpiredTitle", "undoExpiredLead", "quiet", "clock"],
  enrolled: ["enrolledTitle", "enrolledLead", "good", "check"],
  ended: ["linkVoidTitle", "linkEndedLead", "quiet", "clock"],
  "other-factor-added": ["enrolledTitle", "factorAddedElsewhere", "quiet", "alert"],
  unknown: ["linkUnknownTitle", "linkUnknownLead", "quiet", "alert"],
};

/** The outcomes after which the user sets a password without a former link for it. */
const setsPassword: readonly LinkOutcome[] = ["disowned", "protected", "factor-remains"];

/** Draws the page with the result of a link from a mail, and with a way to continue. */
export function drawLinkResult({ frame, t }: Drawing, { outcome, email, returnLink, resetPage }: LinkResult): PageParts {
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
            {t.text(setsPassword.includes(outcome) ? "linkSetPassword" : "linkRenew")}
          </a>
        )}
        {resetPage === undefined && outcome !== "expired" && <ReturnLinkAnchor t={t} frame={frame} returnLink={returnLink} />}
      </>
    ),
  };
}
