import type { Row } from "../../store/schema.ts";
import { databaseOptions, type DatabaseOptions } from "../../model/connections/strategies/database-options.ts";

/** What an account of a password database can be known by. */
export type AccountField = "email" | "username" | "phone_number";

/** Whether a sign-up asks for a field: `inactive` is not asked for, and refused. */
export type FieldStatus = "required" | "optional" | "inactive";

/** What a connection's sign-up takes besides a password. */
export interface SignUpFields {
  readonly email: FieldStatus;
  readonly username: FieldStatus;
  readonly phone_number: FieldStatus;
  /** The active identifiers, of which one at least must be given: an account without any could not be signed in to. */
  readonly identifiers: readonly AccountField[];
  /** Whether people can make accounts with a password by themselves. */
  readonly open: boolean;
  /** Why not, in English, for programs. */
  readonly closedBecause?: string;
}

/** In the order in which they are asked for, and in which a fault of one is told before that of another. */
export const accountFields: readonly AccountField[] = ["email", "username", "phone_number"];

/** What the sign-up of a password database (strategy `auth0`) takes, as its options say. */
export function signUpFields(connection: Row<"connections">): SignUpFields {
  const options = databaseOptions(connection);
  const statuses = statusesOf(options);
  const identifiers = accountFields.filter((field) => statuses[field] !== "inactive" && isIdentifier(options, field));
  const [only, ...others] = identifiers;
  const closedBecause = identifiers.length === 0 ? "public signup asks for nothing that people sign in by" : closure(options);
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
  // The older options have nothing that is asked for and not signed in by.
  return attributes === undefined || attributes[field]?.identifier?.active === true;
}

function closure({ disable_signup: closed, import_mode: imports, authentication_methods: methods }: DatabaseOptions): string | undefined {
  // Who signed up would exist in one of two databases, and this service asks no other one.
  if (imports === true) return "public signup is not possible where people are imported from another database (import_mode)";
  if (closed === true || methods?.password?.signup_behavior === "block") return "public signup is disabled";
  return methods?.password?.enabled === false ? "the connection has no passwords" : undefined;
}
