// Levels in groups and projects, and visibility.
import {
  canReadCode,
  canSeeGroup,
  canSeeProject,
  findGroup,
  groupLevel,
  memberLevel,
  memberLevelIn,
  owner,
  projectLevel,
  takesPartIn,
} from '../../../src/sandbox/access/access.ts'
import { ErrorResponse } from '../../../src/sandbox/http/error-response.ts'
import type { Group, User } from '../../../src/sandbox/records/records.ts'
import { family } from '../groups/family.ts'

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

test('of several levels the highest counts', () => {
  const { state, groups, users, join, project } = family()
  const app = project(groups.inner)
  join(users.ann, ['group', groups.outer], 40)
  join(users.ann, ['group', groups.inner], 20)
  join(users.ann, ['project', app], 30)
  expect([groupLevel(state, users.ann, groups.inner), projectLevel(state, users.ann, app)]).toEqual([40, 40])
  expect(memberLevel(state, 'project', app.id, users.ann)).toBe(30)
})

test('an administrator owns everything and is a member of nothing', () => {
  const { state, groups, users, project } = family()
  const app = project(groups.outer)
  expect([groupLevel(state, users.root, groups.outer), projectLevel(state, users.root, app)]).toEqual([owner, owner])
  expect([memberLevelIn(state, users.root, app), takesPartIn(state, users.root, groups.outer)]).toEqual([0, false])
})

test('a shared project shows its groups to members through the share', () => {
  const { state, groups, users, join, share, project } = family()
  join(users.ann, ['group', groups.neighbour], 10)
  share(project(groups.inner), groups.neighbour, 30)
  for (const each of [groups.outer, groups.neighbour, groups.middle, groups.inner])
    expect(takesPartIn(state, users.ann, each)).toBe(true)
})

const seen = (visibility: Group['visibility']) => {
  const { state, groups, users, project } = family(visibility)
  const app = project(groups.outer)
  const see = (user: User | null) => [
    canSeeGroup(state, user, groups.outer),
    canSeeProject(state, user, app),
    canReadCode(state, user, app),
  ]
  return [see(null), see(users.ann), see(users.root)].map((answers) => answers.join())
}
test.each([
  ['private', ['false,false,false', 'false,false,false', 'true,true,true']],
  ['internal', ['false,false,false', 'true,true,true', 'true,true,true']],
  ['public', ['true,true,true', 'true,true,true', 'true,true,true']],
] as const)('what is %s is seen by nobody, any user and an administrator accordingly', (visibility, wanted) => {
  expect(seen(visibility)).toEqual(wanted)
})

test('a group is found by number and path, in any case of letters, and otherwise 404', () => {
  const { state, groups, users } = family('public')
  expect(findGroup(state, null, groups.middle.id)).toBe(groups.middle)
  expect(findGroup(state, null, 'Outer/MIDDLE')).toBe(groups.middle)
  const refused = new ErrorResponse(404, { message: '404 Group Not Found' })
  for (const id of [999, '999', 'middle', 'outer/middle/', '../outer', 'ann'])
    expect(() => findGroup(state, users.root, id)).toThrow(refused)
})
