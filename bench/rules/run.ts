// Measures the rule language: decisions a second beside hand-written closures for the same rules, and loading of rule files.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import type { DecideInput, RuleFileInForce, SourceAnswer } from '../../src/rules/types.ts'
import { decide, decideCalls, emptyMemory, readRules } from './product.ts'
import { type Closure, closures, filesInForce, type Plain, textOf } from './rule-set.ts'

const help = `Usage: npm run bench -- rules [options]

Decisions a second for 20, 500 and 5,000 rules over merge requests with 100 and 1,000 changed files, with the whole trace and
without it (as before a merge), each beside hand-written closures for the same rules, in turns; and reading a file of 500 rules
beside YAML alone. Measures what npm run build made. Prints a table and writes it as JSON.

Options:
  --rounds N   rounds of each measurement, at least 5 (default 5); the table shows medians
  --out FILE   where the JSON goes (default bench/rules/results.json)
  --help       show this
`
/** A round measures each side in so many short turns: whatever else the machine does then meets both alike. */
const turnsPerRound = 10
const turnMs = 15
const mergeRequests = 16

interface Row {
  name: string
  /** Medians, per second. */
  rate: number
  besideRate: number
  /** Median of the rounds' ratios. */
  ratio: number
}

export async function run(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      rounds: { type: 'string', default: '5' },
      out: { type: 'string', default: join(import.meta.dirname, 'results.json') },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const rounds = Number(values.rounds)
  if (values.help || !Number.isInteger(rounds) || rounds < 5) {
    process.stdout.write(help)
    if (!values.help) process.exitCode = 2
    return
  }
  const rows: Row[] = []
  for (const rules of [20, 500, 5000]) {
    for (const files of [100, 1000]) rows.push(...deciding({ rules, files, folders: 3 }, rounds))
  }
  rows.push(...deciding({ rules: 500, files: 100, folders: 60 }, rounds))
  const text = textOf(500)
  const reading = () => void readRules(text, 'rules.yml', { trust: 'operator' })
  rows.push(inTurns('read 500 rules, beside YAML alone', reading, () => void parse(text), rounds))
  process.stdout.write(table(rows))
  await writeFile(values.out, `${JSON.stringify({ date: new Date().toISOString(), node: process.version, rounds, rows }, null, 2)}\n`)
  process.stdout.write(`\nWritten to ${values.out}\n`)
}

/** Decisions with their traces and without, against closures that only say yes or no, over the same merge requests in turn. */
function deciding({ rules, files, folders }: { rules: number; files: number; folders: number }, rounds: number): Row[] {
  const inForce = filesInForce(rules)
  const plain = Array.from({ length: mergeRequests }, (_, index) => mergeRequest(index, files, folders))
  const inputs = plain.map((each) => inputOf(each, inForce))
  const written = closures(rules)
  for (const [index, input] of inputs.entries()) {
    const result = decide(input)
    const holding = 'decision' in result ? result.decision.rules.map(({ verdict }) => verdict === 'true') : []
    const expected = written.map((closure) => closure(plain[index] as Plain))
    if (JSON.stringify(holding) !== JSON.stringify(expected)) throw new Error('the closures do not say what the rules say')
  }
  const name = `${rules} rules, ${files} changed files in ${folders} folders`
  const beside = inTurn(plain, (each) => judge(written, each))
  return [
    inTurns(
      `${name}, whole trace`,
      inTurn(inputs, (input) => void decide(readAnew(input))),
      beside,
      rounds,
    ),
    inTurns(
      `${name}, calls only`,
      inTurn(inputs, (input) => void decideCalls(readAnew(input))),
      beside,
      rounds,
    ),
  ]
}

/** Each time the next one: no two decisions in a row are about the same merge request. */
function inTurn<T>(all: readonly T[], work: (one: T) => void): () => void {
  let next = 0
  return () => {
    work(all[next] as T)
    next = (next + 1) % all.length
  }
}

function judge(written: readonly Closure[], plain: Plain): void {
  for (const closure of written) closure(plain)
}

