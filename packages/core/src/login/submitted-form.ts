import * as z from "zod";
import type { TenantContext } from "../context.ts";
import { findOne } from "../store/find-one.ts";
import type { SealedPlace } from "../store/sealed.ts";
import { deleteNewSession, isAlive, type StoredSession } from "../identity/sessions/session.ts";
import type { Interaction } from "./interaction.ts";
import { withNewestProgress } from "./login-session.ts";
import type { LoginProgress } from "./progress.ts";
import type { ActionResult } from "./step.ts";

/**
 * A form that is submitted twice, because the user clicked twice on a slow page, gets one answer. The write that stores
 * the result of an accepted form also stores which form it was, so the first submission costs no statement more. A
 * further submission gets the current step, with the cookies of the session that the first one started. A rejected form
 * is not stored: its action runs again.
 */

/** How long an accepted form gets the same answer again, in milliseconds. */
const window = 10 * 60_000;

/** How often, and after how many milliseconds each, a submission looks for the result of a parallel one. */
const looks = { count: 40, pause: 50 } as const;

/** A form as the browser submitted it. */
interface SubmittedForm {
  readonly action: string;
  readonly fields: object;
  /** The id of the rendering that the form comes from. */
  readonly rendering?: string | undefined;
}

/** The result of an action whose form was accepted in a parallel submission. */
export const acceptedBefore: ActionResult = { isRepeated: true };

/** Returns a fingerprint of a form and its values. Undefined if no form was submitted. */
export async function fingerprintOf(
  { tenant }: Pick<Interaction, "tenant">,
  { action, fields, rendering }: SubmittedForm,
): Promise<string | undefined> {
  return rendering && tenant.secrets.fingerprints.of("form of a login", tenant.id, rendering, JSON.stringify([action, fields]));
}

/** Returns the member of the progress for a form that was accepted. */
export async function acceptedForm(
  interaction: Interaction,
  form: string,
  signedIn: ActionResult["signedIn"],
): Promise<NonNullable<LoginProgress["submitted"]>> {
  const { tenant } = interaction;
  const accepted = { form, at: tenant.now() };
  if (signedIn === undefined) return accepted;
  const { browser, cookies, sealedCookies } = signedIn;
  const { session } = browser;
  return { ...accepted, session: { id: session.id, cookies: await (sealedCookies ?? sealCookies(tenant, session, cookies)) } };
}

/** Encrypts the cookies of a response for the session that they belong to. They contain its secret. */
export function sealCookies(tenant: TenantContext, session: Pick<StoredSession, "id">, cookies: readonly string[]): Promise<string> {
  return tenant.secrets.sealer.seal(placeOf(tenant, session), JSON.stringify(cookies));
}

function placeOf({ data }: TenantContext, { id }: Pick<StoredSession, "id">): SealedPlace {
  return { tenantId: data.tenantId, collection: "sessions", id, field: "cookies" };
}

/** Whether a form is the one that was accepted last in the login session. */
export function isAccepted({ tenant, progress: { submitted } }: Interaction, form: string | undefined): boolean {
  return form !== undefined && submitted?.form === form && tenant.now() - submitted.at <= window;
}

const cookiesSchema = z.array(z.string());

/**
 * Returns the interaction as it was after the form was accepted: with the session that it started, and the cookies for it.
 * @returns undefined if another form was accepted last, or if the session has ended, for example because the user signed
 * out.
 */
export async function repeatForm(interaction: Interaction, form: string | undefined): Promise<Interaction | undefined> {
  const { tenant, progress } = interaction;
  if (!isAccepted(interaction, form) || progress.submitted === undefined) return undefined;
  const { session: started } = progress.submitted;
  if (started === undefined) return interaction;
  const session = await findOne(tenant.data.sessions, { id: started.id });
  if (session === undefined || !isAlive(session, tenant.now())) return undefined;
  const user = await findOne(tenant.data.users, { user_id: session.user_id });
  const cookies = await tenant.secrets.sealer.open(placeOf(tenant, started), started.cookies).catch(() => undefined);
  if (user === undefined || user.blocked || user.linked_to !== "" || cookies === undefined) return undefined;
  return { ...interaction, browser: { user, session }, cookies: cookiesSchema.parse(JSON.parse(cookies)) };
}

/**
 * Whether another submission of the form was accepted since the progress was read. Waits for up to two seconds for a
 * submission that is being handled. After that, its process is assumed to have crashed.
 */
export async function wasAccepted(interaction: Interaction, form: string | undefined): Promise<boolean> {
  if (form === undefined) return false;
  for (let look = 1; ; look++) {
    if (isAccepted(await withNewestProgress(interaction), form)) return true;
    if (look === looks.count) return false;
    await interaction.tenant.host.wait(looks.pause);
  }
}

/** Deletes the session of a submission that lost against a parallel one. The browser never received its cookie. */
export async function dropOwnSession({ tenant, progress }: Interaction, signedIn: ActionResult["signedIn"]): Promise<void> {
  const own = signedIn?.browser.session;
  if (own !== undefined && own.id !== progress.submitted?.session?.id) await deleteNewSession(tenant.data, own);
}
