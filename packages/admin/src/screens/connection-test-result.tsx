import type { JSX } from "preact";
import * as z from "zod";
import { Card, FactList, JsonBlock, NoticeBox } from "../components/blocks.tsx";
import { DataTable } from "../components/table.tsx";
import { StateBadge, ValueOrDash, type StateLevel } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";

const texts = consoleTexts.connections.try;

/** The response to the start of a test sign-in. */
export const startedTestSchema = z.looseObject({ url: z.string() });

const checkSchema = z.looseObject({
  name: z.string(),
  status: z.enum(["passed", "failed", "warning", "not_run"]),
  message: z.string().optional(),
});

/** The result of a test sign-in. */
export const testResultSchema = z.looseObject({
  success: z.boolean(),
  checks: z.array(checkSchema),
  profile: z.record(z.string(), z.unknown()).optional(),
  claims: z.record(z.string(), z.unknown()).optional(),
  error: z.record(z.string(), z.unknown()).optional(),
});

/** @see testResultSchema */
export type TestResult = z.infer<typeof testResultSchema>;

const levels: { readonly [Status in z.infer<typeof checkSchema>["status"]]: StateLevel } = {
  passed: "good",
  failed: "bad",
  warning: "warn",
  not_run: "plain",
};

/** Renders the result of a test sign-in: each check, the user that would be created, and what the provider sent. */
export function ConnectionTestView({ result }: { readonly result: TestResult }): JSX.Element {
  const { success, checks, profile, claims, error } = result;
  // OAuth 2.0 (RFC 6749 section 4.1.2.1): the user or the provider denied the request.
  const isCancelled = error?.["error"] === "access_denied";
  const hasWarning = checks.some(({ status }) => status === "warning");
  return (
    <div class="stack">
      <NoticeBox level={success ? (hasWarning ? "warn" : "good") : isCancelled ? "warn" : "bad"}>
        {success ? (hasWarning ? texts.warnings : texts.success) : isCancelled ? texts.cancelled : texts.failure}
      </NoticeBox>
      {error !== undefined && <ErrorCard error={error} />}
      <Card title={texts.checks}>
        <DataTable
          caption={texts.checks}
          rows={checks}
          rowKey={({ name }) => name}
          columns={[
            {
              title: texts.check,
              cell: ({ name, message }) => (
                <>
                  {texts.names[name] ?? name}
                  {message !== undefined && (
                    <small>
                      <bdi>{message}</bdi>
                    </small>
                  )}
                </>
              ),
            },
            {
              title: texts.result,
              isTight: true,
              hasLabel: false,
              cell: ({ status }) => <StateBadge level={levels[status]}>{texts.status[status]}</StateBadge>,
            },
          ]}
        />
      </Card>
      {profile !== undefined && (
        <Card title={texts.profile} about={texts.profileAbout}>
          <FactList items={Object.entries(profile).map(([name, value]) => [name, <ValueOrDash>{textOf(value)}</ValueOrDash>])} />
        </Card>
      )}
      {claims !== undefined && <JsonBlock id="claims" title={texts.claims} about={texts.claimsAbout} value={claims} />}
    </div>
  );
}

/** Renders the provider's own words. */
function ErrorCard({ error }: { readonly error: NonNullable<TestResult["error"]> }): JSX.Element | null {
  const items = Object.entries(texts.errorMembers).flatMap(([name, label]) =>
    error[name] === undefined ? [] : [[label, <ValueOrDash>{textOf(error[name])}</ValueOrDash>] as const],
  );
  if (items.length === 0) return null;
  return (
    <Card title={texts.error}>
      <FactList items={items} />
    </Card>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
