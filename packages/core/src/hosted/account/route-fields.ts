import * as z from "zod";
import { keyResponseField } from "../../login/steps/webauthn/key-response.ts";
import { messageTypeSchema } from "../../model/factors/multifactor.ts";
import { clientIdSchema } from "../../model/clients/client-id.ts";

/** A short parameter. */
const short = z.string().max(40).exactOptional();
/** The id of an object that a page shows. */
const idSchema = z.string().max(300).exactOptional();
const newFactorSchema = z.string().max(150).exactOptional();

/** The parameters that name the client and the page that the visitor comes from. */
export const accountPlaceFields = {
  client_id: clientIdSchema.exactOptional().meta({
    description:
      "The first-party client at which a visitor without a session signs in. Default: the `client_id` of the tenant's setting `account_page`",
  }),
  returnTo: z
    .string()
    .max(2048)
    .exactOptional()
    .meta({ description: "The URL to which the page links back. It must have the origin of one of the client's callback URLs" }),
  tenant: z
    .string()
    .max(63)
    .exactOptional()
    .meta({ description: "On a host that several tenants share: the id of the tenant. The links and forms of the page contain it" }),
};

/** The parameters that select a page of a section. */
const viewFields = { view: short, id: idSchema, type: short, new: newFactorSchema };

/** The parameters of a section. Each section reads those that it needs. */
export const sectionQuerySchema = z.looseObject({
  ...accountPlaceFields,
  ...viewFields,
  use: short,
  destination: idSchema,
  sent: short,
  channel: short,
  problem: short,
  correction: z.string().max(300).exactOptional(),
  unkept: z.string().max(500).exactOptional(),
  done: short,
});

/** The fields of every form of a section. */
export const sectionFormFields = {
  ...accountPlaceFields,
  ...viewFields,
  csrf: z.string().max(150),
  action: z.string().max(40),
  factor: short,
  destination: idSchema,
  current_factor: short,
  current_destination: idSchema,
  channel: messageTypeSchema.exactOptional(),
  current_channel: short,
  code: z.string().max(100).exactOptional(),
  response: keyResponseField,
  phone: z.string().max(100).exactOptional(),
  name: z.string().max(500).exactOptional(),
} as const;
