// Removing a project.
import { type Json, test } from '../sandbox-world.ts'

describe('a removed project', () => {
  test('leaves its forks without a source', async ({ world }) => {
    const ann = await world.user('ann')
    await world.project({ visibility: 'public' })
    const fork = await ann.post('/projects/1/fork', { namespace: 'ann' })
    await world.idle()
    await world.delete('/projects/1')
    const left = await ann.get(`/projects/${fork.id}`)
    expect(left).not.toHaveProperty('forked_from_project')
    expect((await world.clone('ann/app', ann.token)).length).toBeGreaterThan(0)
  })

  test('that is a fork closes its open merge requests elsewhere with a hook; merged ones stay', async ({ world }) => {
    const ann = await world.user('ann')
    await world.project({ visibility: 'public' })
    const hooks = await world.receiver({ merge_requests_events: true })
    const fork = await ann.post('/projects/1/fork', { namespace: 'ann' })
    await world.idle()
    for (const branch of ['one', 'two']) {
      await world.writeIn(fork.id, branch, `${branch}.txt`, { token: ann.token })
      const mr = { source_branch: branch, target_branch: 'master', title: branch, target_project_id: 1 }
      await ann.post(`/projects/${fork.id}/merge_requests`, mr)
    }
    await world.put('/projects/1/merge_requests/1/merge')
    await ann.delete(`/projects/${fork.id}`)
    await world.idle()
    const left = await world.get('/projects/1/merge_requests?sort=asc')
    expect(left.map(({ iid, state }: Json) => [iid, state])).toEqual([
      [1, 'merged'],
      [2, 'closed'],
    ])
    expect(hooks.received.at(-1)?.payload).toMatchObject({
      user: { username: 'ann' },
      object_attributes: { iid: 2, action: 'close' },
    })
    expect(await world.status('PUT', '/projects/1/merge_requests/2', { state_event: 'reopen' })).toBeLessThan(500)
    expect(await world.status('GET', '/projects/1/merge_requests/2/changes')).toBe(200)
  })
})
