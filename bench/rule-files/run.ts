// Measures rule files that were read before: finding their rules again beside reading their YAML and their JSON, and the memory of a thousand of them.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parse } from 'yaml'
import type { Bench, Row } from '../row.ts'
import { rowOf } from '../row.ts'
import { compiledFile, readRepositoryRules } from '../rules/product.ts'
import { textOf } from '../rules/rule-set.ts'
import { again, ratesInTurns } from '../turns.ts'

const path = '.bellhop.yml'
const repositories = 1_000
const turns = { turnsPerRound: 5, forMs: 100 }

export const bench: Bench = {
  about: 'finding the rules of a known file beside reading its YAML and its JSON; memory of 1,000 repositories’ rules',
  async measure({ rounds }) {
    const rows: Row[] = []
    const text = textOf(200)
    const bytes = Buffer.from(text)
    // Each time a text of its own, as it comes from the journal.
    const known = () => readRepositoryRules({ blob: 'of 200 rules', text: bytes.toString() }, path)
    const json = JSON.stringify(known())
    const besides: [string, () => unknown][] = [
      ['YAML alone', () => parse(text)],
      ['JSON alone', () => JSON.parse(json)],
    ]
    for (const [beside, other] of besides) {
      const named = { name: '200 rules, read before', what: 'bellhop', beside }
      rows.push(await ratesInTurns(named, [again(known, turns.forMs), again(other, turns.forMs)], { rounds, ...turns }))
    }
    rows.push(memory())
    return rows
  },
}

/** Files of ten rules, no two alike, compiled as they are judged. */
function memory(): Row {
  const texts = Array.from({ length: repositories }, (_, n) => `${textOf(10, n % 40)}# ${n}\n`)
  const before = heap()
  for (const [n, text] of texts.entries()) {
    const read = readRepositoryRules({ blob: `repository ${n}`, text }, path)
    if (!read.ok) throw new Error(JSON.stringify(read.problems[0]))
    compiledFile(read.rules)
  }
  const [kb, textKb] = [heap() - before, texts.reduce((sum, { length }) => sum + length, 0)].map((each) => each / 1024) as [number, number]
  return rowOf({ name: `${repositories} repositories with ten rules`, what: 'KB of memory', beside: 'KB of text', unit: '' }, [
    [kb, textKb],
  ])
}

/** Bytes in use once what nobody needs is gone. */
function heap(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}
