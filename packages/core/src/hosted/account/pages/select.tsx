import type { JSX } from "preact";

/** A value that the user can choose, and its text. */
export interface SelectChoice {
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly id: string;
  readonly label: string;
  /** The text of the choice that removes the value. */
  readonly unset: string;
  /** An empty string if no value is chosen. */
  readonly chosen: string;
  readonly choices: readonly SelectChoice[];
}

/** Renders a field in which the user chooses one value or none. */
export function Select({ id, label, unset, chosen, choices }: SelectProps): JSX.Element {
  return (
    <div class="field">
      <label for={id}>
        <bdi>{label}</bdi>
      </label>
      <select id={id} name={id} class="input">
        <option value="" selected={chosen === ""}>
          {unset}
        </option>
        {choices.map(({ value, label: text }) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
