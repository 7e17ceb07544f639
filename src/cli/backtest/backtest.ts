// What rules would have decided about past merge requests: each is judged as it was just before its end, as far as that is known today.
import { judge } from '../../bot/observe.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { emptyMemory } from '../../rules/remember.ts'
import type { ProjectPolicy, RuleFileInForce } from '../../rules/types.ts'
import type { AskMemory, AskPast } from '../explain/running-bot.ts'
import { type Budget, createBudget, OutOfCalls } from './budget.ts'
import { sourcesOf } from './estimate.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { type Listed, pastMoment, seenOfLast } from './past-facts.ts'
import { thorough } from './thorough.ts'

export interface BacktestOptions {
  client: Client
  service: string
  project: number
  files: RuleFileInForce[]
  policy?: ProjectPolicy
  last: number
  maxCalls: number
  offLabel: string
  now: () => number
  /** Asks a running bot who pushed. */
  memoryOf?: AskMemory | undefined
  /** Asks it what it saw. */
  pastOf?: AskPast | undefined
  /** Told once, before the merge requests are read: how many there are, and how many calls that takes at most. */
  onPlan: (plan: { mergeRequests: number; calls: number }) => void
  onProgress: (progress: { judged: number; of: number; calls: number }) => void
}

export interface Backtest {
  outcomes: Outcome[]
  /** How many were asked for and are there. */
  found: number
  calls: { made: number; planned: number; most: number }
  /** Why not all were judged. */
  stopped?: { reason: string; failed: boolean }
}

interface Past extends Listed {
  iid: number
  title: string
  sourceProject?: number
  sourceBranch?: string
}

const PAGE = 100

async function listed({ client }: Budget, project: number, last: number): Promise<Past[]> {
  const params = { id: project, scope: 'all', order_by: 'created_at', sort: 'desc', per_page: Math.min(PAGE, last) }
  const { items } = await client.pages('mergeRequests.list', params, { maxPages: Math.ceil(last / PAGE) }).collect()
  return items.slice(0, last).map((each) => {
    const { iid, title, state, ...rest } = each as Record<string, unknown>
    if (typeof iid !== 'number') throw new Error('the service lists a merge request without a number')
    const ends = { merged_at: rest.merged_at, closed_at: rest.closed_at, sha: rest.sha }
    const { source_project_id: from, source_branch: branch } = rest
    return {
      iid,
      title: String(title ?? ''),
      ...(typeof state === 'string' ? { state } : {}),
      ...(typeof from === 'number' && typeof branch === 'string' ? { sourceProject: from, sourceBranch: branch } : {}),
      ...ends,
    }
  })
}

/** What ends a backtest early; anything else is a defect. */
function stoppedBy(error: unknown, most: number): NonNullable<Backtest['stopped']> {
  if (error instanceof OutOfCalls) return { reason: `the ${most} calls of --max-calls were made`, failed: false }
  if (error instanceof ServiceError) return { reason: error.message, failed: true }
  throw error
}

/** Judges the newest merge requests, one after the other. Nothing is sent. Throws what the client throws before the first is judged. */
export async function backtest(options: BacktestOptions): Promise<Backtest> {
  const { files, policy, project, service, last, maxCalls, offLabel, now, memoryOf, pastOf } = options
  const budget = createBudget(options.client, maxCalls)
  const { id = 0, username = '' } = (await options.client.users.current({})).body
  const at = new Date(now()).toISOString()
  const past = await listed(budget, project, last)
  const moments = past.map((each) => pastMoment(each, at))
  const planned = budget.made() + moments.reduce((sum, each) => sum + sourcesOf(files, each?.suppose ?? []).length, 0)
  options.onPlan({ mergeRequests: past.length, calls: planned })
  const outcomes: Outcome[] = []
  let stopped: Backtest['stopped']
  for (const [index, each] of past.entries()) {
    const { iid, title, state, ...source } = each
    try {
      const asked = moments[index] === undefined ? undefined : pastOf
      const seen = seenOfLast(each, await asked?.({ project, iid }))
      const moment = pastMoment(each, at, seen)
      const remembered = await memoryOf?.({ project, iid, ...source })
      const pushes = remembered?.memory.pushes ?? []
      const { decision, input } = await judge(
        budget.client,
        {
          files: thorough(files),
          ...(policy === undefined ? {} : { policy }),
          mergeRequest: { service, project, iid },
          memory: { ...emptyMemory(), pushes },
          events: [],
          now: moment?.now ?? at,
          bot: { id, username },
          offLabel,
          project: { mergeRequestPipelines: remembered?.mergeRequestPipelines ?? false },
          // Who pushed does not change, where somebody saw it.
          suppose: (moment?.suppose ?? []).filter(({ fact }) => pushes.length === 0 || fact !== 'pushed_by'),
        },
        async (each) => each,
      )
      const kept = asked === undefined ? {} : { seen: seen !== undefined }
      outcomes.push(outcomeOf({ iid, title, state: state ?? 'unknown', ...kept }, decision, input))
    } catch (error) {
      stopped = stoppedBy(error, maxCalls)
      break
    }
    options.onProgress({ judged: index + 1, of: past.length, calls: budget.made() })
  }
  const calls = { made: budget.made(), planned, most: maxCalls }
  return { outcomes, found: past.length, calls, ...(stopped === undefined ? {} : { stopped }) }
}
