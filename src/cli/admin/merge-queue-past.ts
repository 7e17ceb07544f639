// Reads from a running bot what `bellhop merge-queue simulate --from-journal` replays.
import type { DeliveryRecord, JournalPage } from '../../journal/types.ts'
import { type Past, type PastEvent, readPast, type Share } from '../../merge-queue/simulator/past.ts'
import { count } from '../../rules/language/values/wording.ts'
import { createProgress, plain } from '../output/terminal-text.ts'
import { UserError } from '../user-error.ts'
import { createAdminClient } from './admin-client.ts'
import type { AdminFlags } from './route-command.ts'

const pageSize = 200
const mostDeliveries = 100_000
export const mostMergeRequests = 2_000
const leastMerges = 10
const minuteMs = 60_000

type JournalPast = Awaited<ReturnType<typeof readJournalPast>>

/** `since`: when the first delivery that was read came (ISO 8601). Throws UserError with all that the journal lacks. */
export async function readJournalPast(flags: AdminFlags, project: string, target?: string) {
  const { events, since } = await readEvents(flags, project)
  const past = readPast(events, target)
  const missing = missingOf(past, target)
  if (missing.length === 0) return { ...past, arrivals: past.arrivals.slice(-mostMergeRequests), project, since }
  const stored = since === '' ? 'no delivery of it is stored' : `its deliveries since ${since} are stored`
  throw new UserError(
    [
      `The journal has too little of ${plain(project)} to replay; ${stored}:`,
      ...missing.map((each) => `- ${each}`),
    ].join('\n'),
  )
}

/** Oldest first. */
async function readEvents(flags: AdminFlags, project: string): Promise<{ events: PastEvent[]; since: string }> {
  const call = createAdminClient(flags)
  const progress = createProgress()
  const events: PastEvent[] = []
  let [read, since] = [0, '']
  let after: string | undefined
  do {
    const page: JournalPage<DeliveryRecord> = await call('list_deliveries', { project, limit: pageSize, after })
    read += page.items.length
    progress.show(count(read, 'delivery', 'deliveries'), read / mostDeliveries)
    since = page.items.at(-1)?.receivedAt ?? since
    for (const { event } of page.items)
      if (event !== undefined && /^(?:merge_request|pipeline)\./.test(event.kind)) events.push(event)
    after = page.next
  } while (after !== undefined && read < mostDeliveries)
  progress.end()
  return { events: events.reverse(), since }
}

function missingOf({ arrivals, pipelines, target, merges }: Past, asked: string | undefined): string[] {
  const into = target === '' ? '' : ` into ${plain(target)}`
  const others = [...merges].map(([branch, count]) => `${plain(branch)} (${count})`)
  const known = asked === undefined || others.length === 0 ? '' : `; merges are stored of ${others.join(', ')}`
  return [
    ...(arrivals.length < leastMerges
      ? [
          `${count(arrivals.length, 'merge')}${into}, of at least ${leastMerges}: they come with the hook for merge requests${known}`,
        ]
      : []),
    ...(pipelines.length === 0
      ? ['no pipeline whose start and end were both delivered: they come with the hook for pipelines']
      : []),
  ]
}

type RateName = 'bad' | 'flaky' | 'conflicts'

/** Each share, and where it is from: what counts is what the user gave, then what the journal has, then the default. */
export function ratesOf(
  { bad, flaky, target }: Past,
  shares: Record<RateName, number>,
  isGiven: (name: RateName) => boolean,
) {
  const rate = (name: RateName, { count, among }: Share, failed: string) => {
    if (isGiven(name)) return { share: shares[name], from: 'as given' }
    if (among === 0) return { share: shares[name], from: `assumed: ${failed} is not in the journal` }
    return { share: count / among, from: `${count} of ${among}: ${failed}` }
  }
  return {
    bad: rate('bad', bad, `a red commit of ${plain(target)} after a green one`),
    flaky: rate('flaky', flaky, 'a red pipeline of a commit that has a green one'),
    conflicts: rate('conflicts', { count: 0, among: 0 }, 'which merge requests conflict'),
  }
}

/** What is replayed, in lines. */
export function describePast(past: JournalPast, { bad, flaky, conflicts }: ReturnType<typeof ratesOf>): string[] {
  const { project, target, arrivals, pipelines } = past
  const [first = 0, last = 0] = [arrivals[0], arrivals.at(-1)].map((at) => at ?? 0)
  const sorted = pipelines.toSorted((a, b) => a - b)
  const longest = (share: number) => ((sorted[Math.floor(sorted.length * share)] ?? 0) / minuteMs).toFixed(1)
  return [
    plain(`${project} into ${target}: ${count(arrivals.length, 'merge request')}`),
    `  ready      ${new Date(first).toISOString()} to ${new Date(last).toISOString()}`,
    `  pipelines  P50 ${longest(0.5)} min, P95 ${longest(0.95)} min, of ${pipelines.length}`,
    `  bad        ${percent(bad.share)}: ${bad.from}`,
    `  flaky      ${percent(flaky.share)}: ${flaky.from}`,
    `  conflicts  ${percent(conflicts.share)}: ${conflicts.from}`,
  ]
}

const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`
