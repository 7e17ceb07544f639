// Milestones: dates, states and rights.
import { test } from '../sandbox-world.ts'

const milestones = '/projects/1/milestones'

test('a milestone has a number in its project, a date, and a state that moves', async ({ withProject: world }) => {
  const created = await world.post(milestones, { title: 'One', description: 'D', due_date: '2028-02-29' })
  expect(created).toMatchObject({
    iid: 1,
    project_id: 1,
    title: 'One',
    description: 'D',
    state: 'active',
    due_date: '2028-02-29',
  })
  const one = `${milestones}/${created.id}`
  expect(await world.get(milestones)).toEqual([created])
  const closed = await world.put(one, { state_event: 'close', due_date: '' })
  expect(closed).toMatchObject({ state: 'closed', due_date: null })
  expect(closed.updated_at > created.updated_at).toBe(true)
  expect(await world.put(one, { state_event: 'activate', title: 'Uno' })).toMatchObject({
    state: 'active',
    title: 'Uno',
  })
})

test('a title is used once in a project', async ({ withProject: world }) => {
  await world.post(milestones, { title: 'A' })
  await world.post(milestones, { title: 'B' })
  const taken = { message: { title: ['already being used for another group or project milestone.'] } }
  expect(await world.body('POST', milestones, { title: 'A' })).toEqual(taken)
  expect(await world.body('PUT', `${milestones}/2`, { title: 'A' })).toEqual(taken)
  expect(await world.status('PUT', `${milestones}/2`, { title: 'B', description: 'D' })).toBe(200)
  expect(await world.body('POST', milestones, { title: ' ' })).toEqual({
    message: { title: ["can't be blank"] },
  })
})

test('lists show the newest first, and filter by title, text, state and number', async ({ withProject: world }) => {
  await world.post(milestones, { title: 'One', description: 'the beginning' })
  await world.post(milestones, { title: 'Two' })
  await world.put(`${milestones}/2`, { state_event: 'close' })
  const titles = async (query: string) => await world.list('title', `${milestones}?${query}`)
  expect(await titles('')).toEqual(['Two', 'One'])
  expect(await titles('state=active')).toEqual(['One'])
  expect(await titles('title=Two')).toEqual(['Two'])
  expect(await titles('title=Tw')).toEqual([])
  expect(await titles('search=BEGIN')).toEqual(['One'])
  expect(await titles('iids[]=2')).toEqual(['Two'])
})

test('a milestone is read alone; its dates may be times, and empty ones are none', async ({ withProject: world }) => {
  const dates = { start_date: '2028-01-01', due_date: '2028-02-29T12:00:00Z' }
  const made = await world.post(milestones, { title: 'One', ...dates })
  expect(made).toMatchObject({ start_date: '2028-01-01', due_date: '2028-02-29' })
  expect(await world.get(`${milestones}/${made.id}`)).toEqual(made)
  const none = await world.put(`${milestones}/${made.id}`, { start_date: '', due_date: '' })
  expect(none).toMatchObject({ start_date: null, due_date: null })
  expect(await world.post(milestones, { title: 'Two', start_date: '', due_date: '' })).toMatchObject({ due_date: null })
  expect(await world.status('GET', `${milestones}/9`)).toBe(404)
})
