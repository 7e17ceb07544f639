// Overview: what needs attention, outcomes of the week, recent deliveries and decisions, latency, queue depth, and the newest projects.
import pLimit from 'p-limit'
import * as z from 'zod'
import { DAY_MS } from '../../../journal/days.ts'
import { FLOW_BUCKET_MS, noProjectCounts } from '../../../journal/tables/counts.ts'
import type { FlowCounts } from '../../../journal/types.ts'
import { sayMoment } from '../../../rules/language/values/time-windows.ts'
import type { AdminContext } from '../../admin-context.ts'
import { MOST_READ } from '../insights.ts'
import { jobStates, type QueueDepth, queueName, readDepth } from '../jobs.ts'
import { count, counts, names, systemStatus, time } from '../response-schemas.ts'
import { getRoute, ok } from '../route.ts'

export const attentionKinds = ['rules_broken', 'jobs_failed', 'hook', 'rules_limited', 'token_expires'] as const

const attentionItem = z.object({
  kind: z.enum(attentionKinds),
  project: z.int().optional(),
  path: z.string().optional(),
  queue: z.string().optional(),
  count: count.optional().describe('Of failed jobs; the days that are left to a token.'),
  details: z.array(z.string()),
})
export type AttentionItem = z.output<typeof attentionItem>

const hourMs = 3_600_000
const mostRead = 50
const mostShown = 20

const percentile = z.int().optional()
const flow = z.object({
  buckets: z.array(z.object({ at: time, durationMs: count, ...counts })),
  latency: z
    .object({ count, p50Ms: percentile, p95Ms: percentile })
    .describe('From a delivery to its decision; of more than 10,000 the newest count.'),
})
const project = z.object({ project: z.int(), ...names, lastDelivery: time.optional(), ...counts })

const overviewResponse = z.object({
  status: systemStatus,
  queue: z
    .array(
      z.object({
        queue: queueName,
        state: z.enum(jobStates),
        count,
        ageMs: z.number().optional().describe('Of the oldest job.'),
      }),
    )
    .nullable()
    .describe('Null while the queue does not respond.'),
  attention: z.array(attentionItem).describe(`What needs attention; of the projects, the newest ${mostRead} count.`),
  hour: flow,
  day: flow,
  week: z
    .array(z.object({ at: time, merged: count, approved: count, labelled: count }))
    .describe('The last seven days (UTC), the oldest first: merge requests merged, approvals, and calls that label.'),
  projects: z.array(project).describe('The newest 20 of the 50 read.'),
  projectCount: count,
})

export type FlowBucket = z.output<typeof flow>['buckets'][number]
export type Latency = z.output<typeof flow>['latency']
export type OverviewResponse = z.output<typeof overviewResponse>

export const overviewRoutes = [
  getRoute('show_overview', '/overview', {
    doc: 'Shows what needs attention, the outcomes of the week, the deliveries, decisions and latency of the last hour and day, the queue depth, and the projects with the newest deliveries.',
    responses: { 200: overviewResponse },
    async handle(_given, context) {
      const now = new Date(context.now())
      const { counts: counted } = context.journal
      const ago = (ms: number) => new Date(now.getTime() - ms)
      const day = await counted.flow(ago(24 * hourMs), now)
      const known = await context.journal.projects.known()
      const depth = await readDepth(context.queues, context.now)
      return ok<OverviewResponse>({
        status: context.status(),
        queue: depth ?? null,
        attention: await attentionFor(context, depth, known.slice(-mostRead)),
        hour: flowOf(day.slice(-hourMs / FLOW_BUCKET_MS), 1, await counted.latency(ago(hourMs))),
        day: flowOf(day, hourMs / FLOW_BUCKET_MS, await counted.latency(ago(24 * hourMs))),
        week: await weekOf(context),
        projects: await newestProjects(context, known.slice(-mostRead), now),
        projectCount: known.length,
      })
    },
  }),
]

