// The arguments of accept.
import { expect, it } from 'vitest'
import { acceptArgs } from '../../../../src/rules/actions/definition/accept-conditions.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'

it.each<[unknown, unknown]>([
  [true, {}],
  [{ squash: false }, { squash: false }],
  [
    { when: 'checks_pass', pipeline: 'none' },
    { when: 'checks_pass', pipeline: 'none' },
  ],
  [{ when: 'pipeline_succeeds' }, { when: 'pipeline_succeeds' }],
])('%j is %j', (value, expected) => {
  expect(acceptArgs.read(value, [], [])).toEqual(expected)
})

it.each<[unknown]>([[false], ['yes'], [{ when: 'never' }], [{ when: 'pipeline_succeeds', pipeline: 'none' }]])(
  '%j is a problem',
  (value) => {
    const issues: Issue[] = []
    acceptArgs.read(value, [], issues)
    expect(issues).toHaveLength(1)
  },
)
