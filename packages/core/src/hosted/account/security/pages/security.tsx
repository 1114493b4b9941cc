import type { JSX } from "preact";
import { SignedInAs } from "../../../../login/components/account.tsx";
import type { PageParts, StepDrawing } from "../../../../login/components/drawing.ts";
import { Clamped, Form, FormAction, ProblemNote } from "../../../../login/components/form.tsx";
import { Icon } from "../../../../login/components/icons.tsx";
import { AccountNotice } from "../../pages/notice.tsx";
import { AcceptedSignal } from "../../../../login/components/signals.tsx";
import type { AcceptedCredentials } from "../../../../login/components/signal-script.ts";

/** A factor in the list. Dates are formatted. */
export interface ListedFactor {
  readonly id: string;
  /** The name that the user gave the factor, otherwise the name of its type. */
  readonly name: string;
  /** The name of its type, if the user gave the factor a name. */
  readonly type?: string;
  readonly added: string;
  /** Omitted if the factor was not used yet. */
  readonly used?: string;
  /** Whether a passkey is synced between devices. Omitted for factors without a credential. */
  readonly isSynced?: boolean;
  /** The URLs of the pages that rename and remove the factor. */
  readonly rename: string;
  readonly remove: string;
}

/** The data for {@link drawSecurity}. */
export interface SecurityOverview {
  readonly account: string;
  readonly factors: readonly ListedFactor[];
  /** Whether the user cannot change their factors, because they reported a change. */
  readonly isFrozen: boolean;
  /** Whether the tenant lets users change nothing here. Default false. */
  readonly isReadOnly?: boolean;
  /** The URL of the page that adds a factor. Omitted if the user can add none. */
  readonly add?: string;
  /** Whether the user has a recovery code, and the URL of the page that creates one. Omitted if they can have none. */
  readonly recovery?: { readonly exists: boolean; readonly create: string };
  /** The remembered browsers. Omitted if the user has no remembered browser. */
  readonly browsers?: { readonly count: number; readonly lastUsed: string };
  /** The credentials that the browser must keep. Omitted if the user never had one. */
  readonly accepted?: AcceptedCredentials;
  /** The change that was just made. */
  readonly done: "added" | "removed" | "renamed" | "forgotten" | undefined;
}

const doneTexts = {
  added: "securityDoneAdded",
  removed: "securityDoneRemoved",
  renamed: "securityDoneRenamed",
  forgotten: "securityDoneForgotten",
} as const;

/** Draws the page that lists the factors and the remembered browsers of the signed-in user. */
export function drawSecurity(drawing: StepDrawing, overview: SecurityOverview): PageParts {
  const { frame, t, problem } = drawing;
  const { account, factors, isFrozen, isReadOnly = false, add, accepted, done } = overview;
  const isFixed = isFrozen || isReadOnly;
  return {
    title: t.text("securityTitle"),
    problem: problem !== undefined,
    content: (
      <>
        <SignedInAs t={t} account={account} />
        {done !== undefined && <AccountNotice icon="check" text={t.text(doneTexts[done])} />}
        {isFrozen && <AccountNotice icon="clock" text={t.text("securityFrozenLead")} />}
        <ProblemNote frame={frame} t={t} problem={problem} />
        <section class="part">
          <h2>{t.text("securityMethods")}</h2>
          {factors.length === 0 ? (
            <p class="part-text">{t.text("securityNone")}</p>
          ) : (
            <ul class="methods">
              {factors.map((factor) => (
                <Method key={factor.id} {...drawing} factor={factor} isFixed={isFixed} />
              ))}
            </ul>
          )}
          {add !== undefined && !isFixed && (
            <a class="button second" href={add}>
              <Icon name="plus" />
              {t.text("securityAdd")}
            </a>
          )}
        </section>
        <Recovery {...drawing} overview={overview} />
        <Browsers {...drawing} overview={overview} />
        <AcceptedSignal accepted={accepted} />
      </>
    ),
  };
}

function Method({ t, factor, isFixed }: StepDrawing & { readonly factor: ListedFactor; readonly isFixed: boolean }): JSX.Element {
  const { name, type, added, used, isSynced, rename, remove } = factor;
  const facts = [
    ...(type === undefined ? [] : [type]),
    ...(isSynced === undefined ? [] : [t.text(isSynced ? "securitySynced" : "securityNotSynced")]),
    t.text("securityAdded", { date: added }),
    used === undefined ? t.text("securityUnused") : t.text("securityUsed", { date: used }),
  ];
  return (
    <li>
      <Clamped class="row-name">{name}</Clamped>
      {facts.map((fact) => (
        <span key={fact} class="row-detail">
          {fact}
        </span>
      ))}
      {!isFixed && (
        <div class="others">
          <a class="button small" href={rename} aria-label={t.text("securityRenameName", { name })}>
            {t.text("securityRename")}
          </a>
          <a class="button small" href={remove} aria-label={t.text("securityRemoveName", { name })}>
            {t.text("securityRemove")}
          </a>
        </div>
      )}
    </li>
  );
}

type Part = StepDrawing & { readonly overview: SecurityOverview };

function Recovery({ t, overview: { recovery, isFrozen, isReadOnly } }: Part): JSX.Element | null {
  // The text invites the user to create a code, which is not possible while the factors are frozen.
  if (recovery === undefined || isFrozen || isReadOnly) return null;
  return (
    <section class="part">
      <h2>{t.text("factorRecoveryLabel")}</h2>
      <p class="part-text">{t.text(recovery.exists ? "securityRecoverySet" : "securityRecoveryNone")}</p>
      <a class="button second" href={recovery.create}>
        {t.text("securityRecoveryNew")}
      </a>
    </section>
  );
}

function Browsers({ frame, t, overview: { browsers, factors, isReadOnly } }: Part): JSX.Element | null {
  if (isReadOnly || (browsers === undefined && factors.length === 0)) return null;
  return (
    <section class="part">
      <h2>{t.text("securityBrowsers")}</h2>
      {browsers === undefined ? (
        <p class="part-text">{t.text("securityBrowsersNone")}</p>
      ) : (
        <>
          <p class="part-text">
            {t.text("securityBrowsersCount", { count: new Intl.NumberFormat(t.lang).format(browsers.count), date: browsers.lastUsed })}
          </p>
          <Form frame={frame}>
            <FormAction value="forget-browsers" kind="second">
              {t.text("securityForget")}
            </FormAction>
          </Form>
        </>
      )}
    </section>
  );
}
