import type { FieldSelection } from "../../http/field-selection.ts";
import { listFieldSelectionSchema } from "../../http/pagination.ts";

const { fields, include_fields } = listFieldSelectionSchema.shape;

/** The query parameters that select fields of connections. Use them together with {@link selectId}. */
export const connectionSelection = {
  fields: fields.meta({ description: "A comma-separated list. `id` is always selected" }),
  include_fields,
};

/** Adds `id` to the selected fields, as Auth0 does. Terraform identifies connections by it. */
export function selectId<Query extends FieldSelection>(query: Query): Query {
  const { fields: names, include_fields: include = true } = query;
  return names === undefined || names === "" || !include ? query : { ...query, fields: `${names},id` };
}
