/** The scopes of the My Account API. Those of `factors`, `authentication_methods` and `connected_accounts` are Auth0's, the others follow their form. */
export const myAccountScopes = [
  { value: "read:me:factors", description: "Read which sign-in methods you can add" },
  { value: "read:me:authentication_methods", description: "Read your sign-in methods" },
  { value: "create:me:authentication_methods", description: "Add sign-in methods" },
  { value: "update:me:authentication_methods", description: "Change your sign-in methods" },
  { value: "delete:me:authentication_methods", description: "Remove your sign-in methods" },
  { value: "read:me:connected_accounts", description: "Read your accounts at other services" },
  { value: "create:me:connected_accounts", description: "Link your accounts at other services" },
  { value: "delete:me:connected_accounts", description: "Unlink your accounts at other services" },
  { value: "read:me:profile", description: "Read your profile" },
  { value: "update:me:profile", description: "Change your profile" },
  { value: "read:me:sessions", description: "Read on which devices you are signed in" },
  { value: "delete:me:sessions", description: "Sign out your devices" },
  { value: "read:me:grants", description: "Read which applications have access to your account" },
  { value: "delete:me:grants", description: "Remove the access of applications to your account" },
  { value: "read:me:identities", description: "Read your linked accounts" },
  { value: "read:me:organizations", description: "Read your organizations" },
] as const;

/** A scope of the My Account API. */
export type MyAccountScope = (typeof myAccountScopes)[number]["value"];
