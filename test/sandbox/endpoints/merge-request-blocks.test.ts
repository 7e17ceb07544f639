// The merge requests that block a merge request.
import { openMergeRequest } from '../sandbox-world.ts'

const one = '/projects/1/merge_requests/1'
const blocks = `${one}/blocks`

/** Two merge requests: the first waits for the second. */
async function blocked() {
  const world = await openMergeRequest({ project: { visibility: 'private' } })
  await world.write('other', 'other.txt', 'x')
  const blocking = await world.open('other', 'Other')
  const block = await world.post(blocks, { blocking_merge_request_id: blocking.id })
  return { world, blocking, block }
}

test('are listed with their state, and keep it from being merged', async () => {
  const { world, block } = await blocked()
  expect(block.blocking_merge_request).toMatchObject({ iid: 2, project_id: 1, state: 'opened', title: 'Other' })
  expect(block.blocking_merge_request.references.full).toMatch(/^\S+\/\S+!2$/)
  expect((await world.get(one)).detailed_merge_status).toBe('merge_request_blocked')
  expect(await world.status('PUT', `${one}/merge`)).toBe(405)
  await world.put('/projects/1/merge_requests/2/merge')
  expect((await world.get(blocks))[0].blocking_merge_request.state).toBe('merged')
  await world.put(`${one}/merge`)
  expect((await world.get(one)).state).toBe('merged')
})

test('one that is closed blocks as well', async () => {
  const { world } = await blocked()
  await world.put('/projects/1/merge_requests/2', { state_event: 'close' })
  expect((await world.get(one)).detailed_merge_status).toBe('merge_request_blocked')
})

test('one that the caller may not read is a block without a merge request', async () => {
  const { world, blocking } = await blocked()
  const project = await world.post('/projects', { name: 'vault', visibility: 'private' })
  for (const branch of ['master', 'b']) await world.writeIn(project.id, branch, branch)
  const branches = { source_branch: 'b', target_branch: 'master', title: 'b' }
  const hidden = await world.post(`/projects/${project.id}/merge_requests`, branches)
  await world.post(blocks, { blocking_merge_request_id: hidden.id })
  const ann = await world.member('ann', 30)
  const seen = await ann.get(blocks)
  expect(seen.map((each: { blocking_merge_request?: object }) => each.blocking_merge_request !== undefined)).toEqual([
    true,
    false,
  ])
  expect(await ann.status('POST', blocks, { blocking_merge_request_id: hidden.id })).toBe(404)
  const back = { blocking_merge_request_id: (await world.get(one)).id }
  expect(await world.status('POST', `/projects/1/merge_requests/${blocking.iid}/blocks`, back)).toBe(400)
})
