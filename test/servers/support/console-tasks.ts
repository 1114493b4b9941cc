/** An action of an operator on a page: a click on an element, or a text for a field. */
export type TaskAction =
  | { readonly press: string; readonly role?: "link" | "button" | "checkbox"; readonly isFirst?: true }
  | { readonly fill: string; readonly text: string; readonly submits?: true };

/** A task of an operator, from the home page of the console. */
export interface ConsoleTask {
  readonly title: string;
  readonly actions: readonly TaskAction[];
  /** A text of the page that ends the task. */
  readonly outcome: string;
}

const link = (press: string): TaskAction => ({ press, role: "link" });
const button = (press: string): TaskAction => ({ press, role: "button" });
const box = (press: string): TaskAction => ({ press, role: "checkbox" });
const fill = (label: string, text: string): TaskAction => ({ fill: label, text });

/** Searches on the home page, and opens a result. */
const open = (name: string): readonly TaskAction[] => [
  { fill: "Search users, organizations, roles, APIs, connections and apps", text: name, submits: true },
  link(name),
];

/** The ten most frequent tasks of operators, and ten more. docs/design/admin-console.md has the pages and keys of each. */
export const consoleTasks: readonly ConsoleTask[] = [
  { title: "find a user", actions: open("Ada Lovelace"), outcome: "User metadata" },
  { title: "see why a user cannot sign in", actions: open("Ada Lovelace"), outcome: "Why sign-ins failed" },
  { title: "block a user", actions: [...open("Grace Hopper"), button("Block user")], outcome: "This user is blocked" },
  {
    title: "register an app",
    actions: [
      link("Apps"),
      link("New app"),
      fill("Name", "Shop"),
      fill("Callback URLs", "https://shop.example.com/callback"),
      button("Create app"),
    ],
    outcome: "App created",
  },
  {
    title: "set up a connection",
    actions: [
      link("Connections"),
      link("New connection"),
      link("GitHub"),
      fill("Name", "github"),
      fill("Client id at the provider", "the-client"),
      fill("Client secret at the provider", "the-secret"),
      button("Create connection"),
    ],
    outcome: "The connection was created",
  },
  {
    title: "invite a user to an organization",
    actions: [
      link("Organizations"),
      link("Acme Ltd"),
      link("Invitations"),
      link("Invite"),
      fill("Email address", "mary@example.com"),
      button("Create invitation"),
    ],
    outcome: "Invitation created",
  },
  { title: "follow the log", actions: [link("Logs"), button("Follow live")], outcome: "Stop following" },
  {
    title: "give a role a permission",
    actions: [
      ...open("Auditor"),
      link("Change permissions"),
      fill("Find in this list", "read:roles"),
      box("read:roles"),
      button("Save changes"),
    ],
    outcome: "The permissions were changed",
  },
  { title: "open another tenant", actions: [link("Tenant main"), link("main")], outcome: "Latest failed sign-ins" },
  {
    title: "rotate the signing key",
    actions: [link("Settings"), link("Signing keys"), link("Rotate"), button("Rotate")],
    outcome: "Signs later",
  },
  {
    title: "end the sessions of a user",
    actions: [...open("Ada Lovelace"), link("Sessions"), button("End all sessions")],
    outcome: "This user has no session.",
  },
  {
    title: "create a link for a new password",
    actions: [...open("Ada Lovelace"), button("Create password reset link")],
    outcome: "Send this link to the user.",
  },
  {
    title: "change the roles of a user",
    actions: [...open("Ada Lovelace"), link("Roles"), link("Change roles"), box("Auditor"), button("Save changes")],
    outcome: "The roles were changed.",
  },
  {
    title: "remove a second factor",
    actions: [...open("Ada Lovelace"), link("Factors"), { press: "Remove", role: "link", isFirst: true }, button("Remove")],
    outcome: "The factor was removed",
  },
  {
    title: "create a user",
    actions: [link("Users"), link("New user"), fill("Email address", "new@example.com"), button("Create user")],
    outcome: "User created",
  },
  {
    title: "delete a user",
    actions: [...open("Alan Turing"), link("Danger zone"), link("Delete user"), button("Delete user")],
    outcome: "The user was deleted.",
  },
  {
    title: "replace the secret of an app",
    actions: [link("Apps"), link("Shop"), link("Secret"), link("Replace secret"), button("Replace secret")],
    outcome: "The secret was replaced",
  },
  {
    title: "add a domain",
    actions: [link("Settings"), link("Domains"), link("Add domain"), fill("Domain", "id.example.com"), button("Add domain")],
    outcome: "Value of the TXT record",
  },
  {
    title: "send the log to another system",
    actions: [
      link("Settings"),
      link("Log streams"),
      link("New log stream"),
      link("Webhook"),
      fill("Name", "SIEM"),
      fill("URL", "https://siem.example.com/"),
      button("Create log stream"),
    ],
    outcome: "Signing secret",
  },
  {
    title: "change the color of the login page",
    actions: [link("Settings"), link("Branding"), link("Edit"), fill("Color of buttons", "#0b6e4f"), button("Save changes")],
    outcome: "The changes were saved.",
  },
];
