import * as z from "zod";
import { Card, EmptyState, FactList } from "../components/blocks.tsx";
import { ConfirmCard } from "../components/confirm-page.tsx";
import { DataTable } from "../components/table.tsx";
import { Timestamp, ValueOrDash } from "../components/values.tsx";
import { consoleTexts } from "../console-texts.ts";
import type { ShownTenant } from "../resources.ts";
import { redirectTo, type ConsoleScreen, type ScreenRequest } from "../screen.ts";
import { readDetail } from "./read-parts.ts";
import { OperationState, readTenant, shownOperationSchema, tenantPage, tenantPath } from "./tenant-frame.tsx";

const texts = consoleTexts.tenants;

const operationPageSchema = z.looseObject({ operations: z.array(shownOperationSchema) });
type ShownOperation = z.infer<typeof shownOperationSchema>;

const operationWithStepsSchema = z.looseObject({
  ...shownOperationSchema.shape,
  events: z.array(z.looseObject({ name: z.string(), status: z.string(), at: z.string(), detail: z.unknown().optional() })),
});

const kindOf = ({ kind }: ShownOperation): string => texts.kinds[kind] ?? kind;

/** Reads the latest operations on a tenant. Returns undefined if the host stores none, or if the user may not read them. */
export async function readOperations({ api }: ScreenRequest, id: string): Promise<readonly ShownOperation[] | undefined> {
  const found = await readDetail(api.call("GET", ["tenants", id, "operations"], { query: { per_page: "20" } }));
  return found === undefined ? undefined : operationPageSchema.parse(found).operations;
}

/** Renders the latest operations on a tenant. */
export function OperationsCard({ request, tenant, operations }: OperationsProps) {
  const upgrade = request.scopes.has("create:tenant_operations") && (
    <a class="button" href={tenantPath(request, [tenant.id, "upgrade"])}>
      {texts.upgrade}
    </a>
  );
  return (
    <Card title={texts.operations} about={texts.operationsAbout} actions={upgrade}>
      {operations.length === 0 ? (
        <EmptyState icon="swap" text={texts.operationsEmpty} />
      ) : (
        <DataTable
          caption={texts.operations}
          rows={operations}
          rowKey={({ id }) => id}
          columns={[
            { title: texts.operation, cell: (one) => <a href={tenantPath(request, [tenant.id, "operations", one.id])}>{kindOf(one)}</a> },
            { title: texts.state, isTight: true, cell: ({ status }) => <OperationState state={status} /> },
            { title: texts.begun, isTight: true, cell: ({ created_at: at }) => <Timestamp at={at} now={request.now} /> },
          ]}
        />
      )}
    </Card>
  );
}

interface OperationsProps {
  readonly request: ScreenRequest;
  readonly tenant: ShownTenant;
  readonly operations: readonly ShownOperation[];
}

/** An operation with its steps. */
const operationScreen: ConsoleScreen = {
  path: "/tenants/:id/operations/:operation",
  async show(request) {
    const { api, now, params } = request;
    const [tenant, read] = await Promise.all([readTenant(request), api.call("GET", ["operations", params["operation"] ?? ""])]);
    const operation = operationWithStepsSchema.parse(read);
    const facts = [
      [texts.state, <OperationState state={operation.status} />],
      [texts.error, <ValueOrDash>{operation.error}</ValueOrDash>],
      [texts.begun, <Timestamp at={operation.created_at} now={now} />],
      [texts.finished, <Timestamp at={operation.finished_at} now={now} />],
    ] as const;
    const body = (
      <div class="stack">
        <Card title={texts.operation}>
          <FactList items={facts} />
        </Card>
        <Card title={texts.steps}>
          {operation.events.length === 0 ? (
            <EmptyState icon="swap" text={texts.stepsEmpty} />
          ) : (
            <DataTable
              caption={texts.steps}
              rows={operation.events}
              rowKey={({ name, status, at }) => `${name} ${status} ${at}`}
              columns={[
                { title: texts.step, cell: ({ name }) => <bdi>{name}</bdi> },
                { title: texts.state, isTight: true, cell: ({ status }) => <OperationState state={status} /> },
                { title: texts.at, isTight: true, cell: ({ at }) => <Timestamp at={at} now={now} /> },
                {
                  title: texts.detail,
                  cell: ({ detail }) => <ValueOrDash>{detail === undefined ? undefined : JSON.stringify(detail)}</ValueOrDash>,
                },
              ]}
            />
          )}
        </Card>
      </div>
    );
    return tenantPage(request, tenant, body, { title: kindOf(operation) });
  },
};

/** The page that asks before an upgrade. */
const upgradeScreen: ConsoleScreen = {
  path: "/tenants/:id/upgrade",
  needsRecentSignIn: true,
  async show(request) {
    const tenant = await readTenant(request);
    const title = texts.upgradeTitle(tenant.name ?? tenant.id);
    const [action, back] = [tenantPath(request, [tenant.id, "upgrade"]), tenantPath(request, [tenant.id])];
    const question = { title, about: texts.upgradeAbout, confirm: texts.upgrade, action, back };
    return tenantPage(request, tenant, <ConfirmCard request={request} {...question} />, { title });
  },
  async submit(request) {
    const id = request.params["id"] ?? "";
    const begun = shownOperationSchema.parse(await request.api.call("POST", ["tenants", id, "operations"], { body: { kind: "upgrade" } }));
    return redirectTo(tenantPath(request, [id, "operations", begun.id]));
  },
};

/** The screens about operations on a tenant. */
export const operationScreens: readonly ConsoleScreen[] = [operationScreen, upgradeScreen];
