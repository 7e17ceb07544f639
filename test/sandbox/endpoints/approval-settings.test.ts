// How a project counts approvals: for maintainers, and only in Premium.
import { expect } from 'vitest'
import { openWorld, test } from '../sandbox-world.ts'

const path = '/projects/1/approvals'

test('a Developer may not read or edit them; nothing to edit is 400', async ({ withProject: world }) => {
  const { token } = await world.member('dan', 30)
  expect(await world.status('GET', path, undefined, token)).toBe(403)
  expect(await world.status('POST', path, { reset_approvals_on_push: true }, token)).toBe(403)
  expect(await world.status('POST', path, {})).toBe(400)
})

test('Free has none', async () => {
  const world = await openWorld({ tier: 'free' })
  await world.project()
  expect(await world.status('GET', path)).toBe(404)
  expect(await world.status('POST', path, { reset_approvals_on_push: true })).toBe(404)
})
