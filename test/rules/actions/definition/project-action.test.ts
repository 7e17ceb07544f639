// Actions on the project: one call for each event, and refused where a rule is for no event or acts on a merge request as well.
import { expect, it } from 'vitest'
import { actions } from '../../../../src/rules/actions/index.ts'
import { problemsIn } from '../../world.ts'

const names = ['housekeeping', 'mirror_pull', 'star'] as const
const endpoints = ['projects.housekeeping', 'projects.mirrorPull', 'projects.star']

it('are one call of the project that the event is of', () => {
  const calls = names.map((name) =>
    actions[name].calls({ mr: { id: 4, merge_request_iid: 0 } } as Parameters<typeof actions.star.calls>[0]),
  )
  expect(calls).toEqual(
    endpoints.map((endpoint) =>
      expect.objectContaining({ result: 'call', calls: [{ call: { endpoint, params: { id: 4 } } }] }),
    ),
  )
})

it.each(names)('%s needs an event, and stands alone', (name) => {
  const problems = (on: string, others: string) =>
    problemsIn(`rules:\n  - name: a\n    ${on}\n    then: { ${name}: true${others} }\n`)
  expect(problems('on: push', '')).toEqual([])
  expect(problems('if: { clock: { hours: "09:00-17:00" } }', '')[0]).toMatch(`${name} in a rule without on:`)
  expect(problems('on: push', ', subscribe: true').join()).toMatch('a rule of its own for what is done to the project')
})
