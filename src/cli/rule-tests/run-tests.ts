// Runs rule test files, and measures the coverage of each rule file.
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readPayload } from '../../api/hooks.ts'
import { readEvent } from '../../bot/intake/events/read-event.ts'
import { emptyMemory } from '../../rules/engine/update-memory.ts'
import { issueRef } from '../../rules/facts/definition/subject-ref.ts'
import { createView } from '../../rules/facts/reading/fact-view.ts'
import { formatProblem, readRules } from '../../rules/language/documents/rule-document.ts'
import type { Subject } from '../../rules/language/values/rule-types.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import { type Coverage, coverageOf } from '../../rules/testing/coverage.ts'
import type { OverrideValue } from '../../rules/testing/overrides.ts'
import { type RuleTestResult, runRuleTest } from '../../rules/testing/run-rule-test.ts'
import { readRuleTests, testedFile } from '../../rules/testing/test-document.ts'
import type { RuleTest } from '../../rules/testing/test-types.ts'
import type { DecideInput, Decision, MergeRequestRef, Problem, RuleFileInForce } from '../../rules/types.ts'
import { pathInForce, trustOf } from '../explain/rules-for.ts'
import { readText } from '../read-text.ts'
import { UsageError } from '../user-error.ts'

export type TestResult = Omit<RuleTestResult, 'decisions'>

export interface TestFileResult {
  file: string
  rules: string
  tests: TestResult[]
  /** Why they cannot run, a line each. */
  problems: string[]
}

export interface TestRun {
  files: TestFileResult[]
  coverage: Coverage[]
}

interface OneRun {
  result: TestFileResult
  inForce?: RuleFileInForce
  decisions: Decision[]
}

async function ready(test: RuleTest, file: string): Promise<RuleTest> {
  if (test.delivery === undefined) return test
  const path = join(dirname(file), test.delivery)
  return withDelivery(test, await readText(path), path)
}

async function runFile(file: string): Promise<OneRun> {
  const text = await readText(file)
  const broken = (rules: string, problems: readonly Problem[]): OneRun => ({
    result: { file, rules, tests: [], problems: problems.map(formatProblem) },
    decisions: [],
  })
  const named = testedFile(text, file)
  if (!named.ok) return broken('', named.problems)
  const tested = file.replace(TEST, (ending) => ending.replace('.test', ''))
  const path = named.read === undefined ? tested : join(dirname(file), named.read)
  const trust = trustOf(path)
  const rules = readRules(await readText(path), path, { trust })
  if (!rules.ok) return broken(path, rules.problems)
  const inForce: RuleFileInForce = { rules: rules.rules, path: pathInForce(path), blob: null, trust, broken: false }
  const names = rules.rules.rules.map((rule) => rule.name)
  const tests = readRuleTests(text, file, names)
  if (!tests.ok) return broken(path, tests.problems)
  const results: RuleTestResult[] = []
  for (const test of tests.read) results.push(runRuleTest(await ready(test, file), [inForce]))
  return {
    result: { file, rules: path, problems: [], tests: results.map(({ decisions: _decisions, ...result }) => result) },
    inForce,
    decisions: results.flatMap(({ decisions }) => decisions),
  }
}

/** Throws UsageError for an unreadable file. */
export async function runTests(files: readonly string[]): Promise<TestRun> {
  const runs: OneRun[] = []
  for (const file of files) runs.push(await runFile(file))
  const inForce = new Map(
    runs.flatMap(({ inForce: each, result }) => (each === undefined ? [] : [[result.rules, each] as const])),
  )
  return {
    files: runs.map(({ result }) => result),
    coverage: [...inForce].map(([file, { rules, path }]) => {
      const decisions = runs.filter(({ result }) => result.rules === file).flatMap((run) => run.decisions)
      return { ...coverageOf(rules, path, decisions), file }
    }),
  }
}

/** The coverage of all files together, with the whole percent, rounded down; 100 for files without rules. */
export function totalOf(coverage: readonly Coverage[]) {
  const sum = (name: 'seen' | 'of') => coverage.reduce((all, each) => all + each[name], 0)
  const [seen, of] = [sum('seen'), sum('of')]
  return { seen, of, percent: of === 0 ? 100 : Math.floor((100 * seen) / of) }
}

const TEST = /\.test\.ya?ml$/
const RULES = /\.(ya?ml)$/

async function kindOf(path: string): Promise<'file' | 'folder' | 'none'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'none'
    throw new UsageError(`${path} cannot be read.`, { cause: error })
  }
}

