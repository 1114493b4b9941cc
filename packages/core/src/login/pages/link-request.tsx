import type { IdentifierKind } from "../../identity/login/identifier.ts";
import type { Drawing, Drawn } from "../components/drawing.ts";
import { Action, Form, ProblemNote } from "../components/form.tsx";
import { IdentifierField, missingText } from "../components/identifier-field.tsx";
import { identifierMissing } from "../steps/problems.ts";

/** What {@link drawLinkRequest} shows. */
export interface LinkRequest {
  /** What accounts are known by here. */
  readonly kinds: readonly IdentifierKind[];
  /** Nobody was named. */
  readonly missing: boolean;
}

/** Asks who wants a link to set a new password. */
export function drawLinkRequest({ frame, say }: Drawing, { kinds, missing }: LinkRequest): Drawn {
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
