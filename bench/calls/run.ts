// Counts the API calls of a day of 1,000 deliveries under the cookbook's rules, beside what polling and reading
// everything would spend on the same day; and those for each merge.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { type SmallWorld, startSmallWorld } from '../../src/cli/demo/small-world.ts'
import { createLog } from '../../src/cli/output/log.ts'
import type { Source } from '../../src/rules/facts/definition/source.ts'
import { sources } from '../../src/rules/facts/definition/sources.ts'
import { startRedis } from '../../test/servers/redis-server.ts'
import { requireRedis } from '../needs.ts'
import { type Bench, type Row, rowOf } from '../row.ts'
import { liveThroughADay } from './day.ts'
import { approvedRules, mergeGreenOnes, mergeRules } from './merges.ts'

const deliveries = { whole: 1_000, part: 150 }
const mergeRequests = { whole: 30, part: 7 }
const mostForAMerge = 10
const seed = 20_261_122
const cookbook = resolve(import.meta.dirname, '../../rules/examples')
/** The recipes that ask for most: people, groups, other merge requests, statuses. The day is lived without them too. */
const dearRecipes = [
  ...['pick-reviewers', 'review-by-code-owners', 'approved-by-group', 'keep-up-to-date', 'merge-in-order'],
  ...['require-policy', 'backport-by-label', 'backport-by-release-team', 'retry-pipeline', 'tell-a-chat'],
]
const mostWithDear = 1.3
/** marge-bot lists what is assigned to it every 15 s, and reads what it finds. */
const pollsOfADay = (24 * 60 * 60) / 15
/** One reading of each source of a merge request, and no person's, note's or user's of their own. */
const everything = Object.values<Source>(sources).filter(({ instance }) => instance === undefined).length

export const bench: Bench = {
  about:
    'API calls of a day of 1,000 deliveries under the rules of the cookbook, beside polling and reading everything; and for each merge',
  async measure({ say, part }) {
    requireRedis()
    const redis = await startRedis([
      ['appendonly', 'no'],
      ['maxmemory-policy', 'noeviction'],
    ])
    try {
      const day = await aDay(redis.url, { say, part })
      return [...day, ...(await merges(redis.url, { say, part }))]
    } finally {
      await redis.stop()
    }
  },
}

interface Counted<T> {
  deliveries: number
  calls: number
  reads: number
  /** The number of calls of each endpoint, the most frequent first. */
  byEndpoint: [string, number][]
  result: T
}

interface Lived<T> {
  queueUrl: string
  rules: string
  settings?: Record<string, string>
  live: (world: SmallWorld) => Promise<T>
}

let worlds = 0

