import * as z from "zod";
import { emailSchema } from "../email-address.ts";

/** The body of `POST /api/v2/guardian/enrollments/ticket`. */
export const createEnrollmentTicketSchema = z
  .strictObject({
    user_id: z.string().min(1).max(255),
    email: emailSchema
      .exactOptional()
      .meta({ description: "The email address that the link is sent to. Default: the email address of the user. Only with `send_mail`" }),
    send_mail: z.boolean().exactOptional().meta({ description: "Whether the link is sent by email. Default false" }),
    email_locale: z
      .string()
      .regex(/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/, "must be a language tag")
      .max(35)
      .exactOptional()
      .meta({ description: "The language of the email and of the page, for example `pt-BR`" }),
    factor: z.enum(["push-notification", "phone", "email", "otp", "webauthn-roaming", "webauthn-platform"]).exactOptional().meta({
      description:
        "The only factor that the user may add. Default: the user chooses. Postern accepts `otp`, `phone` and `webauthn-roaming`",
    }),
    allow_multiple_enrollments: z
      .boolean()
      .exactOptional()
      .meta({ description: "Whether a user who has a factor may add another one. Default false" }),
  })
  .meta({ id: "CreateEnrollmentTicket" });

/** The link with which the user adds a factor. It must be sent only to that user. */
export const enrollmentTicketReplySchema = z
  .strictObject({
    ticket_id: z.string().meta({ description: "Identifies the ticket in the log. Gives no access" }),
    ticket_url: z.url(),
  })
  .meta({ id: "EnrollmentTicket" });
