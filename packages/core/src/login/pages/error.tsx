import type { PageReason } from "../../errors.ts";
import type { MessageKey, Placeholders } from "../../locales/messages.ts";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { Sign } from "../components/sign.tsx";
import { ReturnLinkAnchor } from "../components/return-link.tsx";
import type { ReturnLink } from "../return-link.ts";

/** The data for {@link drawError}. */
export interface ShownError {
  /** The error code. Codes are stable: support staff and scripts can rely on them. */
  readonly code: string;
  readonly reason?: PageReason | undefined;
  readonly description: string;
  /** The URL of the developer documentation about the error. */
  readonly explained?: string;
  readonly requestId: string;
  readonly returnLink?: ReturnLink | undefined;
}

/** The name of a text without placeholders. */
type PlainText = { [Key in MessageKey]: Placeholders<Key> extends never ? Key : never }[MessageKey];
type Words = readonly [title: PlainText, lead: PlainText];

const wordsOf: { readonly [Reason in PageReason]: Words } = {
  "no-login": ["noLoginTitle", "noLoginLead"],
  "cookies-blocked": ["cookiesTitle", "cookiesLead"],
  "invitation-expired": ["invitationExpiredTitle", "invitationExpiredLead"],
  "invitation-used": ["invitationUsedTitle", "invitationUsedLead"],
  "invitation-withdrawn": ["invitationWithdrawnTitle", "invitationWithdrawnLead"],
  "no-connection": ["noConnectionTitle", "noConnectionLead"],
  "no-usable-factor": ["noUsableFactorTitle", "noUsableFactorLead"],
  "device-code-expired": ["deviceLostTitle", "deviceLostLead"],
};

const wordsOfCode: { readonly [code: string]: Words | undefined } = {
  login_expired: ["expiredTitle", "expiredLead"],
  not_found: ["notFoundTitle", "notFoundLead"],
};

/**
 * Draws an error page. It says in the visitor's language what they can do. The details for support are in elements with
 * stable ids: `error-code`, `error-description` and `request-id`.
 */
export function drawError({ frame, t }: Drawing, { code, reason, description, explained, requestId, returnLink }: ShownError): PageParts {
  const words = reason === undefined ? wordsOfCode[code] : wordsOf[reason];
  const [title, lead] = words ?? (["errorTitle", "errorLead"] as const);
  const expected = words !== undefined;
  const expired = title === "expiredTitle" || title === "invitationExpiredTitle" || title === "deviceLostTitle";
  return {
    title: t.text(title),
    mark: <Sign frame={frame} kind={expected ? "quiet" : "bad"} icon={expired ? "clock" : "alert"} />,
    content: (
      <>
        <p class="lead">{t.text(lead)}</p>
        <ReturnLinkAnchor t={t} frame={frame} returnLink={returnLink} />
        <section class="details">
          <h2>{t.text("errorDetails")}</h2>
          <dl>
            <dt>{t.text("errorDescription")}</dt>
            <dd id="error-description" lang="en" dir="auto">
              {explained === undefined ? description : <a href={explained}>{description}</a>}
            </dd>
            <dt>{t.text("errorCode")}</dt>
            <dd>
              <code id="error-code" dir="ltr">
                {code}
              </code>
            </dd>
            <dt>{t.text("errorRequest")}</dt>
            <dd>
              <code id="request-id" dir="ltr">
                {requestId}
              </code>
            </dd>
          </dl>
        </section>
      </>
    ),
  };
}
