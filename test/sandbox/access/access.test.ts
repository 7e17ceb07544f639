// Levels in groups and projects, and visibility.
import { expect, test } from 'vitest'
import { canSeeGroup, findGroup, groupLevel, projectLevel } from '../../../src/sandbox/access/access.ts'
import { ErrorResponse } from '../../../src/sandbox/http/error-response.ts'
import { family } from '../groups/family.ts'

const today = new Date().toISOString().slice(0, 10)

test('a member of a group has the level in its subgroups, not in its parents or siblings', () => {
  const { state, groups, users, join, project } = family()
  join(users.ann, ['group', groups.middle], 30)
  const levels = [groups.outer, groups.middle, groups.inner, groups.neighbour].map((group) =>
    groupLevel(state, users.ann, group),
  )
  expect(levels).toEqual([0, 30, 30, 0])
  expect(projectLevel(state, users.ann, project(groups.inner))).toBe(30)
  expect(projectLevel(state, users.ann, project(groups.outer))).toBe(0)
})

test('a share gives nothing when it or the membership has ended', () => {
  const { state, groups, users, join, share, project } = family()
  const [ended, open] = [project(groups.neighbour), project(groups.neighbour)]
  join(users.ann, ['group', groups.outer], 30)
  join(users.ben, ['group', groups.outer], 30, today)
  share(ended, groups.outer, 40, today)
  share(open, groups.outer, 40)
  const levels = [ended, open].map((app) => [projectLevel(state, users.ann, app), projectLevel(state, users.ben, app)])
  expect(levels).toEqual([
    [0, 0],
    [30, 0],
  ])
  expect(canSeeGroup(state, users.ben, groups.neighbour)).toBe(false)
})

test('a shared project shows its groups to members through the share', () => {
  const { state, groups, users, join, share, project } = family()
  join(users.ann, ['group', groups.neighbour], 10)
  share(project(groups.inner), groups.neighbour, 30)
  for (const group of Object.values(groups)) expect(canSeeGroup(state, users.ann, group), group.path).toBe(true)
})

test('a member of a project sees the private groups above it, and no other', () => {
  const { state, groups, users, join, project } = family()
  join(users.ann, ['project', project(groups.middle)], 10)
  const sees = [groups.outer, groups.middle, groups.inner, groups.neighbour].map((group) =>
    canSeeGroup(state, users.ann, group),
  )
  expect(sees).toEqual([true, true, false, false])
})

test('a group is found by number and path, in any case of letters, and otherwise 404', () => {
  const { state, groups, users } = family('public')
  expect(findGroup(state, null, groups.middle.id)).toBe(groups.middle)
  expect(findGroup(state, null, 'Outer/MIDDLE')).toBe(groups.middle)
  const refused = new ErrorResponse(404, { message: '404 Group Not Found' })
  for (const id of [999, '999', 'middle', 'outer/middle/', '../outer', 'ann'])
    expect(() => findGroup(state, users.root, id)).toThrow(refused)
})
