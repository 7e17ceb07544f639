// Members of groups and projects: rights, inheritance, expiry, locks.
import { type Caller, eachCase, type Json, openWorld } from '../sandbox-world.ts'

const today = new Date().toISOString().slice(0, 10)
const levels = (members: Json[]): [string, number][] =>
  members.map(({ username, access_level }) => [username, access_level])

/** A group `team` with a subgroup `inner` and the project `app` in it, and three users. */
async function openTeam() {
  const world = await openWorld()
  const [ann, ben, cas] = await world.people('ann', 'ben', 'cas')
  const team = await world.post('/groups', { name: 'The Team', path: 'team' })
  const inner = await world.group('Inner', { parent_id: team.id })
  const project = await world.post('/projects', { name: 'app', namespace_id: inner.id })
  return {
    world,
    ann,
    ben,
    cas,
    ofTeam: `groups/${team.id}`,
    ofInner: `groups/${inner.id}`,
    ofProject: `projects/${project.id}`,
  }
}

test('direct members are those of the place alone; all are each once, with the highest level', async () => {
  const { world, ann, ben, cas, ofTeam, ofInner, ofProject } = await openTeam()
  await world.join(ann, 20, ofTeam)
  await world.join(ann, 40, ofInner)
  await world.join(ben, 10, ofInner)
  await world.join(cas, 20, ofTeam)
  await world.join(cas, 30, ofProject)
  const inner = [
    ['root', 50],
    ['ann', 40],
    ['ben', 10],
  ]
  expect(levels(await world.get(`/${ofInner}/members`))).toEqual(inner)
  expect(levels(await world.get(`/${ofInner}/members/all`))).toEqual([...inner, ['cas', 20]])
  expect(levels(await world.get(`/${ofTeam}/members/all`))).toEqual([
    ['root', 50],
    ['ann', 20],
    ['cas', 20],
  ])
  expect(levels(await world.get(`/${ofProject}/members`))).toEqual([['cas', 30]])
  expect(levels(await world.get(`/${ofProject}/members/all`))).toEqual([...inner, ['cas', 30]])
})

test('the user whose namespace a project is in is its owner among all members', async () => {
  const { world, ann } = await openTeam()
  const project = await ann.post('/projects', { name: 'own' })
  expect(levels(await world.get(`/projects/${project.id}/members/all`))).toEqual([['ann', 50]])
  expect(await world.get(`/projects/${project.id}/members`)).toEqual([])
})

test('members are searched by name and user name, and paged', async () => {
  const { world, ann, ben, ofTeam } = await openTeam()
  await world.join(ann, 30, ofTeam)
  await world.join(ben, 30, ofTeam)
  expect(levels(await world.get(`/${ofTeam}/members?query=AN`))).toEqual([['ann', 30]])
  expect(levels(await world.get(`/${ofTeam}/members/all?query=administrator`))).toEqual([['root', 50]])
  const second = await world.call('GET', `/${ofTeam}/members?per_page=2&page=2`)
  expect([levels(second.body), second.headers.get('x-total')]).toEqual([[['ben', 30]], '3'])
})

test('members of a group that the project is shared with are there with at most the level of the share', async () => {
  const { world, ann, ben, ofTeam } = await openTeam()
  await world.join(ann, 40, ofTeam)
  await world.join(ben, 10, ofTeam)
  const project = await world.post('/projects', { name: 'own' })
  await world.post(`/projects/${project.id}/share`, {
    group_id: Number(ofTeam.slice(7)),
    group_access: 30,
    expires_at: '9999-01-01',
  })
  expect(levels(await world.get(`/projects/${project.id}/members/all`))).toEqual([
    ['root', 50],
    ['ann', 30],
    ['ben', 10],
  ])
  expect((await world.get(`/projects/${project.id}/members/all/${ann.id}`)).expires_at).toBe('9999-01-01')
})

test('one member is found where it is direct, or among all', async () => {
  const { world, ann, ben, ofTeam, ofProject } = await openTeam()
  await world.join(ann, 30, ofTeam)
  expect(await world.get(`/${ofTeam}/members/${ann.id}`)).toMatchObject({
    id: ann.id,
    access_level: 30,
    expires_at: null,
  })
  expect(await world.get(`/${ofProject}/members/all/${ann.id}`)).toMatchObject({ id: ann.id, access_level: 30 })
  for (const path of [
    `/${ofProject}/members/${ann.id}`,
    `/${ofTeam}/members/${ben.id}`,
    `/${ofTeam}/members/all/${ben.id}`,
  ]) {
    expect(await world.answer('GET', path)).toEqual([404, { message: '404 Not found' }])
  }
})

