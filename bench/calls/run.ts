// Counts the API calls of a day of 1,000 deliveries under the rules of the cookbook, beside what polling and reading everything would spend on the same day.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startSmallWorld } from '../../src/cli/demo/small-world.ts'
import { createLog } from '../../src/cli/output/log.ts'
import type { Source } from '../../src/rules/facts/definition/source.ts'
import { sources } from '../../src/rules/facts/definition/sources.ts'
import { startRedis } from '../../test/redis-server.ts'
import { requireRedis } from '../needs.ts'
import { type Bench, type Row, rowOf } from '../row.ts'
import { liveThroughADay } from './day.ts'

const deliveries = { whole: 1_000, part: 150 }
const seed = 20_261_122
const cookbook = resolve(import.meta.dirname, '../../rules/examples')
/** marge-bot lists what is assigned to it every 15 s, and reads what it finds. */
const pollsOfADay = (24 * 60 * 60) / 15
/** One reading of each source of a merge request, and no person's, note's or user's of their own. */
const everything = Object.values<Source>(sources).filter(({ instance }) => instance === undefined).length

export const bench: Bench = {
  about:
    'API calls of a day of 1,000 deliveries under the rules of the cookbook, beside polling and reading everything',
  async measure({ say, part }) {
    requireRedis()
    const redis = await startRedis([
      ['appendonly', 'no'],
      ['maxmemory-policy', 'noeviction'],
    ])
    const folder = await mkdtemp(join(tmpdir(), 'bench-calls-'))
    const world = await startSmallWorld({
      folder,
      queueUrl: redis.url,
      rules: 'version: 1\nrules: []\n',
      createLog: (secrets) => createLog({ level: 'fatal', secrets, write: () => {} }),
      onProgress: () => {},
      sandbox: { recordCalls: true },
      // Every rule is new here, and would be held back; and a sweep is no answer to a delivery.
      settings: { BELLHOP_RULES: cookbook, BELLHOP_NEW_RULE_LIMIT: '0', BELLHOP_SWEEP_EVERY: '0' },
    })
    try {
      const { id } = (await world.as(world.people.bellhop).users.current({})).body
      await world.settle()
      const before = { calls: world.sandbox.calls().length, deliveries: world.sandbox.deliveries().length }
      const opened = await liveThroughADay(world, before.deliveries + (part ? deliveries.part : deliveries.whole), {
        seed,
        say,
      })
      const sent = world.sandbox.deliveries().length - before.deliveries
      const calls = world.sandbox.calls().slice(before.calls)
      const own = calls.filter(({ caller }) => caller === id)
      const reads = own.filter(({ method }) => method === 'GET').length
      const of = new Map<string, number>()
      for (const { endpoint } of own) of.set(endpoint, (of.get(endpoint) ?? 0) + 1)
      const dear = [...of].sort(([, one], [, other]) => other - one).map((each) => each.join(' '))
      say(
        `${opened} merge requests, ${sent} deliveries, ${reads} reads and ${own.length - reads} writes: ${dear.slice(0, 8).join(', ')}`,
      )
      const row = (what: string, beside: string, value: number, besideValue: number): Row =>
        rowOf({ name: `${part ? 'part of a day' : 'a day'}, ${sent} deliveries`, what, beside, unit: '' }, [
          [value, besideValue],
        ])
      // A part of the deliveries is a part of the day.
      const polls = part ? (pollsOfADay * sent) / deliveries.whole : pollsOfADay
      return [
        row('reads', 'marge-bot’s lists, one each 15 s', reads, polls),
        // The least that it spends while something is assigned to it.
        row('reads', 'marge-bot’s lists, and one merge request with each', reads, 2 * polls),
        row('reads', 'everything for each delivery', reads, everything * sent),
        row('calls, writes among them', 'deliveries', own.length, sent),
      ]
    } finally {
      await world.close()
      await redis.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}