async function testsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new UsageError(`${folder} cannot be read.`, { cause })
  })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory())
        return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : testsBelow(path)
      return TEST.test(entry.name) ? [path] : []
    }),
  )
  return found.flat().sort()
}

async function testsOf(path: string): Promise<string[]> {
  const kind = await kindOf(path)
  if (kind === 'none') throw new UsageError(`${path} does not exist.`)
  if (kind === 'folder') return testsBelow(path)
  if (TEST.test(path) || !RULES.test(path)) return [path]
  const tests = path.replace(RULES, '.test.$1')
  if ((await kindOf(tests)) === 'file') return [tests]
  throw new UsageError(`${path} has no tests: expected them in ${tests}.`)
}

/** The tests named; by default those of `.bellhop.yml` and of the rules folder. Throws UsageError if there are none. */
export async function findTests(named: readonly string[], rulesFolder: string): Promise<string[]> {
  const usual: string[] = []
  for (const each of ['.bellhop.test.yml', rulesFolder]) if ((await kindOf(each)) !== 'none') usual.push(each)
  const found = (await Promise.all((named.length > 0 ? named : usual).map(testsOf))).flat()
  if (found.length > 0) return [...new Set(found)]
  const where = named.length > 0 ? named.join(', ') : `.bellhop.test.yml or ${rulesFolder}`
  throw new UsageError(`There are no rule tests (*.test.yml) in ${where}.`)
}

/** Facts that a delivery contains completely; others stay as the test gives them. */
const deliveryFacts = [
  'title',
  'description',
  'source_branch',
  'target_branch',
  'state',
  'draft',
  'labels',
  'from_fork',
  'head',
  'mergeability',
  'confidential',
  'weight',
]

const titleOf = (label: unknown) => (isMap(label) ? (label.title ?? label.name) : label)

/** The payload's merge request or issue in the shape of an API response; undefined if it is about none. */
function bodyOf(payload: unknown, subject: Subject): Record<string, unknown> | undefined {
  if (!isMap(payload)) return undefined
  // Issues, incidents, tasks and others, since 17.2.
  const kind = payload.object_kind === 'work_item' ? 'issue' : payload.object_kind
  const own = kind === subject ? payload.object_attributes : payload[subject]
  if (!isMap(own)) return undefined
  const labels = Array.isArray(payload.labels) ? payload.labels : own.labels
  return {
    ...own,
    ...(isMap(own.last_commit) ? { sha: own.last_commit.id } : {}),
    ...(Array.isArray(labels) ? { labels: labels.map(titleOf) } : {}),
  }
}

function factsIn(payload: unknown, subject: Subject): Record<string, OverrideValue> {
  const body = bodyOf(payload, subject)
  if (body === undefined) return {}
  const ref = subject === 'issue' ? issueRef(1, 1) : { project: 1, iid: 1 }
  const view = createView(bareInput(ref, { mergeRequest: { ok: true, body, complete: true } }))
  return Object.fromEntries(
    deliveryFacts.flatMap((name) => {
      const value = view.fact(name)
      return value.is === 'known' ? [[name, value] as const] : []
    }),
  )
}

/** The test with the delivery as its event; what the test gives wins. */
function withDelivery(test: RuleTest, text: string, file: string): RuleTest {
  const read = readPayload(text)
  if (!read.ok) throw new UsageError(`${file}: ${read.reason}`)
  const { event } = readEvent(read.payload, '1970-01-01T00:00:00Z')
  const comment = test.event?.comment ?? (event.note === undefined ? undefined : read.payload.object_attributes?.note)
  return {
    ...test,
    given: { ...test.given, facts: { ...factsIn(JSON.parse(text), test.subject), ...test.given.facts } },
    event: {
      kind: event.kind,
      access: test.event?.access ?? 'developer',
      changed: event.changed ?? [],
      actor: test.event?.actor ?? event.actor.username,
      comment,
      ref: test.event?.ref ?? event.ref,
      refChange: test.event?.refChange ?? event.refChange,
    },
  }
}

export const bareInput = (mergeRequest: MergeRequestRef, answers: DecideInput['answers'] = {}): DecideInput => ({
  ...{ mergeRequest, answers, files: [], events: [], memory: emptyMemory(), now: new Date(0).toISOString() },
  ...{ bot: { id: 0, username: '' }, project: { mergeRequestPipelines: false } },
})
