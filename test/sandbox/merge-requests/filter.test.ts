// List filters of merge requests: over the API.
import { test, type World } from '../sandbox-world.ts'

const list = '/projects/1/merge_requests'

async function opener(
  world: World,
): Promise<(branch: string, more?: Record<string, unknown>, token?: string) => Promise<unknown>> {
  await world.project()
  return async (branch, more = {}, token) => {
    await world.write(branch, `${branch}.txt`, branch)
    return world.post(list, { source_branch: branch, target_branch: 'master', title: branch, ...more }, token)
  }
}

async function iids(world: World, query: string, token?: string): Promise<number[]> {
  return await world.list('iid', `${list}?${query}`, token)
}

test('each filter leaves its merge requests', async ({ world }) => {
  const open = await opener(world)
  const ann = await world.member('ann', 30)
  const milestone = await world.post('/projects/1/milestones', { title: 'First one' })
  await open('one', { labels: 'bug,red', assignee_id: ann.id })
  const two = (await open('two', { labels: 'bug', description: 'about Trains' }, ann.token)) as { created_at: string }
  await open('three', { target_branch: 'one', milestone_id: milestone.id })
  await open('four', {})
  await world.post(`${list}/2/award_emoji`, { name: 'rocket' })
  await ann.post(`${list}/3/award_emoji`, { name: 'rocket' })
  await world.put(`${list}/3`, { state_event: 'close' })
  await world.put(`${list}/4/merge`)
  await world.put(`${list}/1`, { description: 'newest change' })
  const all = [4, 3, 2, 1]
  const wanted: [string, number[]][] = [
    ['', all],
    ['sort=asc', [1, 2, 3, 4]],
    ['order_by=updated_at', [1, 4, 3, 2]],
    ['order_by=updated_at&sort=asc', [2, 3, 4, 1]],
    ['state=all', all],
    ['state=opened', [2, 1]],
    ['state=closed', [3]],
    ['state=merged', [4]],
    ['labels=bug', [2, 1]],
    ['labels=bug,red', [1]],
    ['labels=red,%20bug', [1]],
    ['labels=unknown', []],
    ['milestone=First%20one', [3]],
    ['milestone=First', []],
    ['my_reaction_emoji=rocket', [2]],
    ['my_reaction_emoji=thumbsup', []],
    [`author_id=${ann.id}`, [2]],
    [`assignee_id=${ann.id}`, [1]],
    ['assignee_id=0&state=opened', [2]],
    ['scope=created-by-me', [4, 3, 1]],
    ['scope=created_by_me', [4, 3, 1]],
    ['scope=assigned-to-me', []],
    [`scope=all&author_id=${ann.id}`, [2]],
    // The caller's own win.
    [`scope=created-by-me&author_id=${ann.id}`, [4, 3, 1]],
    [`scope=assigned-to-me&assignee_id=${ann.id}`, []],
    ['source_branch=two', [2]],
    ['target_branch=one', [3]],
    ['search=trains', [2]],
    ['search=HRE', [3]],
    ['iids[]=1&iids[]=3', [3, 1]],
    ['iids=1,3', [3, 1]],
    ['iids[]=9', []],
    [`created_after=${two.created_at}`, [4, 3, 2]],
    [`created_before=${two.created_at}`, [2, 1]],
    [`created_after=${two.created_at}&created_before=${two.created_at}`, [2]],
    ['created_after=2999-01-01', []],
    ['created_after=9999-12-31T23:59:59-12:00', []],
    ['created_before=9999-12-31T23:59:59-12:00', all],
    ['created_before=0000-01-01T00:00:00%2B12:00', []],
    [`created_after=${two.created_at.replace('Z', '%2B00:00')}`, [4, 3, 2]],
    ['labels=bug&state=opened&search=o&sort=asc', [1, 2]],
    ['per_page=1&page=2', [3]],
    ['labels=&milestone=&search=&my_reaction_emoji=&created_after=', all],
  ]
  for (const [query, expected] of wanted) expect(await iids(world, query), query).toEqual(expected)
  expect(await iids(world, 'scope=assigned_to_me', ann.token)).toEqual([1])
  expect(await iids(world, 'scope=assigned-to-me&author_id=1', ann.token)).toEqual([1])
  expect(await iids(world, `scope=assigned-to-me&author_id=${ann.id}`, ann.token)).toEqual([])
  expect(await iids(world, 'my_reaction_emoji=rocket', ann.token)).toEqual([3])
})

test('view=simple shows five fields', async ({ world }) => {
  const { web_url } = await world.mergeRequest({ mr: { description: 'D' } })
  const simple = [{ iid: 1, web_url, title: 'Add the feature', description: 'D', state: 'opened' }]
  expect(await world.get(`${list}?view=simple`)).toEqual(simple)
  expect(await world.get('/merge_requests?view=simple')).toEqual(simple)
})
