import * as z from "zod";

/** The progress of the choice of an organization. */
export const organizationProgress = {
  /** The id of the organization that the user chose. */
  organization_id: z.string().exactOptional(),
};
