import * as z from "zod";
import { emailSchema } from "../email-address.ts";
import { webUrl } from "../fields.ts";
import { clientIdSchema } from "../clients/client-id.ts";

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
  result_url: webUrl("web", 2048).exactOptional().meta({ description: "The URL that the user is redirected to after completing the page" }),
  client_id: clientIdSchema.exactOptional().meta({ description: "The client to which the user continues if there is no `result_url`" }),
  organization_id: id.exactOptional().meta({ description: "The organization whose branding the page uses" }),
  ttl_sec: z.int().min(0).max(maximumLifetime).exactOptional().meta({ description: "The lifetime in seconds. If omitted or 0, five days" }),
  includeEmailInRedirect: z.boolean().default(false).meta({ description: "Whether the email address is added to `result_url`" }),
  identity: ticketIdentitySchema.exactOptional(),
};

/** The body of `POST /api/v2/tickets/email-verification`. */
export const createVerificationTicketSchema = z
  .strictObject({ ...common, user_id: z.string().min(1).max(255) })
  .meta({ id: "CreateVerificationTicket" });

const forPassword = {
  ...common,
  mark_email_as_verified: z.boolean().default(false).meta({ description: "Whether setting the password verifies the email address" }),
};

/** The body of `POST /api/v2/tickets/password-change`. It identifies the user in one of two ways. */
export const createPasswordTicketSchema = z
  .union(
    [
      z.strictObject({ user_id: z.string().min(1).max(255), ...forPassword }),
      z.strictObject({
        email: emailSchema,
        connection_id: id.meta({ description: "The database that the account belongs to" }),
        ...forPassword,
      }),
    ],
    { error: "must have 'user_id', or 'email' and 'connection_id'" },
  )
  .meta({ id: "CreatePasswordTicket" });

/** The URL of a page on which its visitor acts as the user. It must be sent only to that user. */
export const ticketReplySchema = z.strictObject({ ticket: z.url() }).meta({ id: "Ticket" });
