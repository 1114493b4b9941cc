import * as z from "zod";
import type { Row } from "../../../data/schema.ts";
import { resetPassword } from "../../../domain/users/reset-password.ts";
import { passwordChanged } from "../../../mail/messages/password-changed.ts";
import { sendMail } from "../../../mail/send.ts";
import { enterAccount } from "../../enter-account.ts";
import type { Interaction } from "../../interaction.ts";
import { newPasswordProblems, NewPasswordRule, refusedPassword, rulesFor } from "../../new-password.ts";
import { proved } from "../../proved.ts";
import { action, ask, pass, describeStep, step, type Taken } from "../../step.ts";
import { nameOf } from "../name-of.ts";
import { signInInstead } from "../sign-in-instead.ts";

const definition = describeStep({
  name: "new-password",
  summary: "Asks who proved that an account is theirs for its new password",
  shows: {
    account: z.string().meta({ description: "Whose password it will be" }),
    rules: z.array(NewPasswordRule).readonly().meta({ description: "What the password must keep to" }),
  },
  problems: newPasswordProblems,
  silentError: ["login_required", "Login required"],
  actions: {
    "set-password": action({
      summary: "Set the password, and go on with it. Other sessions of the person end",
      fields: { password: z.string().max(10_000).exactOptional().meta({ description: "The new password" }) },
    })(async (interaction, { password = "" }) => {
      const found = await findReset(interaction);
      if (found === undefined) return over;
      return password === "" ? { problem: "password-missing" } : setPassword(interaction, found, password);
    }),
    "sign-in-instead": signInInstead,
  },
});

/** What the step shows. */
export type NewPasswordScreen = z.output<typeof definition.screen>;

/** Asks who proved that an account is theirs for its new password. */
export const newPassword = step(definition, {
  who: "anybody",
  async due(interaction, person) {
    if (person !== undefined) return pass;
    const found = await findReset(interaction);
    if (found === undefined) return pass;
    return ask({
      name: "new-password",
      account: nameOf(found.account),
      rules: rulesFor(found.connection, "new-password", interaction.progress),
    });
  },
});

/** The account changed since: the person asks for another code. */
const over: Taken = { change: ({ reset: _, ...progress }) => ({ ...progress, aim: "reset-password" }) };

interface Found {
  readonly account: Row<"users">;
  readonly connection: Row<"connections">;
}

/** The account whose password may be set here; undefined where there is none, or it got another password since. */
async function findReset({ tenant, progress: { reset } }: Interaction): Promise<Found | undefined> {
  if (reset === undefined) return undefined;
  const where = { user_id: reset.user_id, password_id: reset.password_id };
  const [[account], connection] = await Promise.all([
    tenant.data.users.find({ where, limit: 1 }),
    tenant.connections.byId(reset.connection_id),
  ]);
  return account && connection && { account, connection };
}

async function setPassword(interaction: Interaction, { account, connection }: Found, password: string): Promise<Taken> {
  const { tenant, client, request } = interaction;
  const outcome = await resetPassword(tenant, { connection, account, password, provesEmail: true });
  if (outcome.kind === "refused") return refusedPassword(outcome.fault);
  if (outcome.kind === "outrun") return over;
  const changed = outcome.account;
  await Promise.all([
    sendMail(tenant, passwordChanged(), { to: changed.email, user: changed, client, uiLocales: request.ui_locales }),
    tenant.audit({
      type: "scp",
      client: { client_id: client.record.client_id, name: client.record.name },
      connection: { id: connection.id, name: connection.name, strategy: connection.strategy },
      user: { user_id: changed.user_id, name: changed.name },
    }),
  ]);
  const entered = await enterAccount(interaction, { account: changed, connection, method: "pwd" });
  // Blocked, or changed meanwhile. The password is set: signing in says what is wrong.
  if (entered === undefined) return { change: ({ reset: _, aim: __, ...progress }) => progress };
  return proved(interaction, entered.user, nameOf(changed), entered.begun);
}
