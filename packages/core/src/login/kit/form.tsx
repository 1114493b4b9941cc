import type { ComponentChildren, JSX } from "preact";
import type { Translate } from "../../locales/translate.ts";
import type { FlowProblem, PageFrame } from "../screen.ts";
import { Icon } from "./icons.tsx";

/** What every screen is drawn from. */
export interface Drawing {
  readonly frame: PageFrame;
  readonly say: Translate;
}

/** What a screen gives to its page. */
export interface Drawn {
  readonly title: string;
  readonly content: ComponentChildren;
  /** Stands where the tenant's mark would be. */
  readonly mark?: ComponentChildren;
  /** The screen tells that something went wrong. */
  readonly problem?: boolean;
}

/** A form of the page: posts to where the frame says, with its hidden fields. */
export function Form({
  frame,
  children,
  class: name,
}: {
  readonly frame: PageFrame;
  readonly children: ComponentChildren;
  readonly class?: string;
}): JSX.Element {
  return (
    <form method="post" action={frame.action} class={name}>
      {Object.entries(frame.hidden).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      {children}
    </form>
  );
}

/** What a person can do, as the button that says so. */
export function Action({ value, kind = "main", children, label }: ActionProps): JSX.Element {
  return (
    <button type="submit" name="action" value={value} class={`button ${kind}`} aria-label={label}>
      {children}
    </button>
  );
}

interface ActionProps {
  readonly value: string;
  readonly kind?: "main" | "second" | "small" | "row";
  readonly children: ComponentChildren;
  /** What it is called where its text alone is too short. Begins with that text. */
  readonly label?: string;
}

/** Somebody's or something's name inside a sentence, whatever direction it is written in. */
export function Name({ children }: { readonly children: string }): JSX.Element {
  return <bdi class="name">{children}</bdi>;
}

const problemTexts = {
  "identifier-missing": "identifierMissing",
  "password-missing": "passwordMissing",
  "wrong-credentials": "wrongCredentials",
  "too-many-attempts": "tooManyAttempts",
  blocked: "blocked",
  "try-again": "tryAgain",
  "password-too-weak": "passwordTooWeak",
  "password-too-common": "passwordTooCommon",
  "password-personal": "passwordPersonal",
} as const;

/** What the field that a problem belongs to says about it. */
export function describedByProblem(problem: FlowProblem | undefined): JSX.InputHTMLAttributes<HTMLInputElement> {
  if (problem === undefined) return {};
  const isTheFields = problem !== "too-many-attempts" && problem !== "blocked" && problem !== "try-again";
  return { "aria-describedby": "problem", ...(isTheFields && { "aria-invalid": "true" }) };
}

/** Says why the screen is shown again. */
export function Problem({ frame, say, problem }: Drawing & { readonly problem: FlowProblem | undefined }): JSX.Element | null {
  if (problem === undefined) return null;
  const key = problemTexts[problem];
  return (
    <div class="problem" id="problem" role="alert">
      <Icon name={problem === "too-many-attempts" ? "clock" : "alert"} />
      <p>{key === "blocked" ? say.pieces(key, { tenant: <Name>{frame.tenantName}</Name> }) : say.text(key)}</p>
    </div>
  );
}
