import * as z from "zod";
import { emailSchema } from "../email-address.ts";

/** Maximum lifetime of a ticket in seconds: one year. Auth0 has no maximum. */
const maximumLifetime = 365 * 24 * 60 * 60;

const id = z.string().min(1).max(64);

/** An identity of a user. `user_id` is the part of the user ID after the pipe. */
export const ticketIdentitySchema = z.strictObject({
  user_id: z.string().min(1).max(255),
  provider: z.string().min(1).max(64),
  connection_id: id.exactOptional(),
});

const common = {
  result_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .exactOptional()
    .meta({ description: "The URL that the user is redirected to after completing the page" }),
  client_id: id.exactOptional().meta({ description: "The client to which the user continues if there is no `result_url`" }),
  organization_id: id.exactOptional().meta({ description: "The organization whose branding the page uses" }),
  ttl_sec: z.int().min(0).max(maximumLifetime).exactOptional().meta({ description: "The lifetime in seconds. If omitted or 0, five days" }),
  includeEmailInRedirect: z.boolean().default(false).meta({ description: "Whether the email address is added to `result_url`" }),
  identity: ticketIdentitySchema.exactOptional(),
};

/** The body of `POST /api/v2/tickets/email-verification`. */
export const createVerificationTicketSchema = z
  .strictObject({ ...common, user_id: z.string().min(1).max(255) })
  .meta({ id: "CreateVerificationTicket" });

/** The body of `POST /api/v2/tickets/password-change`. */
export const createPasswordTicketSchema = z
  .strictObject({
    ...common,
    user_id: z.string().min(1).max(255).exactOptional(),
    email: emailSchema.exactOptional(),
    connection_id: id.exactOptional().meta({ description: "Required with `email`: the database that the account belongs to" }),
    mark_email_as_verified: z.boolean().default(false).meta({ description: "Whether setting the password verifies the email address" }),
  })
  .refine(
    ({ user_id: userId, email, connection_id: connection }) =>
      userId === undefined ? email !== undefined && connection !== undefined : email === undefined && connection === undefined,
    "must have 'user_id', or 'email' and 'connection_id'",
  )
  .meta({ id: "CreatePasswordTicket" });

/** The URL of a page on which its visitor acts as the user. It must be sent only to that user. */
export const ticketReplySchema = z.strictObject({ ticket: z.url() }).meta({ id: "Ticket" });
