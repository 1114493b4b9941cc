import type { ComponentChildren, JSX } from "preact";
import type { Problem } from "../step.ts";
import type { Drawing, PageFrame } from "./drawing.ts";
import { Icon } from "./icons.tsx";

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

/** What the field that a problem belongs to says about it. */
export function describedByProblem(problem: Problem | undefined): JSX.InputHTMLAttributes<HTMLInputElement> {
  if (problem === undefined) return {};
  return { "aria-describedby": "problem", ...(problem.field !== undefined && { "aria-invalid": "true" }) };
}

/** Says why the screen is shown again. */
export function ProblemNote({ frame, say, problem }: Drawing & { readonly problem: Problem | undefined }): JSX.Element | null {
  if (problem === undefined) return null;
  return (
    <div class="problem" id="problem" role="alert">
      <Icon name={problem.field === undefined ? "clock" : "alert"} />
      <p>{say.pieces(problem.text, { tenant: <Name>{frame.tenantName}</Name> })}</p>
    </div>
  );
}
