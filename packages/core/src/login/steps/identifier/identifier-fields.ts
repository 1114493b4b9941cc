import * as z from "zod";

/** The fields of a screen that requests the visitor's identifier. */
export const identifierFields = {
  identifier: z
    .string()
    .exactOptional()
    .meta({ description: "The identifier that the visitor entered before, or that the client suggests (`login_hint`)" }),
  kinds: z.array(z.enum(["email", "username", "phone"])).meta({ description: "The kinds of identifiers that are accepted" }),
};
