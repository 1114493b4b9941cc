import type { ComponentChildren, JSX } from "preact";
import type { Problem, ProblemText } from "../step.ts";
import type { Drawing, PageFrame } from "./drawing.ts";
import { breakable } from "./address.tsx";
import { Icon, type IconName } from "./icons.tsx";

/** A form of the page: posts to the action of the frame, with its hidden fields. The page validates the fields, not the browser: the browser's messages would be in its own language. */
export function Form({
  frame,
  children,
  class: name,
  id,
}: {
  readonly frame: PageFrame;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly id?: string;
}): JSX.Element {
  return (
    <form method="post" action={frame.action} class={name} id={id} novalidate>
      {Object.entries(frame.hidden).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      {children}
    </form>
  );
}

/** What a person can do, as the button that says so. */
export function Action({ value, kind = "main", children, label, waits = 0 }: ActionProps): JSX.Element {
  return (
    <button
      type="submit"
      name="action"
      value={value}
      class={`button ${kind}`}
      aria-label={label}
      {...(waits > 0 && { "data-waits": waits })}
    >
      {children}
      {waits > 0 && <span class="waits" aria-hidden="true" />}
    </button>
  );
}

interface ActionProps {
  readonly value: string;
  readonly kind?: "main" | "second" | "small" | "row";
  readonly children: ComponentChildren;
  /** What it is called where its text alone is too short. Begins with that text. */
  readonly label?: string;
  /** Seconds before it should be used: with a script it counts them. Default: none. */
  readonly waits?: number;
}

/** Characters from which on a name would take more than its share of a sentence. */
const longName = 60;

/** Somebody's or something's name inside a sentence, whatever direction it is written in. A long one is cut to a line for the eye; whoever hears it hears all. */
export function Name({ children }: { readonly children: string }): JSX.Element {
  const long = children.length > longName;
  return (
    <bdi class={long ? "name long" : "name"} title={long ? children : undefined}>
      {children}
    </bdi>
  );
}

/** A name that stands by itself: two lines of it, and the whole for whoever hears it or points at it. */
export function Clamped({ children, class: name, id }: ClampedProps): JSX.Element {
  return (
    <bdi id={id} class={name === undefined ? "clamped" : `${name} clamped`} title={children.length > longName / 2 ? children : undefined}>
      {breakable(children)}
    </bdi>
  );
}

interface ClampedProps {
  readonly children: string;
  readonly class?: string;
  readonly id?: string;
}

/** What a field says about the problem of its page. Nothing where that is about another field. */
export function describedByProblem(problem: Problem | undefined, field: string): JSX.InputHTMLAttributes<HTMLInputElement> {
  if (problem === undefined) return {};
  if (problem.field === undefined) return { "aria-describedby": "problem" };
  return problem.field === field ? { "aria-describedby": "problem", "aria-invalid": "true" } : {};
}

/** Problems that are told with a drawing of their own. */
const icons: { readonly [Text in ProblemText]?: IconName } = {
  tooManyAttempts: "clock",
  tooManyAttemptsOrReset: "clock",
  blocked: "barred",
};

/** Says why the screen is shown again. What the page's script says of empty fields appears at the same place. */
export function ProblemNote({ frame, say, problem }: Drawing & { readonly problem: Problem | undefined }): JSX.Element {
  return (
    <>
      <template id="problem-template">
        <div class="problem" role="alert">
          <Icon name="alert" />
          <p />
        </div>
      </template>
      {problem !== undefined && (
        <div class="problem" id="problem" role="alert">
          <Icon name={icons[problem.text] ?? "alert"} />
          <p>{say.pieces(problem.text, { tenant: <Name>{frame.tenantName}</Name> })}</p>
        </div>
      )}
    </>
  );
}
