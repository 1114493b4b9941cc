import type { ComponentChildren, JSX } from "preact";
import type { Problem, ProblemText } from "../step.ts";
import type { Drawing, PageFrame } from "./drawing.ts";
import { Address, breakable } from "./address.tsx";
import { Icon, type IconName } from "./icons.tsx";

/**
 * Renders a form that posts to the URL in the frame, with the hidden fields in the frame. The page script validates the
 * fields instead of the browser, whose messages would be in the browser's language.
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

/** Renders the button that submits an action. */
export function FormAction({ value, kind = "main", children, label, waits = 0, disabled = false }: ActionProps): JSX.Element {
  return (
    <button
      type="submit"
      name="action"
      value={value}
      class={`button ${kind}`}
      aria-label={label}
      disabled={disabled}
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
  /** The accessible name, if the visible text alone is not descriptive enough. It starts with the visible text. */
  readonly label?: string;
  /** Seconds until the visitor should use the button. The page script counts them down. Default 0. */
  readonly waits?: number;
  /** Whether the button has no effect now. Default false. */
  readonly disabled?: boolean;
}

/** The number of characters above which a name in a sentence is cut visually. */
const longName = 60;

/**
 * Renders a name in a sentence, in its own text direction. A long name is cut visually to one line; screen readers read
 * the whole name.
 */
export function Name({ children }: { readonly children: string }): JSX.Element {
  const long = children.length > longName;
  return (
    <bdi class={long ? "name long" : "name"} title={long ? children : undefined}>
      {children}
    </bdi>
  );
}

/**
 * Renders a name outside a sentence. At most two lines of the name are visible; screen readers and the tooltip have the
 * whole name.
 */
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

/**
 * Returns the ARIA attributes that connect a field with the problem on its page. Returns none if the problem is about
 * another field.
 */
export function describedByProblem(problem: Problem | undefined, field: string): JSX.InputHTMLAttributes<HTMLInputElement> {
  if (problem === undefined) return {};
  if (problem.field === undefined) return { "aria-describedby": "problem" };
  return problem.field === field ? { "aria-describedby": "problem", "aria-invalid": "true" } : {};
}

/** The icons of problems, by the problem's text. Other problems have the default icon. */
const icons: { readonly [Text in ProblemText]?: IconName } = {
  tooManyAttempts: "clock",
  tooManyAttemptsOrReset: "clock",
  blocked: "barred",
};

/** Renders the reason why the screen is shown again. The page script reports empty fields in the same element. */
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
          <p>
            {t.pieces(problem.text, { tenant: <Name>{frame.tenantName}</Name>, number: <Address>{problem.correction ?? ""}</Address> })}
          </p>
        </div>
      )}
    </>
  );
}
