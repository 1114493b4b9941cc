import * as z from "zod";
import { maximumClientIdLength } from "../clients/client-id.ts";
import { metadataFieldsSchema } from "./metadata-fields.ts";

/** The sections of the account page, in their order on the page. */
export const accountSectionNames = [
  "profile",
  "addresses",
  "username",
  "password",
  "security",
  "sessions",
  "apps",
  "linked_accounts",
  "organizations",
  "language",
  "events",
  "export",
  "deletion",
] as const;

/** The name of a section of the account page. Also the last part of the section's path. */
export type AccountSectionName = (typeof accountSectionNames)[number];

/** Whether users see a section of the account page. `read_only`: they see it, and change nothing there. */
const visibilitySchema = z.enum(["shown", "read_only", "hidden"]);

/** Whether users see a section of the account page, and may make changes there. */
export type SectionVisibility = z.infer<typeof visibilitySchema>;

const section = visibilitySchema.exactOptional();

/**
 * The tenant setting `account_page`, a Postern extension: the page on which users see and change their account. By
 * default it has only the section `security`.
 */
export const accountPageSchema = z.strictObject({
  /** The first-party client whose users sign in at the page, if its URL names no other client. */
  client_id: z.string().min(1).max(maximumClientIdLength).exactOptional(),
  sections: z
    .strictObject({
      profile: section,
      addresses: section,
      username: section,
      password: section,
      security: section,
      sessions: section,
      apps: section,
      linked_accounts: section,
      organizations: section,
      language: section,
      events: section,
      export: section,
      deletion: section,
    })
    .exactOptional(),
  /** The number of days from the request of a user to delete their account until it is deleted. Default: 14. */
  deletion_days: z.int().min(1).max(90).exactOptional(),
  /** The fields of `user_metadata` that users change in the section `profile` and with the My Account API. Default: none. */
  metadata_fields: metadataFieldsSchema.exactOptional(),
});
