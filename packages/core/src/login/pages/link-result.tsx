import type { Placeholders, MessageKey } from "../../locales/messages.ts";
import type { Drawing, Drawn } from "../components/drawing.ts";
import { ForAccount } from "../components/account.tsx";
import { Action, Form } from "../components/form.tsx";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** What became of a link, or of the wish for one. */
export type LinkOutcome =
  /** The address is verified. */
  | "verified"
  /** Nobody gets into the account any more: its maker does not own the address. */
  | "disowned"
  | "password-changed"
  /** A link is on its way, if there is somebody to send it to. */
  | "sent"
  /** Another link is on its way. */
  | "replaced"
  | "expired"
  /** A password was set by the link before, in another browser or some time ago. */
  | "used"
  /** What the link was made for is not there any more. */
  | "void"
  | "unknown";

/** What {@link drawLinkResult} shows. */
export interface LinkResult {
  readonly outcome: LinkOutcome;
  /** The account's address; '' where the link does not say whose it is. */
  readonly email: string;
  readonly wayOn: ReturnLink | undefined;
  /** Where a link for a new password is asked for, where that helps. */
  readonly resetPage: string | undefined;
}

/** A text without names in it. */
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

/** Says what became of a link, with a way on. */
export function drawLinkResult({ frame, say }: Drawing, { outcome, email, wayOn, resetPage }: LinkResult): Drawn {
  const [title, lead, sign, icon] = words[outcome];
  return {
    title: say.text(title),
    mark: <Sign frame={frame} kind={sign} icon={icon} />,
    content: (
      <>
        <p class="lead">{say.text(lead)}</p>
        {email !== "" && <ForAccount account={email} about={say.text("linkAddress")} />}
        {outcome === "expired" && (
          <Form frame={frame}>
            <Action value="renew">{say.text("linkRenew")}</Action>
          </Form>
        )}
        {resetPage !== undefined && (
          <a class="button main" href={resetPage}>
            {say.text(outcome === "disowned" ? "linkSetPassword" : "linkRenew")}
          </a>
        )}
        {resetPage === undefined && outcome !== "expired" && <ReturnLinkAnchor say={say} frame={frame} wayOn={wayOn} />}
      </>
    ),
  };
}
