// Runs one rule test: what was expected, what was found, and what blocked it.

import { explainRule, firstBlocker, sayBlocker, words } from '../explain/explain.ts'
import { isEventOf } from '../language/events.ts'
import { allQueues } from '../language/target-queue.ts'
import { isSameJson } from '../language/values/fingerprint.ts'
import type { Json, RuleFileInForce } from '../language/values/rule-types.ts'
import { show } from '../language/values/wording.ts'
import type { Call, Decision, RuleTrace } from '../types.ts'
import { decideIn, sceneOf } from './test-state.ts'
import type { ExpectedCall, RuleTest, Scene } from './test-types.ts'

export interface RuleTestResult {
  name: string
  line: number
  passed: boolean
  expected: string[]
  found: string[]
  problems: string[]
  /** For a failed test: the first blocker of each rule that does nothing. */
  blockers: string[]
  decisions: Decision[]
}

/** The rules that the test runs; those in observe mode as if they acted. */
function acting(file: RuleFileInForce, named: RuleTest['rules']): RuleFileInForce {
  const { mode } = file.rules
  const rules = file.rules.rules.filter(({ name }) => named?.includes(name) ?? true)
  const act = <T extends { mode?: unknown }>(each: T): T => (each.mode === 'observe' ? { ...each, mode: 'act' } : each)
  return { ...file, rules: { ...file.rules, mode: mode === 'observe' ? undefined : mode, rules: rules.map(act) } }
}

const notCompared = ['id', 'merge_request_iid', 'issue_iid', 'key', 'url']
const MARK = /\n\n<!-- bellhop:[0-9a-z]+ -->$/

/** The form in which a parameter is compared: labels and people in any order, texts without their hidden mark. */
function compared(name: string, value: unknown): Json {
  if (/_labels$/.test(name) && typeof value === 'string') return value.split(',').sort()
  if (/_ids$/.test(name) && Array.isArray(value)) return (value as number[]).toSorted((one, other) => one - other)
  return typeof value === 'string' ? value.replace(MARK, '') : (value as Json)
}

function paramsOf({ params }: Pick<Call | ExpectedCall, 'params'>): Record<string, Json> {
  const own = Object.entries(params).filter(([name, value]) => !notCompared.includes(name) && value !== undefined)
  return Object.fromEntries(
    own.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, compared(name, value)]),
  )
}

/** `mergeRequests.update add_labels: "documentation"` */
function say(endpoint: string, params: Record<string, Json>): string {
  return [endpoint, ...Object.entries(params).map(([name, value]) => `${name}: ${show(value)}`)].join(' ')
}
const sayCall = (call: ExpectedCall | Call) => say(call.endpoint, paramsOf(call))

/** The calls that the expected actions make in the same state. An action without a call is a problem of the test. */
function callsExpected(test: RuleTest, scene: Scene, inForce: readonly RuleFileInForce[]) {
  const [event] = scene.events
  const subject = event === undefined || isEventOf(event.event.kind, test.subject) ? test.subject : 'project'
  const rules = (test.expected ?? []).map((actions, index) => ({
    name: `expected ${index + 1}`,
    line: test.line,
    on: event && [{ kind: event.event.kind }],
    if: { all: [] },
    actions: actions.map((each) => ({ ...each, line: test.line })),
    fingerprint: 'expected',
    subject: subject === 'merge_request' ? undefined : subject,
  }))
  const queues = allQueues(inForce)
  const file: RuleFileInForce = {
    rules: { file: 'expected', rules, queues: queues.length === 0 ? undefined : queues },
    path: 'expected',
    blob: null,
    trust: 'operator',
    broken: false,
  }
  const fresh = { ...scene, memory: { rules: {}, pushes: scene.memory.pushes } }
  const decision = decideIn(fresh, [file])
  const problems = decision.rules
    .flatMap((rule) => rule.actions)
    .filter(({ result }) => result !== 'call')
    .map(({ action, result, detail }) => `${action} can do nothing here: ${words(result)}: ${detail}`)
  return { calls: decision.calls, problems }
}

