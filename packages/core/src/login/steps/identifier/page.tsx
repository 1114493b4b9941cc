import type { JSX } from "preact";
import type { IdentifierScreen } from "./step.ts";
import type { Drawing, Drawn, StepDrawing } from "../../kit/drawing.ts";
import { Invited } from "../../kit/invited.tsx";
import { Action, describedByProblem, Form, Name, ProblemNote } from "../../kit/form.tsx";

type Kinds = IdentifierScreen["kinds"];

/** Asks who somebody is. */
export function drawIdentifier(
  { frame, say, problem }: StepDrawing,
  { identifier, kinds, again = false, invitation }: IdentifierScreen,
): Drawn {
  const [label, missing] = wordsFor(kinds);
  return {
    title: say.text(again ? "againTitle" : "identifierTitle"),
    pictures: [invitation?.organization.logoUrl],
    content: (
      <>
        {invitation === undefined ? <Lead frame={frame} say={say} /> : <Invited say={say} invitation={invitation} />}
        <ProblemNote frame={frame} say={say} problem={problem && { ...problem, text: missing }} />
        <Form frame={frame}>
          <div class="field">
            <label for="identifier">{say.text(label)}</label>
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
              data-missing={say.text(missing)}
              autofocus
              {...describedByProblem(problem, "identifier")}
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

/** Every mixture of what accounts are known by: what the field is called, and what is said where it is empty. */
const words = {
  email: ["labelEmail", "missingEmail"],
  username: ["labelUsername", "missingUsername"],
  phone: ["labelPhone", "missingPhone"],
  "email username": ["labelEmailUsername", "missingEmailUsername"],
  "email phone": ["labelEmailPhone", "missingEmailPhone"],
  "username phone": ["labelUsernamePhone", "missingUsernamePhone"],
  "email username phone": ["labelAny", "identifierMissing"],
} as const;

function wordsFor(kinds: Kinds): (typeof words)[keyof typeof words] {
  const mixture = (["email", "username", "phone"] as const).filter((kind) => kinds.includes(kind)).join(" ");
  return words[isMixture(mixture) ? mixture : "email"];
}

function isMixture(kinds: string): kinds is keyof typeof words {
  return Object.hasOwn(words, kinds);
}

/** The on-screen keyboard that suits what is typed. Never `type="email"`: browsers refuse addresses there that mail servers accept. */
function keyboardFor(kinds: Kinds): { readonly type: "text" | "tel"; readonly inputmode: "email" | "text" | "tel" } {
  if (kinds.length === 1 && kinds[0] === "phone") return { type: "tel", inputmode: "tel" };
  return { type: "text", inputmode: kinds.includes("email") ? "email" : "text" };
}
