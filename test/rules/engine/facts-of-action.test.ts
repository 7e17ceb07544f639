// The facts that an action names by its arguments.
import { expect, it } from 'vitest'
import { factsOfAction } from '../../../src/rules/engine/facts-of-action.ts'

it.each([
  ['subscribe', true, []],
  ['comment', { text: 'Thanks, {{ author }}: {{ no_such_fact }}' }, ['author']],
  ['accept', { when: 'pipeline_succeeds' }, ['state', 'pipeline', 'merge_when_pipeline_succeeds']],
])('%s with %j', (action, args, facts) => {
  const found = factsOfAction({ action, args, line: 1 })
  expect(found).toEqual(expect.arrayContaining(facts))
  expect(found).not.toContain('no_such_fact')
})
