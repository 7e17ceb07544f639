// Replays: a delivery, a decision, or a selection of deliveries is evaluated again on the present state, and sweeps: all
// open merge requests of a project or group are. A dry run only compares past decisions with what would be decided now.
import * as z from 'zod'
import type { Journal } from '../../../journal/journal.ts'
import { readSweep } from '../../../journal/journal.ts'
import type {
  DecisionRecord,
  DeliveryFilter,
  DeliveryRecord,
  ReplayResult,
  SweepRecord,
} from '../../../journal/types.ts'
import { count } from '../../../rules/language/values/wording.ts'
import type { Call, Decision, MergeRequestRef, Verdict } from '../../../rules/types.ts'
import type { AdminContext } from '../../admin-context.ts'
import { decisionId, deliveryFilter, deliveryId, flag, readFilter, wholeNumber, why } from '../inputs.ts'
import * as schemas from '../response-schemas.ts'
import { accepted, getRoute, missingScope, ok, postRoute, type Reply, refuse } from '../route.ts'
import { unknownDecision } from './decisions.ts'
import { decisionsByDelivery, unknownDelivery } from './deliveries.ts'

const replayResponse = z.object({
  id: z.string(),
  replayed: z.literal(true),
  number: z.int().describe('The number of this replay, from 1.'),
})
export type ReplayResponse = z.output<typeof replayResponse>

const selectionResponse = z.object({
  dryRun: z.boolean(),
  count: z.int().describe('How many deliveries match the filter, at most `cap`.'),
  more: z.boolean().describe('There are more than `cap`.'),
  deliveries: z.array(
    z.object({
      id: z.string(),
      receivedAt: schemas.time,
      replayed: z.enum(['replayed', 'unknown', 'body_expired']).optional(),
    }),
  ),
})
export type SelectionResponse = z.output<typeof selectionResponse>

const expired = 'It concerned no merge request, and its body is no longer stored: there is nothing to evaluate.'
const countChanged = 'The filter now matches another number of deliveries: run it again.'
/** One delivery may concern many (a push to a target branch), and each is read from the service. */
const mostCompared = 20
const input = z.strictObject({
  dry_run: flag
    .default(false)
    .describe('Only compare the past decisions with what would be decided now; this needs the scope `read` too.'),
  why,
})
const comparison = z.looseObject({
  mergeRequest: schemas.mergeRequestRef,
  summary: z.string(),
  changed: z.array(z.looseObject({ rule: z.string() })),
})
const dryRunResponse = z
  .object({
    id: z.string(),
    dryRun: z.literal(true),
    mergeRequests: z.array(schemas.partly<DecisionComparison>(comparison)),
  })
  .describe('The response to a dry run.')
export type DryRunResponse = z.output<typeof dryRunResponse>

export const replayRoutes = [
  postRoute('replay_delivery', '/deliveries/{id}/replay', 'replay', {
    doc: 'Evaluates the merge requests or the issue of a delivery again. An unreadable delivery, or one without either, is parsed again.',
    params: z.object({ id: deliveryId }),
    input,
    responses: { 200: dryRunResponse, 202: replayResponse },
    errors: { 404: unknownDelivery, 410: expired },
    async handle({ params: { id }, input: { dry_run, why: reason }, by, scopes }, context) {
      if (dry_run && !scopes.includes('read')) return refuse(403, missingScope(by, 'read'))
      if (!dry_run) return replyTo(await context.replay.delivery(id, by, reason), id, unknownDelivery)
      const delivery = await context.journal.deliveries.find(id)
      if (delivery === undefined) return refuse(404, unknownDelivery)
      const before = await decisionsByDelivery(context.journal, id)
      const mergeRequests: DecisionComparison[] = []
      for (const each of delivery.mergeRequests.slice(0, mostCompared)) {
        const own = before.filter(({ mergeRequest: of }) => of.project === each.project && of.iid === each.iid)
        mergeRequests.push(await compareDecisions(context, each, own))
      }
      return ok<DryRunResponse>({ id, dryRun: true, mergeRequests })
    },
  }),
  postRoute('replay_decision', '/decisions/{id}/replay', 'replay', {
    doc: 'Evaluates the merge request or issue of a decision again.',
    params: z.object({ id: decisionId }),
    input,
    responses: { 200: dryRunResponse, 202: replayResponse },
    errors: { 404: unknownDecision },
    async handle({ params: { id }, input: { dry_run, why: reason }, by, scopes }, context) {
      if (dry_run && !scopes.includes('read')) return refuse(403, missingScope(by, 'read'))
      if (!dry_run) return replyTo(await context.replay.decision(id, by, reason), id, unknownDecision)
      const decision = await context.journal.decisions.find(id)
      if (decision === undefined) return refuse(404, unknownDecision)
      const mergeRequests = [await compareDecisions(context, decision.mergeRequest, [decision])]
      return ok<DryRunResponse>({ id, dryRun: true, mergeRequests })
    },
  }),
  postRoute('replay_selection', '/replays', 'replay', {
    doc: 'Replays the deliveries that match a filter, the newest `cap` at most. A dry run (the default) only lists them.',
    input: z.strictObject({
      ...deliveryFilter,
      cap: wholeNumber(1, 200).default(100).describe('At most so many, the newest first; 200 at most.'),
      dry_run: flag.default(true),
      count: wholeNumber(0)
        .optional()
        .describe('The count of the dry run: if it has changed, nothing is replayed (409).'),
      why,
    }),
    responses: { 200: selectionResponse, 202: selectionResponse },
    errors: { 409: countChanged },
    async handle({ input: { cap, dry_run, count, why: reason, ...given }, by }, { journal, replay }) {
      const filter = readFilter(given)
      if (typeof filter === 'string') return refuse(400, filter)
      const { items, more } = await newestDeliveries(journal, filter, cap)
      const found = { count: items.length, more }
      const deliveries: SelectionResponse['deliveries'] = items.map(({ id, receivedAt }) => ({ id, receivedAt }))
      const response: SelectionResponse = { dryRun: dry_run, ...found, deliveries }
      if (dry_run) return ok(response)
      if (count !== undefined && count !== items.length) return { status: 409, body: { error: countChanged, ...found } }
      for (const each of deliveries) each.replayed = (await replay.delivery(each.id, by, reason)).is
      return accepted(response)
    },
  }),
]

