// Counting for the new-rule limit, on marks of a journal that is a map: what is new, what is used up, and when it ends.
import {
  allowNewRules,
  newRuleLimitOf,
  newRuleMarks,
  takeNewRuleUses,
} from '../../../src/bot/evaluation/new-rule-counts.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Decision, NewRuleLimit, ProjectPolicy } from '../../../src/rules/types.ts'
import { answer, answers, bot, decided, file, head, input, sent } from '../../rules/world.ts'
import { marksInMemory } from '../marks-in-memory.ts'
import { testContext } from '../test-context.ts'

const MINUTE = 60_000

function makeCounter(perHour = 2, marks = new Map<string, string>()) {
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
  const context = testContext({ journal: { marks: marksInMemory(marks) }, now: () => clock.now })
  const rulesOf = (text: string, policy: Partial<ProjectPolicy> = {}) => ({
    files: [file(text)],
    policy: { mode: 'act' as const, includeFrom: [], newRuleLimit: perHour, ...policy },
  })
  const marksOf = (project: number) =>
    Object.fromEntries(
      newRuleMarks.map((mark) => [mark, JSON.parse(marks.get(`${project} ${mark}`) ?? 'null') ?? undefined]),
    )
  const state = (text: string, project = 7, policy: Partial<ProjectPolicy> = {}) =>
    newRuleLimitOf(context, project, rulesOf(text, policy), marksOf(project))
  const take = (project: number, decision: Decision, limit: NewRuleLimit) =>
    takeNewRuleUses(context, project, decision, limit)
  /** Decides by the new-rule limit as it is, and counts it; gives what was sent. */
  async function act(text: string, project = 7): Promise<number> {
    const newRuleLimit = await state(text, project)
    const decision = decided(input([file(text)], newRuleLimit === undefined ? {} : { newRuleLimit: newRuleLimit }))
    if (newRuleLimit !== undefined && !(await take(project, decision, newRuleLimit))) return -1
    return decision.calls.length
  }
  return { take, state, act, clock, marks, allow: () => allowNewRules(context, 7) }
}

const approving = (name = 'a', author = 'alice', mode = '') =>
  `${mode}rules:\n  - { name: ${name}, if: { author: ${author} }, then: { approve: true } }\n`
const until = (newRuleLimit: NewRuleLimit | undefined) => newRuleLimit?.full.approve

test('new rules act as often as the limit says, and again an hour after the first time', async () => {
  const { act, state, clock } = makeCounter()
  expect(await act(approving())).toBe(1)
  clock.now += 10 * MINUTE
  expect(await act(approving())).toBe(1)
  expect(await act(approving())).toBe(0)
  expect(until(await state(approving()))).toBe('2026-11-21T13:00:00.000Z')
  clock.now += 50 * MINUTE
  expect(await act(approving())).toBe(1)
})

test('rules that an operator allows are new no longer, and others still are', async () => {
  const { act, allow } = makeCounter(1)
  expect([await act(approving()), await act(approving())]).toEqual([1, 0])
  await allow()
  expect([await act(approving()), await act(approving())]).toEqual([1, 1])
  expect(await act(approving('b', '[alice, bob]'))).toBe(0)
})

test('each project has its own limit', async () => {
  const { act } = makeCounter(1)
  expect([await act(approving(), 7), await act(approving(), 7), await act(approving(), 8)]).toEqual([1, 0, 1])
})

test('a withdrawal is not counted, and is sent although the limit is reached', async () => {
  const { act, state, take } = makeCounter(1)
  expect(await act(approving())).toBe(1)
  const text = approving('a', 'bob')
  const newRuleLimit = await state(text)
  const approvals = answer({ approvals_left: 0, approved_by: [{ user: bot }], user_has_approved: true })
  const memory = { ...emptyMemory(), of: { approve: head } }
  const decision = decided(
    input([file(text)], {
      ...(newRuleLimit && { newRuleLimit: newRuleLimit }),
      memory,
      answers: answers({}, { approvals }),
    }),
  )
  expect([until(newRuleLimit) !== undefined, sent(decision)]).toEqual([true, [['mergeRequests.unapprove', {}]]])
  expect(newRuleLimit && (await take(7, decision, newRuleLimit))).toBe(true)
})

test('a rule is new again when it changes, when it acts after observe mode, or when it comes back', async () => {
  const { state, clock } = makeCounter()
  const aDayLater = async (text: string) => {
    const newRuleLimit = await state(text)
    clock.now += 24 * 60 * MINUTE
    return newRuleLimit?.newRules.length ?? 0
  }
  expect(await aDayLater(approving())).toBe(1)
  expect(await aDayLater(approving())).toBe(0)
  expect(await aDayLater(approving('renamed'))).toBe(0)
  expect(await aDayLater(approving('a', 'bob'))).toBe(1)
  expect(await aDayLater(approving('a', 'alice', 'mode: observe\n'))).toBe(0)
  expect(await aDayLater(approving('other', 'carol'))).toBe(1)
  expect(await aDayLater(approving())).toBe(1)
})

test('many evaluations at the same moment, in several processes, keep the limit', async () => {
  const one = makeCounter(3)
  const other = makeCounter(3, one.marks)
  const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other).act(approving())))
  expect(sent.filter((calls) => calls === 1)).toHaveLength(3)
})

test('a decision is made again where another process used up the limit of one of its actions, and counts for none', async () => {
  const one = makeCounter(1)
  const other = makeCounter(1, one.marks)
  const commenting = 'rules:\n  - { name: b, if: { author: alice }, then: { comment: Hello } }\n'
  const both = 'rules:\n  - { name: c, if: { author: alice }, then: { approve: true, comment: Hello } }\n'
  const newRuleLimit = await one.state(both)
  const decision = decided(input([file(both)], newRuleLimit && { newRuleLimit }))
  expect(decision.calls.map(({ action }) => action).sort()).toEqual(['approve', 'comment'])
  expect(await other.act(approving())).toBe(1)
  expect(newRuleLimit && (await one.take(7, decision, newRuleLimit))).toBe(false)
  expect(await other.act(commenting)).toBe(1)
})

test('each action has its own limit', async () => {
  const { act } = makeCounter(1)
  expect(await act(approving())).toBe(1)
  expect(await act('rules:\n  - { name: b, if: { author: alice }, then: { close: true } }\n')).toBe(1)
})

test('without a limit, or without rules that are limited, nothing is counted', async () => {
  const { state, marks } = makeCounter(0)
  expect(await state(approving())).toBeUndefined()
  const other = makeCounter()
  expect(
    await other.state('rules:\n  - { name: a, if: { author: alice }, then: { subscribe: true } }\n'),
  ).toBeUndefined()
  expect([...marks.keys(), ...other.marks.keys()]).toEqual([])
})
