// How it goes: what came in and was decided lately, how long that took, what waits and what failed.
import * as z from 'zod'
import { FLOW_BUCKET_MS, WAIT_BOUNDS_MS } from '../../journal/tallies.ts'
import type { FlowTally, Journal, ProjectTally } from '../../journal/types.ts'
import type { Conditions, Desk } from '../desk.ts'
import { nothing } from '../inputs.ts'
import { type QueueDepth, readDepth } from '../metrics/queue-depth.ts'
import { ok, route } from '../route.ts'
import { counted } from '../shapes.ts'

/** Of so many milliseconds from `at` on. */
export interface FlowPart extends Omit<FlowTally, 'waited'> {
  lastsMs: number
}

/** Within how many milliseconds of its newest cause half of all decisions were made, and nineteen of twenty; null: later than all that is counted apart. */
export interface Waits {
  count: number
  half?: number | null
  most?: number | null
}

export interface OverviewAnswer {
  conditions: Conditions
  queue: QueueDepth[] | null
  hour: { parts: FlowPart[]; waits: Waits }
  day: { parts: FlowPart[]; waits: Waits }
  /** Those that deliveries came from last, at most twenty of the fifty that are looked at. */
  projects: (ProjectTally & { project: number; path?: string })[]
  /** How many projects are known. */
  projectsInAll: number
}

const hourMs = 3_600_000
const mostLookedAt = 50
const mostShown = 20
const count = z.int().nonnegative()
const flow = z.object({
  parts: z.array(z.object({ at: z.iso.datetime(), lastsMs: count, ...counted })),
  waits: z
    .object({ count, half: z.int().nullable().optional(), most: z.int().nullable().optional() })
    .describe(
      'Within how many milliseconds of the delivery half of all decisions were made, and nineteen of twenty; null: later than half an hour.',
    ),
})

export const overviewRoutes = [
  route({
    name: 'show_overview',
    method: 'get',
    path: '/overview',
    scope: 'read',
    doc: 'What came in and was decided in the last hour and day, how long it took, what waits, and the projects that sent something last.',
    params: nothing,
    input: nothing,
    answers: {
      200: z.object({
        conditions: z.looseObject({ service: z.looseObject({ is: z.string() }), room: z.looseObject({ is: z.string() }) }),
        queue: z
          .array(z.object({ lane: z.string(), state: z.string(), count, ageMs: count.optional().describe('Of the oldest.') }))
          .nullable()
          .describe('Null while the queue does not answer.'),
        hour: flow,
        day: flow,
        projects: z.array(
          z.object({ project: z.int(), path: z.string().optional(), lastDelivery: z.iso.datetime().optional(), ...counted }),
        ),
        projectsInAll: count,
      }),
    },
    async handle(_given, desk) {
      const now = new Date(desk.now())
      const [day, known] = [
        await desk.journal.flow(desk.service, new Date(now.getTime() - 24 * hourMs), now),
        await desk.journal.knownProjects(desk.service),
      ]
      const answer: OverviewAnswer = {
        conditions: desk.conditions(),
        queue: (await readDepth(desk.lanes, desk.now)) ?? null,
        hour: flowOf(day.slice(-hourMs / FLOW_BUCKET_MS), 1),
        day: flowOf(day, hourMs / FLOW_BUCKET_MS),
        projects: await projectsOf(desk, known.slice(-mostLookedAt), now),
        projectsInAll: known.length,
      }
      return ok(answer)
    },
  }),
]

async function projectsOf({ journal, service, rulesOf }: Desk, ids: readonly number[], now: Date): Promise<OverviewAnswer['projects']> {
  const all: OverviewAnswer['projects'] = []
  for (const project of ids) all.push({ project, ...(await journal.projectTally(service, project, now)) })
  all.sort((a, b) => (b.lastDelivery ?? '').localeCompare(a.lastDelivery ?? ''))
  const shown = all.slice(0, mostShown)
  for (const each of shown) {
    const path = (await rulesOf(each.project))?.projectPath
    if (path !== undefined) each.path = path
  }
  return shown
}

/** The newest last; each of `together` tallies, the oldest of fewer. */
function flowOf(tallies: Awaited<ReturnType<Journal['flow']>>, together: number): OverviewAnswer['day'] {
  const parts: FlowPart[] = []
  for (let end = tallies.length; end > 0; end -= together) {
    const some = tallies.slice(Math.max(0, end - together), end)
    const sum = (of: 'deliveries' | 'unread' | 'decisions' | 'done' | 'failed') => some.reduce((all, each) => all + each[of], 0)
    parts.unshift({
      ...{ at: some[0]?.at ?? '', lastsMs: some.length * FLOW_BUCKET_MS },
      ...{ deliveries: sum('deliveries'), unread: sum('unread'), decisions: sum('decisions'), done: sum('done'), failed: sum('failed') },
    })
  }
  return { parts, waits: waitsOf(tallies) }
}

function waitsOf(tallies: readonly FlowTally[]): Waits {
  const waited = [...WAIT_BOUNDS_MS, null].map((bound, at) => ({
    bound,
    count: tallies.reduce((sum, each) => sum + (each.waited[at] ?? 0), 0),
  }))
  const all = waited.reduce((sum, each) => sum + each.count, 0)
  if (all === 0) return { count: 0 }
  const within = (share: number) => {
    const upTo = (at: number) => waited.slice(0, at + 1).reduce((sum, each) => sum + each.count, 0)
    return waited.find((_, at) => upTo(at) >= all * share)?.bound ?? null
  }
  return { count: all, half: within(0.5), most: within(0.95) }
}
