import type { JSX } from "preact";
import type { IdentifierScreen } from "./step.ts";
import type { Drawing, Drawn, StepDrawing } from "../../kit/drawing.ts";
import { Invited } from "../../kit/invited.tsx";
import { Action, describedByProblem, Form, Name, ProblemNote } from "../../kit/form.tsx";

type Kinds = IdentifierScreen["kinds"];

/** Asks who somebody is. */
export function drawIdentifier({ frame, say, problem }: StepDrawing, { identifier, kinds, invitation }: IdentifierScreen): Drawn {
  return {
    title: say.text("identifierTitle"),
    pictures: [invitation?.organization.logoUrl],
    content: (
      <>
        {invitation === undefined ? <Lead frame={frame} say={say} /> : <Invited say={say} invitation={invitation} />}
        <ProblemNote frame={frame} say={say} problem={problem} />
        <Form frame={frame}>
          <div class="field">
            <label for="identifier">{say.text(labelFor(kinds))}</label>
            <input
              id="identifier"
              name="identifier"
              class="input"
              {...keyboardFor(kinds)}
              value={identifier}
              autocomplete="username"
              autocapitalize="none"
              enterkeyhint="next"
              spellcheck={false}
              dir="auto"
              maxlength={320}
              required
              autofocus
              {...describedByProblem(problem)}
            />
          </div>
          <Action value="continue">{say.text("identifierContinue")}</Action>
        </Form>
      </>
    ),
  };
}

/** Says where signing in leads, as far as the page knows. */
export function Lead({ frame, say }: Drawing): JSX.Element {
  const { clientName, tenantName } = frame;
  return (
    <p class="lead">
      {clientName === undefined || clientName === ""
        ? say.pieces("identifierLeadPlain", { tenant: <Name>{tenantName}</Name> })
        : say.pieces("identifierLead", { client: <Name>{clientName}</Name> })}
    </p>
  );
}

function labelFor(
  kinds: Kinds,
): "labelEmail" | "labelUsername" | "labelPhone" | "labelEmailUsername" | "labelEmailPhone" | "labelUsernamePhone" | "labelAny" {
  const [email, username, phone] = [kinds.includes("email"), kinds.includes("username"), kinds.includes("phone")];
  if (email && username && phone) return "labelAny";
  if (email && username) return "labelEmailUsername";
  if (email && phone) return "labelEmailPhone";
  if (username && phone) return "labelUsernamePhone";
  if (username) return "labelUsername";
  return phone ? "labelPhone" : "labelEmail";
}

/** The on-screen keyboard that suits what is typed. Never `type="email"`: browsers refuse addresses there that mail servers accept. */
function keyboardFor(kinds: Kinds): { readonly type: "text" | "tel"; readonly inputmode: "email" | "text" | "tel" } {
  if (kinds.length === 1 && kinds[0] === "phone") return { type: "tel", inputmode: "tel" };
  return { type: "text", inputmode: kinds.includes("email") ? "email" : "text" };
}