test('an end ends the membership on its day: no rights, not listed, and free to be added again', async () => {
  const { world, ann, ofTeam } = await openTeam()
  await world.post(`/${ofTeam}/members`, { user_id: ann.id, access_level: 50, expires_at: today })
  expect(await ann.status('GET', `/${ofTeam}`)).toBe(404)
  expect(levels(await world.get(`/${ofTeam}/members`))).toEqual([['root', 50]])
  expect(await world.status('PUT', `/${ofTeam}/members/${ann.id}`, { access_level: 30 })).toBe(404)
  await world.join(ann, 30, ofTeam)
  expect(await ann.status('GET', `/${ofTeam}`)).toBe(200)
})

test('members of a group are changed by owners, those of a project by maintainers, up to their own level', async () => {
  const { world, ann, ben, cas, ofTeam, ofProject } = await openTeam()
  await world.join(ann, 40, ofTeam)
  await world.join(ben, 30, ofProject)
  const add = (by: Caller, place: string, access_level: number) =>
    by.status('POST', `/${place}/members`, { user_id: cas.id, access_level })
  expect(await add(ann, ofTeam, 10)).toBe(403)
  expect(await add(ann, ofProject, 50)).toBe(403)
  expect(await add(ben, ofProject, 10)).toBe(403)
  expect(await add(ann, ofProject, 40)).toBe(201)
  const update = (by: Caller, access_level: number) =>
    by.status('PUT', `/${ofProject}/members/${cas.id}`, { access_level })
  expect([await update(ann, 50), await update(ben, 20), await update(ann, 20)]).toEqual([403, 403, 200])
  expect(await ben.status('DELETE', `/${ofProject}/members/${cas.id}`)).toBe(403)
  expect(await ann.status('DELETE', `/${ofProject}/members/${cas.id}`)).toBe(204)
  expect(await ann.status('DELETE', `/${ofProject}/members/${cas.id}`)).toBe(404)
})

test('a maintainer changes no owner of the project', async () => {
  const { world, ann, ben, ofProject } = await openTeam()
  await world.join(ann, 40, ofProject)
  await world.join(ben, 50, ofProject)
  expect(await ann.status('PUT', `/${ofProject}/members/${ben.id}`, { access_level: 10 })).toBe(403)
  expect(await ann.status('DELETE', `/${ofProject}/members/${ben.id}`)).toBe(403)
})

test('members may leave, but not raise their level', async () => {
  const { world, ann, ofTeam } = await openTeam()
  await world.join(ann, 10, ofTeam)
  expect(await ann.status('PUT', `/${ofTeam}/members/${ann.id}`, { access_level: 50 })).toBe(403)
  expect(await ann.status('DELETE', `/${ofTeam}/members/${ann.id}`)).toBe(204)
  expect(await ann.status('GET', `/${ofTeam}`)).toBe(404)
})

test('membership_lock keeps new members out of the projects of the group and below, with the reason; those who are there stay', async () => {
  const { world, ann, ben, ofTeam, ofProject } = await openTeam()
  await world.join(ann, 30, ofProject)
  await world.put(`/${ofTeam}`, { membership_lock: true })
  expect(await world.answer('POST', `/${ofProject}/members`, { user_id: ben.id, access_level: 30 })).toEqual([
    403,
    { message: '403 Forbidden - The group takes no new members in its projects: membership_lock is on' },
  ])
  expect(await world.status('PUT', `/${ofProject}/members/${ann.id}`, { access_level: 40 })).toBe(200)
  await world.join(ben, 10, ofTeam)
  await world.put(`/${ofTeam}`, { membership_lock: false })
  await world.join(ben, 30, ofProject)
})

test('invalid parameters are refused', async () => {
  const { world, ofTeam } = await openTeam()
  await eachCase(
    [
      [
        'POST',
        '/members',
        { user_id: 1, access_level: 25 },
        400,
        { error: 'access_level does not have a valid value' },
      ],
      ['POST', '/members', { user_id: 99, access_level: 30 }, 404, { message: '404 User Not Found' }],
      ['PUT', '/members/99', { access_level: 30 }, 404, { message: '404 Not found' }],
      ['GET', '/members/..%2f1', undefined, 400, { error: 'user_id is invalid' }],
    ],
    async ([method, path, body, status, wanted]) =>
      expect(await world.answer(method, `/${ofTeam}${path}`, body)).toEqual([status, wanted]),
  )
})
