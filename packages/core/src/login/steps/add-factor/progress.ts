import * as z from "zod";

/** The progress of a user who adds a factor. */
export const addFactorProgress = {
  /** The id of the factor that the user is adding. */
  new_factor: z.string().exactOptional(),
};

/** The progress of a user who enters the number of a new phone. */
export const newPhoneProgress = {
  /** The text that the user entered as the number of the new phone, if it was rejected. */
  rejected_phone: z.string().exactOptional(),
};
