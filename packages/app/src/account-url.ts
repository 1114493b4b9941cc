import { returnPath } from "./return-to.ts";

/** A section of the account page. The tenant setting `account_page` shows or hides it. */
export type AccountPageSection =
  | "profile"
  | "addresses"
  | "username"
  | "password"
  | "security"
  | "sessions"
  | "apps"
  | "linked_accounts"
  | "organizations"
  | "language"
  | "events"
  | "export"
  | "deletion";

/** Options of {@link AccountPage.url}. */
export interface AccountUrlOptions {
  /** The section that the page opens. Default: the list of sections. */
  readonly section?: AccountPageSection;
  /**
   * The path below `appUrl` to which the page links back. Default: the path of `appUrl`. A path or URL that is not below
   * `appUrl`, or that is longer than 1,500 characters, is replaced by the default.
   */
  readonly returnTo?: string | null;
}

/** The page on which users of the app's tenant see and change their account. */
export interface AccountPage {
  /**
   * Returns the URL of the account page, for a link in the app. A user without a session at the tenant signs in there with
   * the app's client. The origin of `appUrl` must be that of one of the client's `callbacks`, as it is for the sign-in.
   */
  url(options?: AccountUrlOptions): Promise<URL>;
}

/** The app that links to the account page. */
interface LinkingApp {
  readonly issuer: string;
  readonly clientId: string;
  /** The app's public URL, with a path that ends in a slash. */
  readonly app: URL;
}

/** Returns the URL of the account page. */
export function accountPageUrl({ issuer, clientId, app }: LinkingApp, { section, returnTo }: AccountUrlOptions): URL {
  const url = new URL(section === undefined ? "u/account" : `u/account/${section}`, issuer);
  url.searchParams.set("client_id", clientId);
  url.searchParams.set("returnTo", new URL(returnPath(app, returnTo), app).href);
  return url;
}
