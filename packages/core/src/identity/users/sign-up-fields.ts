import type { Row } from "../../store/schema.ts";
import { databaseOptions, type DatabaseOptions } from "../../model/connections/strategies/database-options.ts";

/** A kind of identifier that accounts in a password database have. */
export type AccountField = "email" | "username" | "phone_number";

/**
 * Whether a field is part of a sign-up. `inactive`: the form does not contain the field, and a value for it is
 * rejected.
 */
type FieldStatus = "required" | "optional" | "inactive";

/** The fields of a connection's sign-up other than the password. */
export interface SignUpFields {
  readonly email: FieldStatus;
  readonly username: FieldStatus;
  readonly phone_number: FieldStatus;
  /** The active identifiers. At least one is required: an account without an identifier could not sign in. */
  readonly identifiers: readonly AccountField[];
  /** Whether users can sign up with a password. */
  readonly open: boolean;
  /** Why the connection is closed for sign-ups, in English, for API clients. */
  readonly closedBecause?: string;
}

/** The fields, in the order in which forms contain them and faults are reported. */
export const accountFields: readonly AccountField[] = ["email", "username", "phone_number"];

/** Returns the sign-up fields of a password database (strategy `auth0`), from the options of the connection. */
export function signUpFields(connection: Row<"connections">): SignUpFields {
  const options = databaseOptions(connection);
  const statuses = statusesOf(options);
  const identifiers = accountFields.filter((field) => statuses[field] !== "inactive" && isIdentifier(options, field));
  const [only, ...others] = identifiers;
  const closedBecause = identifiers.length === 0 ? "public signup has no field that users can sign in with" : closure(options);
  return {
    ...statuses,
    ...(only !== undefined && others.length === 0 && { [only]: "required" }),
    identifiers,
    open: closedBecause === undefined,
    ...(closedBecause !== undefined && { closedBecause }),
  };
}

function statusesOf({ attributes, requires_username: requiresUsername }: DatabaseOptions): {
  readonly [Field in AccountField]: FieldStatus;
} {
  if (attributes === undefined) {
    return { email: "required", username: requiresUsername === true ? "required" : "inactive", phone_number: "inactive" };
  }
  const statusOf = (field: AccountField): FieldStatus => {
    const { signup, identifier, profile_required: required } = attributes[field] ?? {};
    if (required === true) return "required";
    return signup?.status ?? (identifier?.active === true ? "optional" : "inactive");
  };
  return { email: statusOf("email"), username: statusOf("username"), phone_number: statusOf("phone_number") };
}

function isIdentifier({ attributes }: DatabaseOptions, field: AccountField): boolean {
  // In the older format of the options, every field is an identifier.
  return attributes === undefined || attributes[field]?.identifier?.active === true;
}

function closure({ disable_signup: closed, import_mode: imports, authentication_methods: methods }: DatabaseOptions): string | undefined {
  // A user who signed up would exist in Postern but not in the other database, and Postern does not create users there.
  if (imports === true) return "public signup is not possible if users are imported from another database (import_mode)";
  if (closed === true || methods?.password?.signup_behavior === "block") return "public signup is disabled";
  return methods?.password?.enabled === false ? "the connection has no passwords" : undefined;
}
