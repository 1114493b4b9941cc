import type { JsonObject } from "../../store/value.ts";

/** The settings of the stages of a protection, by the name of the stage. */
interface Stages {
  readonly [name: string]: JsonObject;
}

/**
 * Returns the stages that a change sets, with the members that it omits from the current stages. A stage without members
 * stays unchanged, so it is not returned: Auth0's Terraform provider sends the stages that are not set as empty objects.
 */
export function changedStages(current: Stages, change: Stages): Stages {
  const sent = Object.entries(change).filter(([, stage]) => Object.keys(stage).length > 0);
  return Object.fromEntries(sent.map(([name, stage]) => [name, { ...current[name], ...stage }]));
}