/** The bot's calls while something happens in a small world with its own database, as worlds have the same ids. */
async function counted<T>({ queueUrl, rules, settings, live }: Lived<T>): Promise<Counted<T>> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-calls-'))
  const world = await startSmallWorld({
    folder,
    queueUrl: `${queueUrl}/${worlds++}`,
    rules,
    createLog: (secrets) => createLog({ level: 'fatal', secrets, write: () => {} }),
    onProgress: () => {},
    sandbox: { recordCalls: true },
    // Every rule is new here, and would be held back; and a sweep is no answer to a delivery.
    settings: { BELLHOP_NEW_RULE_LIMIT: '0', BELLHOP_SWEEP_EVERY: '0', ...settings },
  })
  try {
    const { id } = (await world.as(world.people.bellhop).users.current({})).body
    await world.settle()
    const before = { calls: world.sandbox.calls().length, deliveries: world.sandbox.deliveries().length }
    const result = await live(world)
    const own = world.sandbox
      .calls()
      .slice(before.calls)
      .filter(({ caller }) => caller === id)
    const numbers = new Map<string, number>()
    for (const { endpoint } of own) numbers.set(endpoint, (numbers.get(endpoint) ?? 0) + 1)
    return {
      deliveries: world.sandbox.deliveries().length - before.deliveries,
      calls: own.length,
      reads: own.filter(({ method }) => method === 'GET').length,
      byEndpoint: [...numbers].sort(([, one], [, other]) => other - one),
      result,
    }
  } finally {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Measured = Pick<Parameters<Bench['measure']>[0], 'say' | 'part'>

async function aDay(queueUrl: string, { say, part }: Measured): Promise<Row[]> {
  const all = part ? deliveries.part : deliveries.whole
  const folder = await mkdtemp(join(tmpdir(), 'bench-recipes-'))
  const isDear = (path: string) => dearRecipes.includes(basename(path).replace(/(\.test)?\.yml$/, ''))
  try {
    await cp(cookbook, folder, { recursive: true, filter: (path) => !isDear(path) })
    const live = (recipes: string) =>
      counted({
        queueUrl,
        rules: 'version: 1\nrules: []\n',
        settings: { BELLHOP_RULES: recipes },
        live: (world) => liveThroughADay(world, world.sandbox.deliveries().length + all, { seed, say }),
      })
    return rowsOfDay(await live(cookbook), await live(folder), { say, part })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function rowsOfDay(day: Counted<number>, without: Counted<number>, { say, part }: Measured): Row[] {
  for (const [which, { result, byEndpoint, ...each }] of Object.entries({ all: day, 'without the dear': without })) {
    const dear = byEndpoint.slice(0, 12).map((counts) => counts.join(' '))
    const writes = each.calls - each.reads
    say(
      `${which} recipes: ${result} merge requests, ${each.deliveries} deliveries, ${each.reads} reads and ${writes} writes: ${dear.join(', ')}`,
    )
  }
  const { reads, calls, deliveries: sent } = day
  const name = `${part ? 'part of a day' : 'a day'}, ${sent} deliveries`
  const row = (what: string, beside: string, value: number, besideValue: number, aim?: Row['aim']): Row =>
    rowOf({ name, what, beside, unit: '', ...(aim === undefined ? {} : { aim }) }, [[value, besideValue]])
  // A part of the deliveries is a part of the day.
  const polls = part ? (pollsOfADay * sent) / deliveries.whole : pollsOfADay
  return [
    row('reads', 'marge-bot’s lists, one each 15 s', reads, polls),
    // The least that it spends while something is assigned to it.
    row('reads', 'marge-bot’s lists, and one merge request with each', reads, 2 * polls),
    row('reads', 'everything for each delivery', reads, everything * sent),
    row('calls, writes among them', 'deliveries', calls, sent),
    // Days of a few deliveries more or less.
    row('calls', 'without the ten recipes that ask for most', calls, (without.calls * sent) / without.deliveries, {
      most: mostWithDear,
    }),
  ]
}

async function merges(queueUrl: string, { say, part }: Measured): Promise<Row[]> {
  const opened = part ? mergeRequests.part : mergeRequests.whole
  const all = await counted({ queueUrl, rules: mergeRules, live: (world) => mergeGreenOnes(world, opened) })
  const merged = all.result
  say(`${opened} merge requests opened, ${merged} merged, ${all.deliveries} deliveries, ${all.calls} calls`)
  const approved = await counted({
    ...{ queueUrl, rules: approvedRules },
    live: (world) => mergeGreenOnes(world, opened, { approved: true }),
  })
  const named = { name: `for each merge, ${merged} of ${opened} merge requests merged`, unit: '' } as const
  const calls = all.calls / merged
  return [
    rowOf({ ...named, what: 'all calls', beside: 'deliveries' }, [[calls, all.deliveries / merged]]),
    rowOf({ ...named, what: 'all calls', beside: 'the most to reach', aim: { most: 1 } }, [[calls, mostForAMerge]]),
    rowOf(
      { name: 'for each merge of what a person approved', what: 'all calls', beside: 'without approvals', unit: '' },
      [[approved.calls / approved.result, calls]],
    ),
    ...all.byEndpoint.map(([what, number]) =>
      rowOf({ ...named, what, beside: 'all calls' }, [[number / merged, calls]]),
    ),
  ]
}
