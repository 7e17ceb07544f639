// Measures the rule language: decisions a second beside hand-written closures for the same rules, and loading files.
import { parse } from 'yaml'
import type { DecideInput, RuleFileInForce, SourceAnswer } from '../../src/rules/types.ts'
import { withPeers } from '../peers.ts'
import type { Bench, Row } from '../row.ts'
import { again, ratesInTurns, type Turns } from '../turns.ts'
import { evaluators } from './languages.ts'
import { decide, decideCalls, emptyMemory, readRules } from './product.ts'
import { type Closure, closures, filesInForce, type Plain, textOf } from './rule-set.ts'

/** A round measures each side in so many short turns: whatever else the machine does then meets both alike. */
const turns = 10
/** How many turns there are of what takes as long as a turn, or ten times as long. */
const turnsOfLong = 3
const turnMs = 12
const mergeRequests = 16
/** V8 has optimized the engine by then, as in a bot that has run for some minutes. */
const decisionsToWarm = 5_000

export const bench: Bench = {
  about:
    'decisions for 20, 500 and 5,000 rules, with and without trace, and the languages of other packages, beside closures written by hand; and reading a file',
  async measure({ rounds, say }) {
    const rows: Row[] = []
    const warm = evaluating(20)
    for (let done = 0; done < decisionsToWarm; done += 1) warm()
    for (const rules of [20, 500, 5000]) {
      for (const files of [100, 1000]) rows.push(...(await deciding({ rules, files, folders: 3 }, rounds)))
    }
    rows.push(...(await deciding({ rules: 500, files: 100, folders: 60 }, rounds)))
    const text = textOf(500)
    const reading = () => readRules(text, 'rules.yml', { trust: 'operator' })
    const named = { name: 'read 500 rules', what: 'bellhop', beside: 'YAML alone' }
    rows.push(await inTurns(named, [reading, () => parse(text)], { rounds, turnsPerRound: turnsOfLong }))
    const peers = await withPeers(say, async () => [
      ...(await besidePeers(20, rounds)),
      ...(await besidePeers(500, rounds)),
    ])
    return [...rows, ...peers]
  },
}

/** Decisions with and without traces, against closures that say only yes or no, on the same merge requests in turn. */
async function deciding(
  { rules, files, folders }: { rules: number; files: number; folders: number },
  rounds: number,
): Promise<Row[]> {
  const inForce = filesInForce(rules)
  const plain = plainOnes(files, folders)
  const inputs = plain.map((each) => inputOf(each, inForce))
  const written = closures(rules)
  for (const [index, input] of inputs.entries()) {
    const result = decide(input)
    const holding = 'decision' in result ? result.decision.rules.map(({ verdict }) => verdict === 'true') : []
    const expected = written.map((closure) => closure(plain[index] as Plain))
    if (JSON.stringify(holding) !== JSON.stringify(expected))
      throw new Error('the closures do not say what the rules say')
  }
  const name = `${rules} rules, ${files} changed files in ${folders} folders`
  const beside = inTurn(plain, (each) => evaluate(written, each))
  const whole = inTurn(inputs, (input) => decide(readAnew(input)))
  const callsOnly = inTurn(inputs, (input) => decideCalls(readAnew(input)))
  const row = (what: string, side: () => unknown) =>
    inTurns({ name, what, beside: 'closures', ...aimOf({ rules, files, folders }, what) }, [side, beside], {
      rounds,
      turnsPerRound: rules === 5000 ? turnsOfLong : turns,
    })
  return [await row('whole trace', whole), await row('calls only', callsOnly)]
}

/** The same rules in other packages' languages, which only say yes or no as well. */
async function besidePeers(rules: number, rounds: number): Promise<Row[]> {
  const plain = plainOnes(100, 3)
  const written = closures(rules)
  const rows: Row[] = []
  for (const [what, evaluateAll] of await evaluators(rules)) {
    for (const each of plain) {
      const expected = written.map((closure) => closure(each))
      if (JSON.stringify(await evaluateAll(each)) !== JSON.stringify(expected))
        throw new Error(`${what} does not say what the closures say`)
    }
    const named = { name: `${rules} rules, 100 changed files in 3 folders`, what, beside: 'closures' }
    rows.push(
      await inTurns(named, [inTurn(plain, evaluateAll), inTurn(plain, (each) => evaluate(written, each))], {
        rounds,
        turnsPerRound: turns,
      }),
    )
  }
  return rows
}

/** What is to be reached with the peers' own figures beside it (docs/performance.md). */
function aimOf(
  { rules, files, folders }: { rules: number; files: number; folders: number },
  what: string,
): Pick<Row, 'aim'> {
  if (files !== 100 || folders !== 3 || what !== 'calls only') return {}
  const least = rules === 20 ? 0.5 : rules === 500 ? 1 : undefined
  return least === undefined ? {} : { aim: { least } }
}

/** Decides, each time about the next merge request: 100 changed files, and so many rules. */
export function evaluating(rules: number): () => void {
  const inForce = filesInForce(rules)
  const inputs = plainOnes(100, 3).map((each) => inputOf(each, inForce))
  return inTurn(inputs, (input) => decide(readAnew(input)))
}

const plainOnes = (files: number, folders: number): Plain[] =>
  Array.from({ length: mergeRequests }, (_, index) => asReceived(mergeRequest(index, files, folders)))

/** Each time the next one: no two decisions in a row are about the same merge request. */
function inTurn<T>(all: readonly T[], work: (one: T) => unknown): () => unknown {
  let next = 0
  return () => {
    const one = all[next] as T
    next = (next + 1) % all.length
    return work(one)
  }
}

function evaluate(written: readonly Closure[], plain: Plain): void {
  for (const closure of written) closure(plain)
}

function mergeRequest(index: number, files: number, areas: number): Plain {
  const area = (file: number) => (file % areas) + index * 7
  return {
    files: Array.from(
      { length: files },
      (_, file) => `area-${area(file) % 60}/part-${file % 7}/file-${file}.ts`,
    ).sort(),
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
    mergeRequest: { project: 1, iid: 7 },
    answers: {
      mergeRequest: answer(mergeRequest),
      changes: answer({ ...mergeRequest, changes_count: String(changes.length), changes }),
    },
    memory: emptyMemory(),
    events: [],
    now: '2026-01-11T00:00:00Z',
    bot: { id: 9, username: 'bellhop' },
    project: { mergeRequestPipelines: false },
  }
}

/** Texts as after a body is parsed: for both sides, those put together of pieces are slower to look through. */
function asReceived(plain: Plain): Plain {
  return JSON.parse(JSON.stringify(plain)) as Plain
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

function inTurns(
  named: Pick<Row, 'name' | 'what' | 'beside' | 'aim'>,
  [side, beside]: readonly [() => unknown, () => unknown],
  given: Turns,
): Promise<Row> {
  return ratesInTurns(named, [again(side, turnMs), again(beside, turnMs)], given)
}
