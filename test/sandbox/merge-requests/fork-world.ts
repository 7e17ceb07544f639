// A merge request from a fork: project 1 is root's, project 2 is ann's fork with the source branch `topic`.
import type { Gate } from '../../../src/sandbox/http/serve-api.ts'
import { openWorld, type World } from '../sandbox-world.ts'

/** Project 1 of root, and ann's fork of it, project 2. */
export async function makeFork(world: World, settings: object = {}): Promise<{ id: number; token: string }> {
  await world.project({ visibility: 'public', ...settings })
  const ann = await world.user('ann')
  const fork = await world.post('/projects/1/fork', { namespace: 'ann' }, ann.token)
  await world.idle()
  expect((await world.get(`/projects/${fork.id}`)).import_status).toBe('finished')
  return ann
}

export async function openForkWorld({ gate, mr, project }: { gate?: Gate; mr?: object; project?: object } = {}) {
  const world = await openWorld(gate === undefined ? {} : { gate })
  const { ann, mergeRequest } = await world.prepare(['merge request of a fork', mr, project], async (own) => {
    const user = await makeFork(own, project)
    await own.writeIn(2, 'topic', 'topic.txt', { token: user.token })
    const branches = { source_branch: 'topic', target_branch: 'master', target_project_id: 1 }
    const body = { ...branches, title: 'From the fork', ...mr }
    return { ann: user, mergeRequest: await own.post('/projects/2/merge_requests', body, user.token) }
  })
  const write = (branch: string, path: string) => world.writeIn(2, branch, path, { token: ann.token })
  return { world, ann, mergeRequest, write }
}
