import * as z from "zod";

/** The progress of the step that asks for an identifier. */
export const identifierProgress = {
  /** The identifier that the visitor entered. */
  identifier: z.string().exactOptional(),
};
