// Two sets of rules evaluated on the same answers, asked for once, and no further than the budget reaches.
import { expect, test } from 'vitest'
import { decideWithBothRules } from '../../../src/bot/rule-changes/compare-rules.ts'
import { type CallBudget, createCallBudget } from '../../../src/bot/service/call-budget.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import { makeClient, playService, service } from '../../client/world.ts'
import { file, rule, rules } from '../../rules/world.ts'

playService()

const MR = '/projects/7/merge_requests/2'
const body = {
  iid: 2,
  project_id: 7,
  sha: 'a'.repeat(40),
  state: 'opened',
  draft: false,
  labels: [],
  author: { username: 'alice' },
  target_branch: 'main',
}
const policy = { mode: 'act' as const, includeFrom: [], newRuleLimit: 0 }
const inForce = (conditions: string, actions: string) => ({ files: [file(rules(rule(conditions, actions)))], policy })
const initial = {
  mergeRequest: { project: 7, iid: 2 },
  memory: emptyMemory(),
  events: [],
  now: '2026-11-21T12:00:00.000Z',
  bot: { id: 1, username: 'bellhop' },
  project: { mergeRequestPipelines: false },
}
const onProject = inForce('{ project_visibility: private }', '{ label: { add: a } }')
const byAuthor = inForce('{ author: alice }', '{ label: { add: b } }')
const both = (budget: CallBudget, answers = {}) =>
  decideWithBothRules(makeClient().client, initial, [onProject, byAuthor], {
    answers,
    budget,
    afterReading: async (input) => input,
  })

test('each answer is asked for once, and those of the project serve the next merge request', async () => {
  service().get(MR).twice().reply(200, body)
  service().get('/projects/7').once().reply(200, { id: 7, visibility: 'private' })
  const budget = createCallBudget(10)
  const first = await both(budget)
  expect([first?.before.calls[0]?.params.add_labels, first?.after.calls[0]?.params.add_labels]).toEqual(['a', 'b'])
  expect(budget.left).toBe(8)
  const second = await both(budget, first?.answers)
  expect(second?.before.calls).toHaveLength(1)
  expect(budget.left).toBe(7)
})

test('nothing is asked for beyond the budget', async () => {
  const asked = service().get(MR).reply(200, body)
  expect(await both(createCallBudget(0))).toBeUndefined()
  expect(asked.isDone()).toBe(false)
  expect(await both(createCallBudget(1))).toBeUndefined()
  expect(asked.isDone()).toBe(true)
})
