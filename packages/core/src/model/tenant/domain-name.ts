import * as z from "zod";

const label = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

/** A name that requests can come in on: labels and a top-level domain of letters. */
export const DomainName = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(new RegExp(`^(${label}\\.)+[a-z]{2,63}$`), "must be a host name such as login.example.com");

/** Whether text is a name that requests can come in on. */
export function isDomainName(text: string): boolean {
  return DomainName.safeParse(text).success;
}