function mergeRequest(index: number, files: number, areas: number): Plain {
  const area = (file: number) => (file % areas) + index * 7
  return {
    files: Array.from({ length: files }, (_, file) => `area-${area(file) % 60}/part-${file % 7}/file-${file}.ts`),
    labels: index % 2 === 0 ? ['dependencies', 'frontend'] : ['urgent-14', 'backend'],
    author: index % 4 === 0 ? 'renovate-bot' : `user-${index * 5 + 2}`,
    title: `fix(part-${index * 5 + 3}): mend the door`,
    draft: index % 8 === 7,
    targetBranch: index % 3 === 0 ? 'release-4' : 'main',
    pipeline: index % 3 === 2 ? 'running' : 'success',
  }
}

function inputOf(plain: Plain, inForce: RuleFileInForce[]): DecideInput {
  const sha = 'a'.repeat(40)
  const mergeRequest = {
    id: 70,
    iid: 7,
    project_id: 1,
    source_project_id: 1,
    target_project_id: 1,
    state: 'opened',
    title: plain.title,
    description: '',
    work_in_progress: plain.draft,
    labels: plain.labels,
    author: { id: 2, username: plain.author },
    target_branch: plain.targetBranch,
    source_branch: 'feature',
    sha,
    head_pipeline: { id: 5, sha, ref: 'feature', status: plain.pipeline, source: 'push' },
  }
  const changes = plain.files.map((path) => ({ old_path: path, new_path: path, diff: '' }))
  const answer = (body: unknown) => ({ ok: true as const, body, complete: true })
  return {
    files: inForce,
    mergeRequest: { service: 'bench', project: 1, iid: 7 },
    answers: { mergeRequest: answer(mergeRequest), changes: answer({ ...mergeRequest, changes_count: String(changes.length), changes }) },
    memory: emptyMemory(),
    events: [],
    now: '2026-01-11T00:00:00Z',
    bot: { id: 9, username: 'bellhop' },
    project: { mergeRequestPipelines: false },
  }
}

/** As for every evaluation: nothing that was found out about an answer before can be used again. */
function readAnew(input: DecideInput): DecideInput {
  const { mergeRequest, changes } = input.answers
  const copy = (answer: SourceAnswer | undefined): SourceAnswer => {
    if (answer?.ok !== true) throw new Error('an answer is missing')
    const body = answer.body as Record<string, unknown>
    return { ...answer, body: { ...body, ...(Array.isArray(body.changes) ? { changes: [...body.changes] } : {}) } }
  }
  return { ...input, answers: { mergeRequest: copy(mergeRequest), changes: copy(changes) } }
}

/** The two sides in turns, after a round that does not count; the ratio is the median of the rounds' own ratios. */
function inTurns(name: string, side: () => void, beside: () => void, rounds: number): Row {
  const measured: [number, number][] = []
  for (let round = 0; round <= rounds; round += 1) {
    const pair = roundOf([side, beside])
    if (round > 0) measured.push(pair)
  }
  return {
    name,
    rate: median(measured.map(([rate]) => rate)),
    besideRate: median(measured.map(([, rate]) => rate)),
    ratio: median(measured.map(([rate, besideRate]) => rate / besideRate)),
  }
}

/** How often a second each is done. */
function roundOf(sides: readonly [() => void, () => void]): [number, number] {
  const sums = sides.map((work) => ({ work, count: 0, ms: 0 }))
  for (let turn = 0; turn < turnsPerRound; turn += 1) {
    for (const sum of sums) {
      const start = performance.now()
      let ms = 0
      do {
        sum.work()
        sum.count += 1
        ms = performance.now() - start
      } while (ms < turnMs)
      sum.ms += ms
    }
  }
  const [one, other] = sums.map(({ count, ms }) => (count * 1000) / ms)
  return [one ?? Number.NaN, other ?? Number.NaN]
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, rate, besideRate, ratio }) => `| ${name} | ${rate.toFixed(1)}/s | ${besideRate.toFixed(1)}/s | ${ratio.toFixed(2)} |`,
  )
  return `| | Bellhop | beside | ratio |\n| --- | ---: | ---: | ---: |\n${lines.join('\n')}\n`
}
