import type { JSX } from "preact";
import { renderToString } from "preact-render-to-string";
import type { AssetFiles } from "./assets/asset-files.ts";
import { NoticeBox } from "./components/blocks.tsx";
import { ConsoleIcon, ProductMark } from "./components/console-icon.tsx";
import { PostForm } from "./components/post-form.tsx";
import { ExactValue, Initials } from "./components/values.tsx";
import { consoleTexts } from "./console-texts.ts";
import type { ScreenPage, ScreenRequest, Section } from "./screen.ts";

/** Renders a page with the navigation. @param assets the names of the style sheet and the script. */
export function renderScreen(page: ScreenPage, request: ScreenRequest, assets: AssetFiles["names"]): string {
  const { links, query } = request;
  const outcome = query.get("done") ?? "";
  const done = Object.hasOwn(consoleTexts.done, outcome) ? consoleTexts.done[outcome] : undefined;
  const texts = {
    "data-copied": consoleTexts.copied,
    "data-json": consoleTexts.jsonInvalid,
    "data-arrived": consoleTexts.arrived,
    "data-failed": consoleTexts.requestFailed,
    "data-search": consoleTexts.search.label,
    "data-results": consoleTexts.search.results,
    "data-start": consoleTexts.search.start,
    "data-nothing": consoleTexts.search.nothing,
    "data-search-url": links.to(["search"]),
    "data-shortcuts-url": links.to(["shortcuts"]),
  };
  return renderDocument(
    page.title,
    (name) => links.toRoot(`assets/${name}`),
    assets,
    <body {...texts}>
      <a class="skip" href="#main">
        {consoleTexts.skip}
      </a>
      <TopBar request={request} />
      <div class="shell">
        <Navigation request={request} section={page.section} />
        <main id="main" tabIndex={-1}>
          <Heading page={page} />
          {done !== undefined && <NoticeBox level="good">{done}</NoticeBox>}
          {page.body}
        </main>
      </div>
      <p id="status" class="unseen" role="status" />
    </body>,
  );
}

/** Renders a page without navigation, for visitors without a session. */
export function renderPlainPage(
  title: string,
  content: JSX.Element,
  fileUrl: (name: string) => string,
  assets: AssetFiles["names"],
): string {
  return renderDocument(
    title,
    fileUrl,
    assets,
    <body class="plain">
      <main>
        <h1>{title}</h1>
        {content}
      </main>
    </body>,
  );
}

function renderDocument(title: string, fileUrl: (name: string) => string, assets: AssetFiles["names"], body: JSX.Element): string {
  const html = renderToString(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${consoleTexts.product} ${consoleTexts.console}`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={fileUrl(assets.style)} />
        <script src={fileUrl(assets.script)} defer />
      </head>
      {body}
    </html>,
  );
  // A lone surrogate cannot be encoded in UTF-8.
  return `<!doctype html>${html.toWellFormed()}`;
}

function TopBar({ request }: { readonly request: ScreenRequest }): JSX.Element {
  const { links, session, tenantId, isControlPlane } = request;
  const name = session.user.name ?? session.user.email ?? session.user.sub;
  const texts = consoleTexts.search;
  return (
    <header class="top">
      <a class="brand" href={links.to([])}>
        <ProductMark />
        <span>{consoleTexts.product}</span>
      </a>
      {isControlPlane && (
        <a class="tenant" href={links.toRoot("tenants")} title={consoleTexts.changeTenant}>
          <span class="unseen">{consoleTexts.tenant} </span>
          <bdi>{tenantId}</bdi>
          <ConsoleIcon name="swap" />
        </a>
      )}
      <form class="find" role="search" method="get" action={links.to(["search"])}>
        <ConsoleIcon name="search" />
        <input type="search" name="q" aria-label={texts.label} placeholder={texts.placeholder} autocomplete="off" maxLength={200} />
        <kbd hidden aria-hidden="true">
          Ctrl K
        </kbd>
      </form>
      <details class="account">
        <summary>
          <span class="unseen">{consoleTexts.accountMenu}</span>
          <Initials name={name} />
        </summary>
        <div class="account-menu">
          <p>
            <span class="soft">{consoleTexts.signedInAs}</span>
            <br />
            <bdi>{session.user.email ?? name}</bdi>
          </p>
          <a class="button" href={links.to(["shortcuts"])}>
            {consoleTexts.shortcuts}
          </a>
          <PostForm request={request} action={links.toRoot("logout")}>
            <button type="submit" class="button">
              <ConsoleIcon name="leave" />
              {consoleTexts.signOut}
            </button>
          </PostForm>
        </div>
      </details>
    </header>
  );
}

/** The items of the navigation, with the key that opens each after `g`. */
const sections: readonly (readonly [Section, path: readonly string[], key: string])[] = [
  ["home", [], "h"],
  ["users", ["users"], "u"],
  ["organizations", ["organizations"], "o"],
  ["roles", ["roles"], "r"],
  ["apps", ["apps"], "a"],
  ["apis", ["apis"], "p"],
  ["connections", ["connections"], "c"],
  ["logs", ["logs"], "l"],
  ["settings", ["settings"], "s"],
];

function Navigation({ request, section }: { readonly request: ScreenRequest; readonly section: Section | undefined }): JSX.Element {
  return (
    <nav class="side" aria-label={consoleTexts.navigation}>
      <ul>
        {sections.map(([name, path, key]) => (
          <li key={name}>
            <a href={request.links.to(path)} data-key={key} aria-current={name === section ? "page" : undefined}>
              <ConsoleIcon name={name} />
              {consoleTexts.sections[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Heading({ page: { title, trail = [], recordId, badges, actions, tabs = [] } }: { readonly page: ScreenPage }): JSX.Element {
  return (
    <>
      <div class="bar">
        {trail.length > 0 && (
          <nav aria-label={consoleTexts.breadcrumb}>
            <ol class="trail">
              {trail.map(({ text, href }, index) => (
                <li key={href}>
                  {index > 0 && <span aria-hidden="true">/</span>}
                  <a href={href}>
                    <bdi>{text}</bdi>
                  </a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <div class="heading">
          <div>
            <div class="line">
              <h1>
                <bdi>{title}</bdi>
              </h1>
              {badges}
            </div>
            {recordId !== undefined && (
              <p class="id">
                <ExactValue value={recordId} what="id" />
              </p>
            )}
          </div>
          {actions !== undefined && <div class="actions">{actions}</div>}
        </div>
      </div>
      {tabs.length > 0 && (
        <nav class="tabs" aria-label={consoleTexts.tabs}>
          {tabs.map(({ text, href, isCurrent }) => (
            <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
              {text}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}
