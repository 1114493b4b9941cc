import * as z from "zod";

const key = z.string().min(1).max(255);
const value = z.union([z.string().max(255), z.boolean()]);
const sync = z.union([z.boolean(), z.enum(["true", "false"])], { error: 'must be true, false, "true" or "false"' });
const description = 'Data for your tools. On the control plane, `sync: false` (or `"false"`) excludes the role or API from child tenants';

/** The metadata of an API or a role. */
export const sharedMetadataSchema = z.record(key, value).meta({ description });

/** The metadata in the body of a create or update request. `null` removes a key. */
export const sharedMetadataChangeSchema = z
  .record(key, value.nullable())
  .superRefine((metadata, context) => {
    const { sync: sent = null } = metadata;
    if (sent === null) return;
    const { error } = sync.safeParse(sent);
    if (error !== undefined) context.addIssue({ code: "custom", path: ["sync"], message: error.issues[0]?.message ?? "" });
  })
  .meta({ description, properties: { sync: { enum: [true, false, "true", "false", null] } } });
