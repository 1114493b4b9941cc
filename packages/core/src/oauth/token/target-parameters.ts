import * as z from "zod";

/** The parameters of grants that name what the tokens are for. A grant describes its own defaults with `meta`. */

/** RFC 6749 section 3.3. */
export const scopeParameter = z.string().max(10_000).exactOptional();

/** The identifier of an API, as in Auth0. */
export const audienceParameter = z.string().min(1).max(600).exactOptional();

/** The identifier of an API (RFC 8707 section 2). */
export const resourceParameter = z.string().min(1).max(600).exactOptional();

/** The id or the name of an organization, as in Auth0. */
export const organizationParameter = z.string().min(1).max(255).exactOptional();
