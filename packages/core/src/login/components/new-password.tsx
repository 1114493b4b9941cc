import type { JSX } from "preact";
import type { NewPasswordRule } from "../new-password.ts";
import type { Problem } from "../step.ts";
import { PasswordField } from "./account.tsx";
import { demandsOf, passwordRulesText, type Demand } from "./demands.ts";
import type { Drawing } from "./drawing.ts";
import { Icon } from "./icons.tsx";

/**
 * Renders the field for a new password, with a list of the requirements. After a rejected password, the list marks the
 * requirements that the password did not meet. With JavaScript, the list also marks the requirements that the current
 * input meets (`new-password-script.ts`).
 */
export function NewPasswordField({ t, account, label, rules, problem }: NewPasswordProps): JSX.Element {
  const demands = demandsOf(t, rules);
  const [least] = rules.flatMap(({ code, format = [] }) => (code === "lengthAtLeast" ? [Number(format[0])] : []));
  return (
    <div class="field">
      <PasswordField
        t={t}
        account={account}
        label={label}
        autocomplete="new-password"
        problem={problem}
        demands={demands.length === 0 ? undefined : "demands"}
        least={least}
        rules={passwordRulesText(rules)}
      />
      {demands.length > 0 && (
        <>
          <ul
            class="demands"
            id="demands"
            data-demands-of="password"
            data-kept={t.text("demandKept")}
            data-open={t.text("demandOpen")}
            data-some={t.text("demandsSome", { count: "{count}", total: String(demands.length) })}
            data-all={t.text("demandsAll")}
          >
            {demands.map((demand) => (
              <Line key={demand.text} t={t} demand={demand} />
            ))}
          </ul>
          <p class="unseen" role="status" id="demands-status" />
        </>
      )}
    </div>
  );
}

/** Renders a requirement. An icon and a text express its state, not color alone. */
function Line({ t, demand }: Pick<Drawing, "t"> & { readonly demand: Demand }): JSX.Element {
  const { text, kept, patterns, least, mostInSequence } = demand;
  return (
    <li
      class={kept === undefined ? undefined : kept ? "kept" : "lacking"}
      data-patterns={JSON.stringify(patterns)}
      data-least={least}
      data-sequence={mostInSequence}
    >
      <Icon name="ring" />
      <Icon name="check" />
      <Icon name="cross" />
      <span>
        {text}
        <span class="unseen verdict">{kept === undefined ? "" : ` ${t.text(kept ? "demandKept" : "demandOpen")}`}</span>
      </span>
    </li>
  );
}

interface NewPasswordProps extends Pick<Drawing, "t"> {
  /**
   * The account that the password belongs to, for password managers. Omitted if the form has a separate field for it.
   */
  readonly account?: string;
  readonly label: string;
  /** The rules from the step's screen (`rulesFor` in `new-password.ts`). */
  readonly rules: readonly NewPasswordRule[];
  readonly problem: Problem | undefined;
}
