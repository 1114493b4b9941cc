import type { JSX } from "preact";
import type { FactorType } from "../../model/factors/factor-types.ts";
import type { PageFrame } from "./drawing.ts";
import { Form } from "./form.tsx";
import { Icon } from "./icons.tsx";

/** A factor that the user can choose. */
interface MethodRow {
  readonly factor: FactorType;
  /** The destination of the code, if the user has several of this type. */
  readonly destination?: string;
  readonly name: string;
  readonly detail?: string;
}

interface MethodRowsProps {
  readonly frame: PageFrame;
  /** The action that each row submits, with the factor in the field `factor` or the destination in `destination`. */
  readonly action: string;
  readonly rows: readonly MethodRow[];
}

/** Renders the list of the factors that the user can choose. */
export function MethodRows({ frame, action, rows }: MethodRowsProps): JSX.Element {
  return (
    <Form frame={frame} class="rows">
      <input type="hidden" name="action" value={action} />
      {rows.map(({ factor, destination, name, detail }) => (
        <button
          key={destination ?? factor}
          type="submit"
          name={destination === undefined ? "factor" : "destination"}
          value={destination ?? factor}
          class="button row"
        >
          <span class="row-text">
            <span class="row-name">{name}</span>
            {detail !== undefined && <bdi class="row-detail">{detail}</bdi>}
          </span>
          <Icon name="chevron" />
        </button>
      ))}
    </Form>
  );
}
