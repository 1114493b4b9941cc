import type { IdentifierKind } from "../../identity/login/identifier.ts";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { FormAction, Form, ProblemNote } from "../components/form.tsx";
import { IdentifierField, missingText } from "../components/identifier-field.tsx";
import { identifierMissing } from "../steps/problems.ts";

/** The data for {@link drawLinkRequest}. */
interface LinkRequest {
  /** The kinds of identifiers that are accepted. */
  readonly kinds: readonly IdentifierKind[];
  /** Whether the submitted identifier was empty. */
  readonly missing: boolean;
}

/**
 * Draws the page that asks for an identifier of the account, to send a link with which its owner can set a new
 * password.
 */
export function drawLinkRequest({ frame, t }: Drawing, { kinds, missing }: LinkRequest): PageParts {
  const problem = missing ? { ...identifierMissing, text: missingText(kinds) } : undefined;
  return {
    title: t.text("resetTitle"),
    problem: missing,
    content: (
      <>
        <p class="lead">{t.text("linkRequestLead")}</p>
        <ProblemNote frame={frame} t={t} problem={problem} />
        <Form frame={frame}>
          <IdentifierField t={t} kinds={kinds} identifier={undefined} problem={problem} />
          <FormAction value="send-link">{t.text("linkRequestSubmit")}</FormAction>
        </Form>
      </>
    ),
  };
}
