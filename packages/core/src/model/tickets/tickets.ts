import * as z from "zod";
import { Email } from "../fields.ts";

/** Maximum lifetime in seconds: a year. Auth0 sets no limit. */
const longestLifetime = 365 * 24 * 60 * 60;

const id = z.string().min(1).max(64);

/** An identity of a user. `user_id` is the part after the pipe. */
export const Identity = z.strictObject({
  user_id: z.string().min(1).max(255),
  provider: z.string().min(1).max(64),
  connection_id: id.exactOptional(),
});

const common = {
  result_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .exactOptional()
    .meta({ description: "Where the person goes on afterwards" }),
  client_id: id.exactOptional().meta({ description: "Where the person goes on if no `result_url` says so" }),
  organization_id: id.exactOptional().meta({ description: "In whose look the page is shown" }),
  ttl_sec: z.int().min(0).max(longestLifetime).exactOptional().meta({ description: "Seconds. 0 or left out: five days" }),
  includeEmailInRedirect: z.boolean().default(false).meta({ description: "`result_url` is told the e-mail address" }),
  identity: Identity.exactOptional(),
};

/** The body of `POST /api/v2/tickets/email-verification`. */
export const CreateVerificationTicket = z
  .strictObject({ ...common, user_id: z.string().min(1).max(255) })
  .meta({ id: "CreateVerificationTicket" });

/** The body of `POST /api/v2/tickets/password-change`. */
export const CreatePasswordTicket = z
  .strictObject({
    ...common,
    user_id: z.string().min(1).max(255).exactOptional(),
    email: Email.exactOptional(),
    connection_id: id.exactOptional().meta({ description: "With `email`: the database that knows the address" }),
    mark_email_as_verified: z.boolean().default(false).meta({ description: "Whoever sets the password has proved the address" }),
  })
  .refine(
    ({ user_id: userId, email, connection_id: connection }) =>
      userId === undefined ? email !== undefined && connection !== undefined : email === undefined && connection === undefined,
    "must have 'user_id', or 'email' and 'connection_id'",
  )
  .meta({ id: "CreatePasswordTicket" });

export type CreateVerificationTicket = z.output<typeof CreateVerificationTicket>;
export type CreatePasswordTicket = z.output<typeof CreatePasswordTicket>;

/** The URL of a page that acts on behalf of a user. Send it to that user only. */
export const TicketReply = z.strictObject({ ticket: z.url() }).meta({ id: "Ticket" });
