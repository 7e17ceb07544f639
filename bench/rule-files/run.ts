// Measures cached rule files beside parsing their YAML and their JSON, and the memory of a thousand of them.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parse } from 'yaml'
import type { Bench, Row } from '../row.ts'
import { rowOf } from '../row.ts'
import { compiledFile, createRuleCache } from '../rules/product.ts'
import { textOf } from '../rules/rule-set.ts'
import { again, ratesInTurns } from '../turns.ts'

const as = { path: '.bellhop.yml' }
const repositories = 1_000
const turns = { turnsPerRound: 5, forMs: 100 }

export const bench: Bench = {
  about:
    'finding the cached rules of a file, beside parsing its YAML and its JSON; memory of 1,000 repositories’ rules',
  async measure({ rounds }) {
    return [...(await cached(rounds)), memory()]
  },
}

async function cached(rounds: number): Promise<Row[]> {
  const text = textOf(200)
  const bytes = Buffer.from(text)
  const read = createRuleCache()
  // Each time a new string, as the journal returns it.
  const reading = () => read({ blob: 'of 200 rules', text: bytes.toString() }, as)
  const json = JSON.stringify(reading())
  const besides: [string, () => unknown][] = [
    ['YAML alone', () => parse(text)],
    ['JSON alone', () => JSON.parse(json)],
  ]
  const rows: Row[] = []
  for (const [beside, other] of besides) {
    const named = { name: '200 rules, cached', what: 'bellhop', beside }
    rows.push(await ratesInTurns(named, [again(reading, turns.forMs), again(other, turns.forMs)], { rounds, ...turns }))
  }
  return rows
}

/** Files of ten rules, no two alike. */
function memory(): Row {
  const texts = Array.from({ length: repositories }, (_, n) => `${textOf(10, n % 40)}# ${n}\n`)
  const textKb = texts.reduce((sum, { length }) => sum + length, 0) / 1024
  // What the process keeps besides, such as patterns, is there from then on.
  bytesOf(texts)
  const name = `${repositories} repositories with ten rules`
  const named = { name, what: 'KB of memory', beside: 'KB of text', unit: '' as const }
  return rowOf(named, [[bytesOf(texts) / 1024, textKb]])
}

/** Bytes that the cached rules of these texts take, compiled as for an evaluation. */
function bytesOf(texts: readonly string[]): number {
  const read = createRuleCache()
  const before = heap()
  for (const [n, text] of texts.entries()) {
    const found = read({ blob: `repository ${n}`, text }, as)
    if (!found.ok) throw new Error(JSON.stringify(found.problems[0]))
    compiledFile(found.rules)
  }
  const bytes = heap() - before
  // Keeps the cache alive until it is measured.
  read({ blob: 'repository 0', text: texts[0] ?? '' }, as)
  return bytes
}

/** Bytes in use after a garbage collection. */
function heap(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}
