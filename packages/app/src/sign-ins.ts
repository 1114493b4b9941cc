import { createCodeExchanges } from "./code-exchanges.ts";
import type { Attempts, SealedAttempt } from "./attempts.ts";
import type { CookieChanges } from "./cookies.ts";
import { newAttempt, type Attempt, type Provider, type Tokens } from "./provider.ts";
import { returnPath } from "./return-to.ts";
import { toContent, type Content } from "./session.ts";
import { newSessionId, type PresentedSession, type SessionStorage } from "./session-storage.ts";
import type { SessionOptions, SignInOptions } from "./session-options.ts";
import { SignInError } from "./sign-in-error.ts";
import { checkResponse, isFreshRequired, type SignInRequest } from "./sign-in-request.ts";

/** Maximum length of a return path that the session stores. A longer one would enlarge the cookies of every request. */
const storedPathLength = 200;

/** The dependencies of {@link createSignIns}. */
interface SignInContext {
  readonly options: Pick<SessionOptions, "audience" | "organization"> & { readonly scope: string; readonly lifetimeSeconds: number };
  readonly app: URL;
  readonly callback: URL;
  readonly attempts: Attempts;
  readonly storage: SessionStorage;
  /** Milliseconds since 1970. */
  now(): number;
  provider(): Promise<Provider>;
  /** Returns the name of the connection of a session that is still valid at the tenant. */
  connectionOf(content: Content): Promise<string | undefined>;
}

/** The sign-ins of an app: the authorization request, and its response. */
export interface SignIns {
  /**
   * Starts a sign-in. @returns the URL of the authorization request.
   * @throws {TypeError} if `maxAgeSeconds` is not a whole number of seconds.
   */
  start(changes: CookieChanges, header: string | null, options: SignInOptions): Promise<URL>;
  /**
   * Completes a sign-in. If its code was already used, starts it again, once.
   * @param url the callback URL with the parameters of the authorization response.
   * @returns the URL to which the browser must be redirected.
   * @throws {SignInError} if the sign-in failed.
   */
  finish(changes: CookieChanges, header: string | null, url: URL): Promise<URL>;
}

export function createSignIns(context: SignInContext): SignIns {
  const { options, app, callback, attempts, storage, now, provider, connectionOf } = context;
  const { scope, audience, lifetimeSeconds } = options;
  const exchangeOnce = createCodeExchanges<{ readonly tokens: Tokens; readonly id: string }>(now);
  const seconds = (): number => Math.floor(now() / 1000);
  const pathUrl = (path: string): URL => new URL(returnPath(app, path), app);

  const authorizationUrl = async (
    attempt: Attempt,
    request: SignInRequest,
    others: { readonly [name: string]: string | undefined },
  ): Promise<URL> =>
    (await provider()).authorizationUrl(attempt, {
      redirect_uri: callback.href,
      scope: request.scope,
      audience: request.audience,
      organization: request.organization,
      connection: request.connection,
      prompt: request.prompt,
      max_age: request.maxAge?.toString(),
      acr_values: request.acrs?.join(" "),
      ...others,
    });

  /**
   * Starts a sign-in whose code was already used again. The user authenticated for the first one, and sees no page
   * unless that was not sufficient.
   */
  const restart = async (changes: CookieChanges, header: string | null, former: SealedAttempt): Promise<URL> => {
    const attempt: SealedAttempt = { ...former, ...newAttempt(), isRepeated: true };
    await attempts.add(changes, header, attempt);
    const { request, begunAt } = attempt;
    return authorizationUrl(attempt, request, {
      prompt: request.prompt === "none" ? "none" : undefined,
      ...(isFreshRequired(request) && { max_age: String(seconds() - begunAt + 1) }),
    });
  };

  const isLive = async ({ content }: PresentedSession): Promise<boolean> => (await connectionOf(content)) !== undefined;

  /** Returns the URL for a callback whose attempt has no cookie: the browser sends it twice, or the user opens it again. */
  const finishAgain = async (sessions: readonly PresentedSession[], state: string): Promise<URL> => {
    for (const session of sessions) {
      const { state: completed, returnTo = app.pathname } = session.content.signIn ?? {};
      if (await isLive(session)) return completed === state ? pathUrl(returnTo) : app;
    }
    throw new SignInError("expired", "this sign-in was started in another browser, or it has expired");
  };

  return {
    async start(changes, header, signInOptions) {
      const { connection, prompt, maxAgeSeconds: maxAge, acrValues: acrs = [], organization = options.organization } = signInOptions;
      if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0))
        throw new TypeError(`signIn: 'maxAgeSeconds' is ${maxAge}: pass a whole number of seconds`);
      const request: SignInRequest = {
        scope,
        ...(audience !== undefined && { audience }),
        ...(organization !== undefined && { organization }),
        ...(connection !== undefined && { connection }),
        ...(prompt !== undefined && { prompt }),
        ...(maxAge !== undefined && { maxAge }),
        ...(acrs.length > 0 && { acrs }),
      };
      const returnTo = returnPath(app, signInOptions.returnTo);
      const attempt: SealedAttempt = { ...newAttempt(), returnTo, request, begunAt: seconds(), isRepeated: false };
      await attempts.add(changes, header, attempt);
      return authorizationUrl(attempt, request, {
        invitation: signInOptions.invitation,
        login_hint: signInOptions.loginHint,
        screen_hint: signInOptions.screenHint,
        ui_locales: signInOptions.uiLocales,
      });
    },

    async finish(changes, header, url) {
      const state = url.searchParams.get("state") ?? "";
      const attempt = await attempts.find(header, state);
      if (attempt === "foreign") throw secretMismatch("this sign-in was started by");
      const sessions = await storage.read(header);
      if (attempt === undefined) return finishAgain(sessions, state);
      attempts.delete(changes, state);
      const completed = sessions.find(({ content }) => content.signIn?.state === state);
      if (completed !== undefined && (await isLive(completed))) return pathUrl(attempt.returnTo);
      const response = new URL(callback);
      response.search = url.search;
      let exchanged: { readonly tokens: Tokens; readonly id: string };
      try {
        exchanged = await exchangeOnce(state, async () => ({
          tokens: await (await provider()).exchangeCode(response, attempt, callback.href),
          id: newSessionId(),
        }));
      } catch (error) {
        if (attempt.isRepeated || !(error instanceof SignInError && error.code === "invalid_grant")) throw error;
        return restart(changes, header, attempt);
      }
      const { tokens, id } = exchanged;
      const { claims } = tokens;
      if (claims === undefined) throw new SignInError("invalid_response", "the response to the sign-in has no ID token");
      const content = toContent({ ...tokens, claims }, seconds(), lifetimeSeconds);
      const connection = await connectionOf(content);
      if (connection === undefined) throw new SignInError("access_denied", "the session ended while the user signed in");
      checkResponse(attempt.request, { tokens: { ...tokens, claims }, connection, begunAt: attempt.begunAt, now: seconds() });
      const { returnTo } = attempt;
      const signIn = {
        at: seconds(),
        isRenewal: attempt.request.maxAge === 0,
        state,
        ...(returnTo.length <= storedPathLength && { returnTo }),
      };
      await storage.create(changes, header, { id, content: { ...content, signIn } }, sessions);
      return pathUrl(returnTo);
    },
  };
}

/** The error for a cookie that a process with another secret encrypted. @param what the beginning of the sentence. */
export function secretMismatch(what: string): SignInError {
  return new SignInError(
    "secret_mismatch",
    `${what} a process with another secret: pass the same 'secret' to createSessions in every process of the app, and a list while you replace it`,
  );
}
