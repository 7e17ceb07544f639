// List filters of merge requests, over the API (api-v4.md §4.2).
import { expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

test('every filter leaves what it names', async () => {
  const world = await openWorld()
  const ann = await world.user('ann')
  await world.project()
  await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 30 })
  const open = async (branch: string, more: Record<string, unknown>, token?: string) => {
    await world.write(branch, `${branch}.txt`, branch)
    return world.done(
      'POST',
      '/projects/1/merge_requests',
      { source_branch: branch, target_branch: 'master', title: branch, ...more },
      token,
    )
  }
  await open('one', { labels: 'bug,red', assignee_id: ann.id })
  const two = await open('two', { labels: 'bug', description: 'about Trains' }, ann.token)
  await open('three', { target_branch: 'one' })
  await open('four', {})
  await world.done('PUT', '/projects/1/merge_requests/3', { state_event: 'close' })
  await world.done('PUT', '/projects/1/merge_requests/4/merge')
  await world.done('PUT', '/projects/1/merge_requests/1', { description: 'newest change' })
  const iids = async (query: string) =>
    (await world.done('GET', `/projects/1/merge_requests?${query}`)).map((mr: { iid: number }) => mr.iid)
  const wanted: [string, number[]][] = [
    ['', [4, 3, 2, 1]],
    ['sort=asc', [1, 2, 3, 4]],
    ['order_by=updated_at', [1, 4, 3, 2]],
    ['state=opened', [2, 1]],
    ['state=closed', [3]],
    ['state=merged', [4]],
    ['labels=bug', [2, 1]],
    ['labels=bug,red', [1]],
    [`author_id=${ann.id}`, [2]],
    [`assignee_id=${ann.id}`, [1]],
    ['assignee_id=0&state=opened', [2]],
    ['source_branch=two', [2]],
    ['target_branch=one', [3]],
    ['search=trains', [2]],
    ['iids[]=1&iids[]=3', [3, 1]],
    [`created_after=${two.created_at}`, [4, 3, 2]],
    [`created_before=${two.created_at}`, [2, 1]],
    ['per_page=1&page=2', [3]],
  ]
  for (const [query, expected] of wanted) expect(await iids(query), query).toEqual(expected)
})
