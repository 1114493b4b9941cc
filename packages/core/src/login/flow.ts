import { PosternError } from "../errors.ts";
import type { Row } from "../data/schema.ts";
import { hasConsented, type ConsentSubject } from "../issuing/consent.ts";
import { followInvitation } from "./steps/invitation/acceptance.ts";
import { decideOrganization } from "./steps/organization/choice.ts";
import type { IdentifierScreen, Screen } from "./screen.ts";
import { sufficient, type SignedIn, type Visit } from "./interaction.ts";

/** What comes next on a visit: a screen, or the answer to the client. */
export type Step =
  | {
      readonly kind: "screen";
      readonly screen: Screen;
      /** What the screen asks the person to agree to. */
      readonly consent?: ConsentSubject;
    }
  | {
      readonly kind: "done";
      readonly signedIn: SignedIn;
      readonly consent: ConsentSubject;
      /** As a member of which organization. */
      readonly organization: Row<"organizations"> | undefined;
    };

/** What a client would get of this person, decided where grants are. */
export type DecideScopes = (signedIn: SignedIn, organizationId: string | undefined) => Promise<Decided>;

/** What a client would get, whether the person is asked about it, and in which words. */
export interface Decided extends ConsentSubject {
  readonly needsConsent: boolean;
  readonly audienceName?: string;
  readonly descriptions: { readonly [scope: string]: string };
}

/**
 * Decides what comes next. One function for the pages, for the JSON flow API and for silent authentication, so that they cannot differ:
 * who it is, whether that is recent enough, as a member of which organization, and whether the client may have what it asks for.
 * @throws {PosternError} what the client is to be told where no step leads on.
 */
export async function nextStep(visit: Visit, decideScopes: DecideScopes): Promise<Step> {
  const { client, demands, progress, browser } = visit;
  const undecided = progress.user_id === undefined && progress.chosen !== "" && progress.chosen !== browser?.user.user_id;
  if (demands.prompt.includes("select_account") && browser !== undefined && undecided) {
    return screen({ name: "select-account", accounts: [accountOf(browser)] });
  }
  const signedIn = await sufficient(visit);
  if (signedIn === undefined) return screen(signInScreen(visit));
  if (demands.hinted_user_id !== undefined && demands.hinted_user_id !== signedIn.user.user_id) {
    // OpenID Connect Core section 3.1.2.1: no answer is good but one about the person that the hint names.
    throw new PosternError("login_required", "another person signed in than the one 'id_token_hint' names");
  }

  const asked = await followInvitation(visit, signedIn);
  if (asked !== undefined) return screen(asked);
  const choice = await decideOrganization(visit, signedIn);
  if (choice.kind === "choose") return screen(choice.screen);
  if (choice.kind === "sign-in") return screen(signInScreen(visit));
  const { organization } = choice;

  const consent = await decideScopes(signedIn, organization?.id);
  const asks = consent.needsConsent || demands.prompt.includes("consent");
  if (
    asks &&
    progress.consented_by !== signedIn.user.user_id &&
    (demands.prompt.includes("consent") || !(await hasConsented(visit.tenant, consent)))
  ) {
    const { logo_uri: logoUri } = client.settings;
    const shown: Screen = {
      name: "consent",
      client: { name: client.record.name, ...(logoUri !== undefined && logoUri !== "" && { logoUri }) },
      account: signedIn.user.email || signedIn.user.name || signedIn.user.user_id,
      ...(consent.audienceName !== undefined && { audience: consent.audienceName }),
      scopes: consent.scope.map((value) => {
        const description = consent.descriptions[value];
        return { value, ...(description !== undefined && { description }) };
      }),
    };
    return { ...screen(shown), consent };
  }
  return { kind: "done", signedIn, consent, organization };
}

function screen(shown: Screen): Step {
  return { kind: "screen", screen: shown };
}

function signInScreen({ demands, progress }: Visit): Screen {
  if (progress.identifier !== undefined) return { name: "password", identifier: progress.identifier };
  return identifierScreen(demands.login_hint ?? demands.invitation?.email);
}

/** Asks who it is. A hint is shown and can be changed; it proves nothing. Other kinds than addresses are known to whoever knows the connection. */
export function identifierScreen(identifier: string | undefined): IdentifierScreen {
  return { name: "identifier", kinds: ["email"], ...(identifier !== undefined && identifier !== "" && { identifier }) };
}

function accountOf({ user }: SignedIn): { readonly name: string; readonly email?: string; readonly picture?: string } {
  return {
    name: user.name || user.email || user.user_id,
    ...(user.email !== "" && { email: user.email }),
    ...(user.picture !== null && { picture: user.picture }),
  };
}
