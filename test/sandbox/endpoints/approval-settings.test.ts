// How a project counts approvals: for maintainers, and only in Premium.
import { openProject, test } from '../sandbox-world.ts'

const path = '/projects/1/approvals'

test('the settings are kept, each for itself', async () => {
  const world = await openProject({ approvals_before_merge: 2 })
  const before = { approvals_before_merge: 2, reset_approvals_on_push: false }
  expect(await world.get(path)).toEqual(before)
  expect(await world.post(path, { reset_approvals_on_push: true })).toEqual({
    ...before,
    reset_approvals_on_push: true,
  })
  await world.post(path, { approvals_before_merge: 0 })
  expect(await world.get(path)).toEqual({ approvals_before_merge: 0, reset_approvals_on_push: true })
  expect(await world.get('/projects/1')).toMatchObject({ approvals_before_merge: 0 })
})

test('a Developer may not read or edit them; nothing to edit is 400', async ({ withProject: world }) => {
  const dan = await world.member('dan', 30)
  expect(await dan.status('GET', path)).toBe(403)
  expect(await dan.status('POST', path, { reset_approvals_on_push: true })).toBe(403)
  expect(await world.status('POST', path, {})).toBe(400)
})
