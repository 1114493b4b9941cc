import type { ComponentChildren, JSX } from "preact";
import type { Problem, ProblemText } from "../step.ts";
import type { Drawing, PageFrame } from "./drawing.ts";
import { breakable } from "./address.tsx";
import { Icon, type IconName } from "./icons.tsx";

/**
 * A form of the page: posts to the action of the frame, with its hidden fields. The page validates the fields instead
 * of the browser, whose messages would be in the browser's language.
 */
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

/** The button of an action. */
export function FormAction({ value, kind = "main", children, label, waits = 0 }: ActionProps): JSX.Element {
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
  /** The accessible name, if the text alone is too short. It starts with that text. */
  readonly label?: string;
  /** Seconds before the button should be used: the script counts them. Default: none. */
  readonly waits?: number;
}

/** The number of characters above which a name is cut in a sentence. */
const longName = 60;

/**
 * A name in a sentence, in its own text direction. A long name is cut visually to a line; screen readers read all of
 * it.
 */
export function Name({ children }: { readonly children: string }): JSX.Element {
  const long = children.length > longName;
  return (
    <bdi class={long ? "name long" : "name"} title={long ? children : undefined}>
      {children}
    </bdi>
  );
}

/** A name outside a sentence: at most two lines are visible; screen readers and the tooltip have all of it. */
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

/** Returns the ARIA attributes of a field for the problem of its page. Empty if the problem is about another field. */
export function describedByProblem(problem: Problem | undefined, field: string): JSX.InputHTMLAttributes<HTMLInputElement> {
  if (problem === undefined) return {};
  if (problem.field === undefined) return { "aria-describedby": "problem" };
  return problem.field === field ? { "aria-describedby": "problem", "aria-invalid": "true" } : {};
}

/** Problems that have a specific icon. */
const icons: { readonly [Text in ProblemText]?: IconName } = {
  tooManyAttempts: "clock",
  tooManyAttemptsOrReset: "clock",
  blocked: "barred",
};

/** Shows why the screen is shown again. The page's script reports empty fields at the same place. */
export function ProblemNote({ frame, t, problem }: Drawing & { readonly problem: Problem | undefined }): JSX.Element {
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
          <p>{t.pieces(problem.text, { tenant: <Name>{frame.tenantName}</Name> })}</p>
        </div>
      )}
    </>
  );
}
