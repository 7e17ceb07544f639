// What the settings of a merge queue, and approvals of other content, mean for a request to merge.
import { expect, it } from 'vitest'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { Memory } from '../../../src/rules/types.ts'
import { answer, answers, decided, decideRule, file, input, rule, rules, sent } from '../world.ts'

const accept = rule('{ author: alice }', '{ accept: { queue: main } }')
const decide = (queues: string, fields = {}, now = '2026-11-25T12:00:00.000Z') =>
  decided(input([file(`${queues}\n${rules(accept)}`)], { answers: answers(fields), now }))
const entered = (...given: Parameters<typeof decide>) => sent(decide(...given))[0]?.[1]

it('the first priority whose condition is true counts', () => {
  const queues = `queues: [{ name: main, target: main, priority: [{ if: { labels: { any: hotfix } }, is: 100 }, { if: { author: alice }, is: -10 }] }]`
  expect(entered(queues, { labels: ['hotfix'] })).toMatchObject({ priority: 100 })
  expect(entered(queues)).toMatchObject({ priority: -10 })
})

it.each([
  ['on its day', '2026-11-27T12:00:00.000Z', [], true],
  ['on another day', '2026-11-25T12:00:00.000Z', [], false],
  ['on its day, with what is excepted', '2026-11-27T12:00:00.000Z', ['hotfix'], false],
])('a freeze %s', (_name, now, labels, frozen) => {
  const queues = `queues: [{ name: main, target: main, freeze: [{ if: { clock: { days: [fri] } }, except: { labels: { any: hotfix } } }] }]`
  const decision = decide(queues, { labels }, now)
  expect(sent(decision)[0]?.[1]).toMatchObject({ frozen })
  expect(decision.changesAt).toBeDefined()
})

it('another queue than that of the target branch is refused, with both names', () => {
  const decision = decide('queues: [{ name: other, target: main }, { name: main, target: release }]')
  expect(sent(decision)).toEqual([])
  expect(decision.rules[0]?.actions[0]?.detail).toMatch(/merge queue of main is other.*requests the queue main/)
})

const alice = { user: { id: 2, username: 'alice' } }
const acceptBy = (approvals: object, oldApprovals: Memory['oldApprovals']) =>
  decideRule('{ author: alice }', '{ accept: true }', {
    answers: answers({}, { approvals: answer(approvals) }),
    memory: { ...emptyMemory(), ...(oldApprovals === undefined ? {} : { oldApprovals }) },
  })

it('a rule that says nothing of approvals does not merge by those from before a rebase', () => {
  const decision = acceptBy({ approvals_required: 1, approvals_left: 0, approved_by: [alice] }, {})
  expect(decision.rules[0]?.actions).toEqual([
    {
      ...{ action: 'accept', result: 'blocked' },
      detail: expect.stringMatching(/^alice approved before .*: revoke the approval, and approve again$/),
    },
  ])
  expect(decision.calls).toEqual([])
})

it.each([
  ['none is required', { approvals_required: 0, approved_by: [alice] }, {}],
  ['the service shows no requirement', { approved_by: [alice] }, {}],
  ['another one is old', { approvals_required: 1, approved_by: [alice] }, { by: [3] }],
  ['no rebase changed anything', { approvals_required: 1, approved_by: [alice] }, undefined],
])('it merges where %s', (_why, approvals, old) => {
  expect(sent(acceptBy(approvals, old)).map(([endpoint]) => endpoint)).toEqual(['mergeRequests.accept'])
})
