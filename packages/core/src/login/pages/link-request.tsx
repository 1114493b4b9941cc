import type { IdentifierKind } from "../../identity/login/identifier.ts";
import type { Drawing, PageParts } from "../components/drawing.ts";
import { Action, Form, ProblemNote } from "../components/form.tsx";
import { IdentifierField, missingText } from "../components/identifier-field.tsx";
import { identifierMissing } from "../steps/problems.ts";

/** The data of {@link drawLinkRequest}. */
export interface LinkRequest {
  /** The kinds of identifiers that are accepted. */
  readonly kinds: readonly IdentifierKind[];
  /** The identifier was empty. */
  readonly missing: boolean;
}

/** Asks for the account that needs a link to set a new password. */
export function drawLinkRequest({ frame, say }: Drawing, { kinds, missing }: LinkRequest): PageParts {
  const problem = missing ? { ...identifierMissing, text: missingText(kinds) } : undefined;
  return {
    title: say.text("resetTitle"),
    problem: missing,
    content: (
      <>
        <p class="lead">{say.text("linkRequestLead")}</p>
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          <IdentifierField say={say} kinds={kinds} identifier={undefined} problem={problem} />
          <Action value="send-link">{say.text("linkRequestSubmit")}</Action>
        </Form>
      </>
    ),
  };
}
