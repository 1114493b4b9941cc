import type { JSX } from "preact";
import type { IdentifierKind } from "../../identity/login/identifier.ts";
import type { Problem, ProblemText } from "../step.ts";
import type { Drawing } from "./drawing.ts";
import { describedByProblem } from "./form.tsx";

type Kinds = readonly IdentifierKind[];

/** The field in which somebody says who they are, by whatever accounts are known by here. */
export function IdentifierField({ say, kinds, identifier, problem }: IdentifierProps): JSX.Element {
  const [label, missing] = wordsFor(kinds);
  return (
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
  );
}

interface IdentifierProps extends Pick<Drawing, "say"> {
  readonly kinds: Kinds;
  readonly identifier: string | undefined;
  readonly problem: Problem | undefined;
}

/** What is said where the field is empty. */
export function missingText(kinds: Kinds): ProblemText {
  return wordsFor(kinds)[1];
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
