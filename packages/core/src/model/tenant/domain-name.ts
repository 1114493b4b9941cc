import * as z from "zod";

const label = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

/** A host name that can be used in a URL: labels, and a top-level domain that contains only letters. */
export const domainNameSchema = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(new RegExp(`^(${label}\\.)+[a-z]{2,63}$`), "must be a host name such as login.example.com");

/** Returns `true` if a string is a valid host name. */
export function isDomainName(text: string): boolean {
  return domainNameSchema.safeParse(text).success;
}
