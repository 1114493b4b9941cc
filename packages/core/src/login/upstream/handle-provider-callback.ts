import { equalInConstantTime, sha256 } from "../../adapters/digest.ts";
import type { Row } from "../../store/schema.ts";
import { signInUpstream } from "../../identity/login/upstream-login.ts";
import { attemptOf } from "../../identity/providers/attempt.ts";
import { askWho, type Vouched } from "../../identity/providers/provider-requests.ts";
import type { AuthTime } from "../../identity/sessions/methods.ts";
import { UpstreamError } from "../../identity/providers/upstream-error.ts";
import { isPosternError } from "../../errors.ts";
import { browserSession } from "../begin-session.ts";
import type { Interaction } from "../interaction.ts";
import { changeProgress } from "../login-session.ts";
import type { Progress } from "../progress.ts";
import { proved } from "../proved.ts";
import type { Taken } from "../step.ts";
import { providerAuthTime } from "./auth-time.ts";
import { callbackPath, failed, recordUnmet } from "./redirect-to-provider.ts";
import { pendingLink } from "./link-pending.ts";
import { providerTaken } from "./providers.ts";
import { tellLinked } from "./tell-linked.ts";

/** What an identity provider said of a user, and gave for them. No tokens: they are not stored, or no key opens them any more. */
type SignedInThere = Pick<Vouched, "profile"> & { readonly tokens?: Vouched["tokens"] | undefined };

type Open = NonNullable<Progress["upstream"]>[number];

/**
 * Takes the way back off the list of open ones, and so decides: of however many answers with one state, one is looked at.
 * @returns undefined where it is not on the list: it was taken, or was never one of this login's.
 */
async function takeOpen(
  interaction: Interaction,
  state: string,
): Promise<{ readonly interaction: Interaction; readonly open: Open } | undefined> {
  const hash = await sha256(state);
  const taken = await changeProgress<{ readonly open?: Open; readonly progress?: Progress }>(interaction, ({ progress }) => {
    const open = progress.upstream?.find((one) => equalInConstantTime(one.state_hash, hash));
    return open === undefined ? {} : { open, progress: { ...progress, upstream: progress.upstream?.filter((one) => one !== open) ?? [] } };
  });
  const { open } = taken.change;
  return taken.saved && open !== undefined ? { interaction: taken.interaction, open } : undefined;
}

/** Goes on as whoever a provider says it is. @param answer what the browser brought back. @returns undefined where nobody was awaited with this state. */
export async function comeBack(
  interaction: Interaction,
  state: string,
  answer: URLSearchParams,
): Promise<{ readonly interaction: Interaction; readonly taken: Taken } | undefined> {
  const found = await takeOpen(interaction, state);
  if (found === undefined) return undefined;
  const { open } = found;
  const { tenant } = found.interaction;
  const connection = await providerTaken(found.interaction, { id: open.connection_id });
  // It was switched off meanwhile.
  if (connection === undefined) return { interaction: found.interaction, taken: { problem: "provider-failed" } };
  try {
    const client = await tenant.upstreamClient(connection);
    const { urls } = tenant;
    const attempt = await attemptOf(tenant.secrets.fingerprints, state);
    const vouched = await askWho(client, attempt, answer, urls.urlFor(callbackPath), tenant.host.wait);
    if (!(await isStillTaken(found.interaction, connection)))
      return { interaction: found.interaction, taken: { problem: "provider-failed" } };
    const authTime = providerAuthTime(found.interaction, connection, { authenticatedAt: vouched.authenticatedAt, leftAt: open.at });
    return { interaction: found.interaction, taken: await signInAtProvider(found.interaction, connection, vouched, { authTime }) };
  } catch (error) {
    if (isPosternError(error) && error.code === "unmet_authentication_requirements")
      await recordUnmet(found.interaction, connection, error);
    if (!(error instanceof UpstreamError)) throw error;
    return { interaction: found.interaction, taken: failed(found.interaction, connection, error) };
  }
}

/**
 * Whether the client still allows a connection: a provider takes seconds to answer, and meanwhile it may have been
 * disabled or deleted. Reads cached settings.
 */
async function isStillTaken(interaction: Interaction, { id }: Row<"connections">): Promise<boolean> {
  const client = await interaction.tenant.client(interaction.client.record.client_id);
  return client !== undefined && (await providerTaken({ ...interaction, client }, { id })) !== undefined;
}

/**
 * Signs in the user whom an identity provider vouches for.
 * @param options `authTime`: when the user authenticated at the provider. `ownAccount`: with a separate account of the provider, although another account has
 *   the address.
 */
export async function signInAtProvider(
  interaction: Interaction,
  connection: Row<"connections">,
  vouched: SignedInThere,
  { authTime, ownAccount = false }: { readonly authTime: AuthTime; readonly ownAccount?: boolean },
): Promise<Taken> {
  const { tenant, client } = interaction;
  const { profile, tokens } = vouched;
  const offers = async (name: string): Promise<boolean> => (await tenant.connections.offeredNamed(client, name)) !== undefined;
  const session = browserSession(interaction, { method: "federated", connection, authTime });
  const result = await signInUpstream(tenant, { client, connection, session, profile, tokens, ownAccount, offers });
  switch (result.kind) {
    case "signed-in":
      if (result.linked === true) tellLinked(interaction, connection, result.user);
      return { ...(await proved(interaction, result.user, profile.email ?? result.user.name, result.started)), recorded: result.recorded };
    case "account-exists": {
      const pending = await pendingLink(interaction, connection, vouched, result.accountId, authTime);
      return { change: (progress) => ({ ...progress, pending_link: pending }) };
    }
    case "closed":
      return { problem: "provider-closed" };
    case "blocked":
      return { problem: "blocked" };
  }
}
