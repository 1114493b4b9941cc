import type { FactorContext } from "./context.ts";

/** A code that was submitted with a form. */
interface SubmittedForm {
  /** The id of the rendering that the form comes from. */
  readonly rendering: string | undefined;
  readonly code: string;
}

/** Returns a fingerprint of a form with the code of a factor. Undefined if no form was submitted. */
export async function formOf(
  { tenant, boundTo }: Pick<FactorContext, "tenant" | "boundTo">,
  { rendering, code }: SubmittedForm,
): Promise<string | undefined> {
  return rendering && tenant.secrets.fingerprints.of("form of a factor", boundTo, rendering, code);
}
