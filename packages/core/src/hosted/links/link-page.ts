import * as z from "zod";
import { keyResponseField } from "../../login/steps/webauthn/key-response.ts";
import { messageTypeSchema } from "../../model/factors/multifactor.ts";

/** The shared options of the routes for the pages behind mailed links. */
export const linkPage = {
  scopes: "public",
  errorFormat: "page",
  tenantHints: ["ticket"],
  responses: { 200: { error: "the page" }, 303: { error: "redirects to the page" }, 400: { error: "a page: the link is not valid" } },
} as const;

/** The text of a ticket in a link or a form. */
export const ticketTextSchema = z.string().max(200);

/** The factor that the user chose, and the phone or email address that receives its code. */
const chosenFactor = {
  factor: z.string().max(40).exactOptional(),
  destination: z.string().max(64).exactOptional(),
};

/** The parameters in the URL of a page on which a user passes a factor. */
export const linkFactorQuery = {
  problem: z.string().max(40).exactOptional(),
  ...chosenFactor,
  sent: z.string().max(10).exactOptional(),
  channel: z.string().max(10).exactOptional(),
};

/** The fields of the forms on a page on which a user passes a factor. */
export const linkFactorFields = {
  action: z.string().max(40).exactOptional(),
  code: z.string().max(100).exactOptional(),
  response: keyResponseField,
  ...chosenFactor,
  current_factor: z.string().max(40).exactOptional(),
  current_destination: z.string().max(64).exactOptional(),
  channel: messageTypeSchema.exactOptional(),
  current_channel: z.string().max(10).exactOptional(),
  rendering: z.string().max(100).exactOptional(),
};