const same = (one: Json, other: Json | undefined) => other !== undefined && isSameJson(one, other)

type Fits = (expected: ExpectedCall, found: Call) => boolean

const isSame: Fits = (expected, found) => sayCall(expected) === sayCall(found)

/** Whether the call has these parameters at least; `has` compares the values of one. */
const hasAll =
  (has: (expected: Json, found: Json | undefined) => boolean): Fits =>
  ({ endpoint, params }, call) =>
    call.endpoint === endpoint &&
    Object.entries(params).every(([name, value]) => has(compared(name, value), paramsOf(call)[name]))

const contains = (expected: Json, found: Json | undefined) =>
  Array.isArray(expected) && Array.isArray(found)
    ? expected.every((each) => found.some((other) => same(each, other)))
    : same(expected, found)

function areAllMade(expected: readonly ExpectedCall[], calls: readonly Call[], fits: Fits): boolean {
  const left = [...calls]
  const missing = expected.filter((each) => {
    const index = left.findIndex((call) => fits(each, call))
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
  return missing.length + left.length === 0
}

function blockerProblems(test: RuleTest, rules: readonly RuleTrace[]): string[] {
  return Object.entries(test.blockers).flatMap(([name, condition]) => {
    const own = rules.filter((rule) => rule.name === name)
    if (own.length === 0) return [`there is no rule ${show(name)}`]
    const blockers = own.map(firstBlocker)
    if (blockers.some((blocker) => blocker?.condition === condition)) return []
    const found = blockers.map((blocker) => (blocker === undefined ? 'nothing' : sayBlocker(blocker)))
    return [`expected ${condition} to block ${show(name)} first, found ${found.join('; ')}`]
  })
}

const idle = ({ rules }: Decision) => rules.filter(({ actions }) => !actions.some(({ result }) => result === 'call'))

/** The calls without those that are made because a rule does not match, such as a status that becomes pending. */
export function callsOfMatches({ calls, rules }: Decision): Call[] {
  const unmatched = new Set(rules.filter(({ verdict }) => verdict !== 'true').map(({ key }) => key))
  return calls.filter((call) => call.rules.length === 0 || call.rules.some((key) => !unmatched.has(key)))
}

/** Runs the test with these rule files in force. */
export function runRuleTest(test: RuleTest, files: readonly RuleFileInForce[]): RuleTestResult {
  const inForce = files.map((file) => acting(file, test.rules))
  const decisions: Decision[] = []
  const scene = sceneOf(test, inForce, decisions)
  const decision = decideIn(scene, inForce)
  decisions.push(decision)
  const needed = test.expected === undefined ? undefined : callsExpected(test, scene, inForce)
  const calls = needed === undefined ? decision.calls : callsOfMatches(decision)
  const expected: readonly (ExpectedCall | Call)[] = needed?.calls ?? test.calls ?? []
  const problems = [...(needed?.problems ?? []), ...blockerProblems(test, decision.rules)]
  const fit = (needed === undefined && test.calls === undefined) || isFit(test, expected, calls)
  const passed = fit && problems.length === 0
  const said = (all: readonly (ExpectedCall | Call)[]) => (all.length === 0 ? ['nothing'] : all.map(sayCall))
  return {
    name: test.name,
    line: test.line,
    passed,
    expected: fit ? [] : said(expected),
    found: fit ? [] : said(calls),
    problems,
    blockers: passed ? [] : idle(decision).flatMap(explainRule),
    decisions,
  }
}

function isFit(test: RuleTest, given: readonly (ExpectedCall | Call)[], calls: readonly Call[]): boolean {
  const expected = given.map(({ endpoint, params }) => ({ endpoint, params: paramsOf({ params }) }))
  // One call may do what several rules ask for.
  if (test.mayDoMore) return expected.every((each) => calls.some((call) => hasAll(contains)(each, call)))
  return areAllMade(expected, calls, test.expected === undefined ? hasAll(same) : isSame)
}
