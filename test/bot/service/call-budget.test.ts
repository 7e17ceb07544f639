// Budgets: what a part takes, the whole has no more.
import { createCallBudget } from '../../../src/bot/service/call-budget.ts'

test('a budget gives as much as it has, and counts calls apart from what is enqueued', () => {
  const budget = createCallBudget(3)
  const taken = (['call', 'evaluation', 'call', 'call'] as const).map((what) => budget.take(what))
  expect(taken).toEqual([true, true, true, false])
  expect([budget.calls, budget.left]).toEqual([2, 0])
})

test('a part ends with itself or with the whole, and leaves the rest to others', () => {
  const whole = createCallBudget(5)
  const part = whole.part(2)
  expect([part.take('call'), part.take('call'), part.take('call')]).toEqual([true, true, false])
  expect([whole.left, whole.calls]).toEqual([3, 2])
  const greedy = whole.part(100)
  expect(greedy.left).toBe(3)
  for (let n = 0; n < 3; n += 1) greedy.take('evaluation')
  expect([greedy.take('evaluation'), whole.take('call')]).toEqual([false, false])
})
