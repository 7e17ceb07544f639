// A project is renamed and moved to another group during work: ids stay valid, and the operator's path rules follow.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownFolder } from '../../cli/own-folder.ts'
import { startTestWorld, type TestWorld } from '../world.ts'

const rules = `
version: 1
rules:
  - { name: merge on request, on: note.create, command: merge, then: { accept: true } }
  - { name: book, on: note.create, command: book, then: { spend: 15m } }
`
const ofGroup = (group: string) =>
  `version: 1\nprojects: ${group}/*\nrules:\n  - { name: where it is, if: { state: opened }, then: { label: { while: ${group} } } }\n`

const { folder } = ownFolder()
let world: TestWorld
beforeAll(async () => {
  for (const group of ['hotel', 'inn']) await writeFile(join(folder, `${group}.yml`), ofGroup(group))
  world = await startTestWorld({ rules, settings: { BELLHOP_RULES: folder } })
})
afterAll(() => world.end())

const open = (branch: string) => world.openMergeRequest({ branch })
const say = (iid: number, body: string) =>
  world.as(world.people.alice).mergeRequests.notes.create({ ...world.ref(iid), body })
const adminApi = async (path: string) => {
  const response = await fetch(`${world.bellhop.url}/admin/api${path}`, {
    headers: { authorization: `Bearer ${world.adminToken}` },
  })
  return response.json()
}

test('goes on where it was: the same merge request, hook and history, by the rules of its new path', async () => {
  const { service, people, project } = world
  await service.groups.members.update({ id: 'hotel', user_id: people.alice.id, access_level: 40 })
  const inn = (await service.groups.create({ name: 'Inn', path: 'inn' })).body.id as number
  for (const { id } of [people.alice, people.bellhop])
    await service.groups.members.add({ id: inn, user_id: id, access_level: 40 })
  const [{ iid, sha }, other] = [await open('moved'), await open('quiet')]
  await say(iid, '@bellhop merge')
  await world.settle()
  expect(await world.labels(iid)).toEqual(['hotel'])
  const before = (await world.bellhop.journal.deliveries.list({ project, limit: 100 })).items.map(({ id }) => id)

  // Between the note of what is to be booked and the booking.
  world.before('mergeRequests.addSpentTime', async () => {
    await service.projects.update({ id: project, name: 'Front', path: 'front' })
    await service.groups.transferProject({ id: inn, project_id: project })
  })
  await say(iid, '@bellhop book')
  await world.settle()
  expect((await service.projects.get({ id: project })).body.path_with_namespace).toBe('inn/front')
  await say(iid, 'Where are we?')
  await world.settle()
  const { labels, time_stats } = await world.mergeRequest(iid)
  expect([labels, time_stats?.total_time_spent]).toEqual([['inn'], 15 * 60])
  // Nothing has happened to the other but that its rules are others.
  expect((await world.mergeRequest(other.iid)).labels).toEqual(['inn'])

  await world.pipeline(sha, 'moved', 'success')
  await world.settle()
  expect(await world.mergeRequest(iid)).toMatchObject({ state: 'merged', time_stats: { total_time_spent: 15 * 60 } })
  expect(
    world.log.filter(
      ({ event, mergeRequest, endpoint }) =>
        event === 'call' && mergeRequest?.endsWith(`!${iid}`) && endpoint === 'mergeRequests.accept',
    ),
  ).toMatchObject([{ result: 'done', params: { sha } }])

  const { items } = await adminApi(`/deliveries?project=${project}&limit=100`)
  expect(items.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(before))
  expect(items.length).toBeGreaterThan(before.length)
  expect((await adminApi('/overview')).projects).toMatchObject([{ project, path: 'inn/front' }])
  expect(await adminApi(`/rules/${project}`)).toMatchObject({ path: 'inn/front' })
  expect(await adminApi(`/failed-jobs?project=${project}`)).toMatchObject({ items: [] })
})