async function weekOf({ journal, now }: AdminContext): Promise<OverviewResponse['week']> {
  const today = Math.floor(now() / DAY_MS) * DAY_MS
  const since = new Date(today - 6 * DAY_MS)
  const read = await journal.mergeRequests.times({ since, until: new Date(today + DAY_MS) }, MOST_READ)
  const labelled = await journal.counts.labelled(since)
  return Array.from({ length: 7 }, (_, day) => {
    const start = since.getTime() + day * DAY_MS
    const isWithin = (at = 0) => at >= start && at < start + DAY_MS
    return {
      at: new Date(start).toISOString(),
      merged: read.filter(({ times }) => isWithin(times.merged)).length,
      approved: read.flatMap(({ times }) => times.approvals).filter(({ at }) => isWithin(at)).length,
      labelled: labelled.reduce((sum, { at, done }) => sum + (isWithin(at.getTime()) ? done : 0), 0),
    }
  })
}

async function newestProjects(
  { journal }: AdminContext,
  ids: readonly number[],
  now: Date,
): Promise<OverviewResponse['projects']> {
  const counted = await journal.counts.projects(ids, now)
  const all = ids.map((project) => ({ project, ...(counted.get(project) ?? noProjectCounts) }))
  all.sort((a, b) => (b.lastDelivery ?? '').localeCompare(a.lastDelivery ?? ''))
  return all.slice(0, mostShown)
}

/** Sums every `size` counts, the newest last; the oldest bucket may have fewer. */
function flowOf(counted: readonly FlowCounts[], size: number, latency: Latency): OverviewResponse['day'] {
  const buckets: FlowBucket[] = []
  for (let end = counted.length; end > 0; end -= size) {
    const some = counted.slice(Math.max(0, end - size), end)
    const names = Object.keys(counts) as (keyof typeof counts)[]
    const sums = names.map((name) => [name, some.reduce((all, each) => all + each[name], 0)])
    const of: Record<keyof typeof counts, number> = Object.fromEntries(sums)
    buckets.unshift({ at: some[0]?.at ?? '', durationMs: some.length * FLOW_BUCKET_MS, ...of })
  }
  return { buckets, latency }
}

/** A token has to be replaced within so many days. */
const daysBefore = 30
// The hook could not be read, which is no fault of the hook.
const hookUnknown = 'failed'

/** In the order of `attentionKinds`. Hooks and the token are asked only while the service is available. */
export async function attentionFor(
  context: AdminContext,
  depth: readonly QueueDepth[] | undefined,
  projects: readonly number[],
): Promise<AttentionItem[]> {
  const isAvailable = context.status().service.is === 'fine'
  const ofProjects = await pLimit(4).map(projects, (each) => attentionIn(context, each, isAvailable))
  const items = [...failedQueues(depth), ...ofProjects.flat()]
  const expiry = isAvailable ? await context.tokenExpiry() : undefined
  if (expiry !== undefined && expiry.daysLeft <= daysBefore)
    items.push({ kind: 'token_expires', count: Math.ceil(expiry.daysLeft), details: [expiry.date] })
  return attentionKinds.flatMap((kind) => items.filter((each) => each.kind === kind))
}

function failedQueues(depth: readonly QueueDepth[] = []): AttentionItem[] {
  return depth.flatMap(({ queue, state, count: failed }) =>
    state === 'failed' && failed > 0 ? [{ kind: 'jobs_failed' as const, queue, count: failed, details: [] }] : [],
  )
}

async function attentionIn(
  { rulesInProject, newRuleLimit, hookHealth }: AdminContext,
  project: number,
  isAvailable: boolean,
): Promise<AttentionItem[]> {
  const rules = await rulesInProject(project)
  const path = rules?.projectPath
  const limited = await newRuleLimit(project)
  const hook = isAvailable && path !== undefined ? await hookHealth?.({ id: project, path }) : undefined
  const of = { project, path }
  const items: AttentionItem[] = []
  if (rules !== undefined && rules.problems.length > 0)
    items.push({ kind: 'rules_broken', ...of, details: rules.problems })
  if (hook?.bad === true && hook.result !== hookUnknown)
    items.push({ kind: 'hook', ...of, details: [hook.result, ...hook.details] })
  const full = Object.entries(limited?.full ?? {})
  if (full.length > 0)
    items.push({
      kind: 'rules_limited',
      ...of,
      details: full.map(([action, until]) => `${action} until ${sayMoment(Date.parse(until))}`),
    })
  return items
}