function replyTo(result: ReplayResult, id: string, unknown: string): Reply {
  if (result.is === 'unknown') return refuse(404, unknown)
  if (result.is === 'body_expired') return refuse(410, expired)
  return accepted<ReplayResponse>({ id, replayed: true, number: result.number })
}

async function newestDeliveries(
  journal: Journal,
  filter: DeliveryFilter,
  cap: number,
): Promise<{ items: DeliveryRecord[]; more: boolean }> {
  const items: DeliveryRecord[] = []
  for (let after: string | undefined; ; ) {
    const page = await journal.deliveries.list({ ...filter, limit: cap - items.length, after })
    items.push(...page.items)
    after = page.next
    if (after === undefined || items.length >= cap) return { items, more: after !== undefined }
  }
}

export interface DecisionComparison {
  mergeRequest: MergeRequestRef
  /** The decisions that the delivery triggered, oldest first. */
  before: DecisionRecord[]
  /** Absent if the service cannot be read at the moment. */
  now?: Decision
  /** `nothing to do`, the calls, or why it cannot be evaluated. */
  summary: string
  /** The rules whose verdict changed; null: there was, or is, no such rule. */
  changed: { rule: string; file: string; before: Verdict | null; now: Verdict | null }[]
}

/** Evaluates the present state without sending anything. */
export async function compareDecisions(
  context: Pick<AdminContext, 'dryRun'>,
  mergeRequest: MergeRequestRef,
  before: readonly DecisionRecord[],
): Promise<DecisionComparison> {
  const run = await context.dryRun(mergeRequest)
  const known = { mergeRequest, before: [...before] }
  if (!run.ok) return { ...known, summary: `It cannot be evaluated: ${run.reason}`, changed: [] }
  return {
    ...known,
    now: run.decision,
    summary: summarizeCalls(run.decision.calls),
    changed: changes(before.at(-1), run.decision),
  }
}

function summarizeCalls(calls: readonly Call[]): string {
  if (calls.length === 0) return 'nothing to do'
  const actions = calls.map(({ action, with: others = [] }) => [action, ...others].join(' and '))
  return `${count(calls.length, 'call')}: ${actions.join(', ')}`
}

function changes(last: DecisionRecord | undefined, decision: Decision): DecisionComparison['changed'] {
  if (last === undefined) return []
  const [old, current] = [verdicts(last), verdicts(decision)]
  return [...new Map([...old, ...current])].flatMap(([key, { name, file }]) => {
    const [before, now] = [old.get(key)?.verdict ?? null, current.get(key)?.verdict ?? null]
    return before === now ? [] : [{ rule: name, file, before, now }]
  })
}

/** The verdict of each rule. An event rule counts once, whichever event it was evaluated for. */
function verdicts({ rules }: Decision) {
  return new Map(rules.map(({ name, file, verdict }) => [`${file}#${name}`, { name, file, verdict }]))
}

export const sweepRoutes = [
  postRoute('start_sweep', '/sweeps', 'replay', {
    doc: 'Starts a sweep of a project or group.',
    input: z.strictObject({
      of: z.string().trim().min(1).max(500).describe('Id or full path of a project or group.'),
      dry_run: flag.default(false).describe('Only list what would be evaluated.'),
      why,
    }),
    responses: { 202: schemas.sweep },
    handle: async ({ input }, { sweep }) => accepted(await sweep(input.of, input.dry_run)),
  }),
  getRoute('show_sweep', '/sweeps/{id}', {
    doc: 'Shows the progress and the results of a sweep.',
    params: z.object({ id: z.string() }),
    responses: { 200: schemas.sweep },
    errors: { 404: 'There is no sweep with that id within the last day.' },
    async handle({ params }, { journal }) {
      const found = await readSweep(journal, params.id)
      return found && ok(withProjects(found))
    },
  }),
]

/** Adds its project to each merge request, so that the response names it (run-route.ts). */
const withProjects = (record: SweepRecord): SweepRecord => ({
  ...record,
  projects: record.projects.map((each) => ({
    ...each,
    enqueued: each.enqueued.map((of) => ({ project: each.project, ...of })),
  })),
})
