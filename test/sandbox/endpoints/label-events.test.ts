// The history of labels of a merge request: who added and removed which.
import { expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'
const events = `${mr}/resource_label_events`
const said = (listed: { action: string; label: { name: string } | null; user: { username: string } }[]) =>
  listed.map(({ action, label, user }) => `${user.username} ${action} ${label?.name ?? 'a deleted label'}`)

test('names who added and removed a label, oldest first, also by a quick action', async () => {
  const world = await openWorld()
  await world.mergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  await world.done('POST', '/projects/1/members', { user_id: ann.id, access_level: 30 })
  await world.done('PUT', mr, { add_labels: 'bug,docs' })
  await world.done('PUT', mr, { remove_labels: 'bug' }, ann.token)
  await world.done('POST', `${mr}/notes`, { body: '/label ~bug' }, ann.token)
  expect(said(await world.done('GET', events))).toEqual([
    'root add bug',
    'root add docs',
    'ann remove bug',
    'ann add bug',
  ])
  expect((await world.done('GET', events))[0]).toMatchObject({ resource_type: 'MergeRequest', resource_id: 1 })
})

test('an update that changes no label adds nothing, and a deleted label is null', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.done('PUT', mr, { add_labels: 'bug' })
  await world.done('PUT', mr, { add_labels: 'bug', title: 'Other' })
  await world.done('DELETE', '/projects/1/labels/bug')
  expect(said(await world.done('GET', events))).toEqual(['root add a deleted label'])
})
