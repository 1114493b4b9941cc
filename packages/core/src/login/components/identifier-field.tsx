import type { JSX } from "preact";
import type { IdentifierKind } from "../../identity/login/identifier.ts";
import type { Problem, ProblemText } from "../step.ts";
import type { Drawing } from "./drawing.ts";
import { describedByProblem } from "./form.tsx";

type Kinds = readonly IdentifierKind[];

/** Renders the field for the visitor's identifier. `kinds` lists the kinds of identifiers that are accepted. */
export function IdentifierField({ t, kinds, identifier, problem, offersPasskeys = false }: IdentifierProps): JSX.Element {
  const [label, missing] = wordsFor(kinds);
  return (
    <div class="field">
      <label for="identifier">{t.text(label)}</label>
      <input
        id="identifier"
        name="identifier"
        class="input"
        {...keyboardFor(kinds)}
        value={identifier}
        autocomplete={offersPasskeys ? "username webauthn" : "username"}
        autocapitalize="none"
        enterkeyhint="next"
        spellcheck={false}
        dir="auto"
        maxlength={320}
        required
        data-missing={t.text(missing)}
        autofocus
        {...describedByProblem(problem, "identifier")}
      />
    </div>
  );
}

interface IdentifierProps extends Pick<Drawing, "t"> {
  readonly kinds: Kinds;
  readonly identifier: string | undefined;
  readonly problem: Problem | undefined;
  /** Whether the browser offers passkeys in the field (WebAuthn conditional mediation). Default: false. */
  readonly offersPasskeys?: boolean;
}

/** Returns the message for an empty identifier field. */
export function missingText(kinds: Kinds): ProblemText {
  return wordsFor(kinds)[1];
}

/** The label of the field and the message for an empty field, for every combination of identifier kinds. */
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

/**
 * Returns the input attributes that select the on-screen keyboard for the accepted kinds. The type is never `email`,
 * because browsers then reject addresses that mail servers accept.
 */
function keyboardFor(kinds: Kinds): { readonly type: "text" | "tel"; readonly inputmode: "email" | "text" | "tel" } {
  if (kinds.length === 1 && kinds[0] === "phone") return { type: "tel", inputmode: "tel" };
  return { type: "text", inputmode: kinds.includes("email") ? "email" : "text" };
}
