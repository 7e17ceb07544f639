// Counting for the brake, on real marks of a journal that is a map: what is new, what is used up, and when it is over.
import { expect, test } from 'vitest'
import { createBrake } from '../../src/bot/brake.ts'
import { emptyMemory } from '../../src/rules/remember.ts'
import type { Brake, ProjectPolicy } from '../../src/rules/types.ts'
import { answer, answers, bot, decided, file, head, input, sent } from '../rules/world.ts'

const MINUTE = 60_000

function makeBrake(perHour = 2, marks = new Map<string, string>()) {
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
  const counter = createBrake({
    service: 's',
    journal: {
      projectMark: async (_service, project, mark) => marks.get(`${project} ${mark}`),
      changeMark: async (_service, project, mark, to) => {
        const next = to(marks.get(`${project} ${mark}`))
        if (next !== undefined) marks.set(`${project} ${mark}`, next)
      },
    },
    now: () => clock.now,
  })
  const rulesOf = (text: string, policy: Partial<ProjectPolicy> = {}) => ({
    files: [file(text)],
    policy: { mode: 'act' as const, includeFrom: [], brake: perHour, ...policy },
  })
  const state = (text: string, project = 7, policy: Partial<ProjectPolicy> = {}) => counter.state(project, rulesOf(text, policy))
  /** Decides by the brake as it is, and counts it; gives what was sent. */
  async function act(text: string, project = 7): Promise<number> {
    const brake = await state(text, project)
    const decision = decided(input([file(text)], brake === undefined ? {} : { brake }))
    if (brake !== undefined && !(await counter.take(project, decision, brake))) return -1
    return decision.calls.length
  }
  return { ...counter, state, act, clock, marks }
}

const approving = (name = 'a', author = 'alice', mode = '') =>
  `${mode}rules:\n  - { name: ${name}, if: { author: ${author} }, then: { approve: true } }\n`
const until = (brake: Brake | undefined) => brake?.full.approve

test('new rules act as often as the limit says, and again an hour after the first time', async () => {
  const { act, state, clock } = makeBrake()
  expect(await act(approving())).toBe(1)
  clock.now += 10 * MINUTE
  expect(await act(approving())).toBe(1)
  expect(await act(approving())).toBe(0)
  expect(until(await state(approving()))).toBe('2026-11-21T13:00:00.000Z')
  clock.now += 50 * MINUTE
  expect(await act(approving())).toBe(1)
})

test('a project does not use up what another may do', async () => {
  const { act } = makeBrake(1)
  expect([await act(approving(), 7), await act(approving(), 7), await act(approving(), 8)]).toEqual([1, 0, 1])
})

test('what new rules take back is not counted, and is sent though the limit is reached', async () => {
  const { act, state, take } = makeBrake(1)
  expect(await act(approving())).toBe(1)
  const text = approving('a', 'bob')
  const brake = await state(text)
  const approvals = answer({ approvals_left: 0, approved_by: [{ user: bot }], user_has_approved: true })
  const memory = { ...emptyMemory(), approvedSha: head }
  const decision = decided(input([file(text)], { ...(brake && { brake }), memory, answers: answers({}, { approvals }) }))
  expect([until(brake) !== undefined, sent(decision)]).toEqual([true, [['mergeRequests.unapprove', {}]]])
  expect(brake && (await take(7, decision, brake))).toBe(true)
})

test('a rule is new for a day', async () => {
  const { state, clock } = makeBrake()
  expect((await state(approving()))?.newRules).toEqual(['rules/test.yml#a'])
  clock.now += 24 * 60 * MINUTE
  expect(await state(approving())).toBeUndefined()
})

test('a rule that changed, that acts after it observed, or that comes back, is new again', async () => {
  const { state, clock } = makeBrake()
  const aDayLater = async (text: string) => {
    const brake = await state(text)
    clock.now += 24 * 60 * MINUTE
    return brake?.newRules.length ?? 0
  }
  expect(await aDayLater(approving())).toBe(1)
  expect(await aDayLater(approving())).toBe(0)
  expect(await aDayLater(approving('renamed'))).toBe(0)
  expect(await aDayLater(approving('a', 'bob'))).toBe(1)
  expect(await aDayLater(approving('a', 'alice', 'mode: observe\n'))).toBe(0)
  expect(await aDayLater(approving('other', 'carol'))).toBe(1)
  expect(await aDayLater(approving())).toBe(1)
})

test('many at the same moment, in several processes, do not go beyond the limit', async () => {
  const one = makeBrake(3)
  const other = makeBrake(3, one.marks)
  const sent = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other).act(approving())))
  expect(sent.filter((calls) => calls === 1)).toHaveLength(3)
})

test('the limit counts for each action alone', async () => {
  const { act } = makeBrake(1)
  expect(await act(approving())).toBe(1)
  expect(await act('rules:\n  - { name: b, if: { author: alice }, then: { close: true } }\n')).toBe(1)
})

test('without a limit, or without rules that are braked, nothing is counted', async () => {
  const { state, marks } = makeBrake(0)
  expect(await state(approving())).toBeUndefined()
  const other = makeBrake()
  expect(await other.state('rules:\n  - { name: a, if: { author: alice }, then: { subscribe: true } }\n')).toBeUndefined()
  expect([...marks.keys(), ...other.marks.keys()]).toEqual([])
})
