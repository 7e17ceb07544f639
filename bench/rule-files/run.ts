// Measures rule files that were read before, by this process and by another one, beside reading their YAML and their JSON; and the memory of a thousand of them.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { parse } from 'yaml'
import { openJournal } from '../../src/journal/open-journal.ts'
import type { Journal } from '../../src/journal/types.ts'
import { openQueue } from '../../src/queue/open-queue.ts'
import { startRedis } from '../../test/redis-server.ts'
import { requireRedis } from '../needs.ts'
import type { Bench, Row } from '../row.ts'
import { rowOf } from '../row.ts'
import { compiledFile, createReadRepositoryRules, createRuleForms, rememberedRules } from '../rules/product.ts'
import { textOf } from '../rules/rule-set.ts'
import { again, ratesInTurns } from '../turns.ts'

const as = { project: 1, path: '.bellhop.yml' }
const repositories = 1_000
const turns = { turnsPerRound: 5, forMs: 100 }

type Read = ReturnType<typeof createReadRepositoryRules>

export const bench: Bench = {
  about:
    'finding the rules of a known file, and those that another process has read (over Redis, and compiled), beside reading its YAML and its JSON; memory of 1,000 repositories’ rules',
  async measure({ rounds }) {
    requireRedis()
    const redis = await startRedis([['maxmemory-policy', 'noeviction']])
    const queue = await openQueue({ url: redis.url })
    try {
      const journal = await openJournal(queue.store)
      return [...(await known(rounds)), ...(await ofAnother(journal, rounds)), ...(await memory(journal))]
    } finally {
      await queue.close()
      await redis.stop()
    }
  },
}

/** A process that has read nothing yet. */
function aProcess(journal: Journal): Read {
  const forms = createRuleForms({ service: 'bench', journal, secret: () => 'a token', code: 'the same', log: pino({ level: 'silent' }) })
  return createReadRepositoryRules({ remembered: rememberedRules(), forms })
}

async function known(rounds: number): Promise<Row[]> {
  const text = textOf(200)
  const bytes = Buffer.from(text)
  const read = createReadRepositoryRules({ remembered: rememberedRules() })
  // Each time a text of its own, as it comes from the journal.
  const reading = () => read({ blob: 'of 200 rules', text: bytes.toString() }, as)
  const json = JSON.stringify(await reading())
  const besides: [string, () => unknown][] = [
    ['YAML alone', () => parse(text)],
    ['JSON alone', () => JSON.parse(json)],
  ]
  const rows: Row[] = []
  for (const [beside, other] of besides) {
    const named = { name: '200 rules, read before', what: 'bellhop', beside }
    rows.push(await ratesInTurns(named, [again(reading, turns.forMs), again(other, turns.forMs)], { rounds, ...turns }))
  }
  return rows
}

/** One after the other, so that each waits for Redis; and compiled, which each process does itself. */
async function ofAnother(journal: Journal, rounds: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of [10, 200]) {
    const file = { blob: `of ${count} rules`, text: textOf(count) }
    const first = await aProcess(journal)(file, as)
    const reading = async () => {
      const read = await aProcess(journal)(file, as)
      if (read.ok) compiledFile(read.rules)
    }
    if (JSON.stringify(await aProcess(journal)(file, as)).length !== JSON.stringify(first).length) throw new Error('it is not the same')
    const named = { name: `${count} rules, read by another process`, what: 'bellhop', beside: 'YAML alone' }
    rows.push(await ratesInTurns(named, [again(reading, turns.forMs), again(() => parse(file.text), turns.forMs)], { rounds, ...turns }))
  }
  return rows
}

/** Files of ten rules, no two alike: as this process reads them, and as it finds what another one has read. */
async function memory(journal: Journal): Promise<Row[]> {
  const texts = Array.from({ length: repositories }, (_, n) => `${textOf(10, n % 40)}# ${n}\n`)
  const textKb = texts.reduce((sum, { length }) => sum + length, 0) / 1024
  // The other one. What both keep besides, such as patterns, is there from then on.
  await bytesOf(aProcess(journal), texts)
  const rows: Row[] = []
  for (const [how, read] of [
    ['read here', createReadRepositoryRules({ remembered: rememberedRules() })],
    ['read by another process', aProcess(journal)],
  ] as const) {
    const named = {
      name: `${repositories} repositories with ten rules, ${how}`,
      what: 'KB of memory',
      beside: 'KB of text',
      unit: '' as const,
    }
    rows.push(rowOf(named, [[(await bytesOf(read, texts)) / 1024, textKb]]))
  }
  return rows
}

/** What it takes to remember them, compiled as they are judged. */
async function bytesOf(read: Read, texts: readonly string[]): Promise<number> {
  const before = heap()
  for (const [n, text] of texts.entries()) {
    const found = await read({ blob: `repository ${n}`, text }, { ...as, project: n })
    if (!found.ok) throw new Error(JSON.stringify(found.problems[0]))
    compiledFile(found.rules)
  }
  return heap() - before
}

/** Bytes in use once what nobody needs is gone. */
function heap(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}
