// What only status needs of the engine; how it is used, through decide: test/rules/actions/status.test.ts.
import { expect, it } from 'vitest'
import { takesStatusBack, withUnmetStatus } from '../../../../src/rules/engine/limits/status.ts'
import { createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import { answers, input } from '../../world.ts'

it('a call of status that sets anything but success is a withdrawal', () => {
  const takes = (action: string, state: string) => takesStatusBack({ action, params: { state } })
  expect([takes('status', 'failed'), takes('status', 'success'), takes('label', 'failed')]).toEqual([
    true,
    false,
    false,
  ])
})

it('a green pipeline counts as failed while a status is not success, and says why', () => {
  const view = createView(input([], { answers: answers() }))
  expect(view.fact('pipeline')).toMatchObject({ value: 'success' })
  expect(withUnmetStatus(view, undefined)).toBe(view)
  const unmet = withUnmetStatus(view, 'the status a is failed')
  expect(unmet.fact('pipeline')).toMatchObject({ value: 'failed', remark: 'the status a is failed' })
  expect(unmet.fact('state')).toEqual(view.fact('state'))
})
