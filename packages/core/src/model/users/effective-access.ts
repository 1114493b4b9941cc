import * as z from "zod";
import { permissionSchema } from "../apis/roles.ts";

const next = z.string().exactOptional();

/** A page of the permissions that a user has for one API. */
export const effectivePermissionsSchema = z
  .strictObject({
    permissions: z.array(
      permissionSchema
        .extend({
          sources: z.array(z.enum(["direct", "roles"])).meta({ description: "`direct`: assigned to the user. `roles`: by a role" }),
        })
        .meta({ id: "EffectivePermission" }),
    ),
    next,
  })
  .meta({ id: "EffectivePermissions" });

/** A page of the roles that a user has, or of those of them that grant a permission. */
export const effectiveRolesSchema = z
  .strictObject({
    roles: z.array(
      z
        .strictObject({ id: z.string(), name: z.string(), description: z.string(), sources: z.array(z.literal("direct")) })
        .meta({ id: "EffectiveRole" }),
    ),
    next,
  })
  .meta({ id: "EffectiveRoles" });
