// A merge request from a fork: project 1 is root's, project 2 is ann's fork with the source branch `topic`.
import { expect } from 'vitest'
import type { Gate } from '../../../src/sandbox/start-sandbox.ts'
import { type Json, openWorld } from '../sandbox-world.ts'

export async function openForkWorld({
  gate,
  mr = {},
  project = {},
}: {
  gate?: Gate
  mr?: object
  project?: object
} = {}) {
  const world = await openWorld(gate === undefined ? {} : { gate })
  await world.project({ visibility: 'public', ...project })
  const ann = await world.user('ann')
  const fork = await world.post('/projects/1/fork', { namespace: 'ann' }, ann.token)
  await world.sandbox.idle()
  expect((await world.get(`/projects/${fork.id}`)).import_status).toBe('finished')

  /** ann commits a file on a branch of the fork. */
  async function write(branch: string, path: string, content: string, more: object = {}): Promise<Json> {
    const body = {
      branch,
      commit_message: `Write ${path}`,
      actions: [{ action: 'create', file_path: path, content }],
      ...more,
    }
    return done('POST', `/projects/${fork.id}/repository/commits`, body)
  }
  const done = (method: string, path: string, body?: unknown): Promise<Json> =>
    world.done(method, path, body, ann.token)

  await write('topic', 'topic.txt', 'topic\n', { start_branch: 'master' })
  const mergeRequest = await done('POST', `/projects/${fork.id}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'master',
    target_project_id: 1,
    title: 'From the fork',
    ...mr,
  })
  return { world, ann, fork, mergeRequest, write }
}
