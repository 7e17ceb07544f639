// The filters and the order of a list of issues.
import { openProject, test } from '../sandbox-world.ts'

// Each row: the query, and the numbers of the issues that it leaves, in order. Both lists of work share most filters:
// merge-requests/filter.test.ts has more of them.
const rows: [string, number[]][] = [
  ['', [3, 2, 1]],
  ['order_by=updated_at&sort=asc', [2, 3, 1]],
  ['state=opened', [3, 1]],
  ['state=closed', [2]],
  ['labels=None', [3]],
  ['labels=Any', [2, 1]],
  ['milestone=M', [2]],
  ['milestone=None', [3, 1]],
  ['milestone=Any', [2]],
  ['search=body', [3]],
  ['iids[]=1&iids[]=3', [3, 1]],
  ['author_id=9', []],
  ['assignee_id=0', [3, 2]],
  ['assignee_id=None', [3, 2]],
  ['assignee_id=Any', [1]],
  ['scope=assigned_to_me', [1]],
  ['scope=created-by-me&author_id=9', [3, 2, 1]],
  ['my_reaction_emoji=tada', [2]],
  ['created_before=2000-01-01', []],
]

test('each filter leaves its issues, in the given order', async ({ withProject: world }) => {
  const issues = '/projects/1/issues'
  await world.post('/projects/1/milestones', { title: 'M' })
  await world.post(issues, { title: 'The first', labels: 'a', assignee_id: 1 })
  await world.post(issues, { title: 'The second', labels: 'a,b', milestone_id: 1 })
  await world.post(issues, { title: 'The third', description: 'Its body' })
  await world.post(`${issues}/2/award_emoji`, { name: 'tada' })
  await world.put(`${issues}/2`, { state_event: 'close' })
  await world.put(`${issues}/3`, { title: 'The last' })
  await world.put(`${issues}/1`, { description: 'x' })
  const found = await Promise.all(rows.map(async ([query]) => [query, await world.list('iid', `${issues}?${query}`)]))
  expect(found).toEqual(rows)
})

test.each(['created_after', 'created_before'])('%s is a time', async (name) => {
  const world = await openProject()
  for (const value of ['soon', '2026-02-31', '99'])
    expect(await world.answer('GET', `/projects/1/issues?${name}=${value}`)).toEqual([
      400,
      { error: `${name} is invalid` },
    ])
})

test('what the caller of a public project does not name is nobody’s', async () => {
  const world = await openProject({ visibility: 'public' })
  await world.post('/projects/1/issues', { title: 'A' })
  expect(await world.nobody.get('/projects/1/issues?scope=created_by_me')).toEqual([])
})
