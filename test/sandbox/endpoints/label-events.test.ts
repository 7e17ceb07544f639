// The label history of a merge request.
import { mr, openMergeRequest } from '../sandbox-world.ts'

const events = `${mr}/resource_label_events`
const said = (listed: { action: string; label: { name: string } | null; user: { username: string } }[]) =>
  listed.map(({ action, label, user }) => `${user.username} ${action} ${label?.name ?? 'a deleted label'}`)

test('names who added and removed a label, oldest first', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const ann = await world.member('ann', 30)
  await world.put(mr, { add_labels: 'bug,docs' })
  await ann.put(mr, { remove_labels: 'bug' })
  await ann.put(mr, { add_labels: 'bug' })
  expect(said(await world.get(events))).toEqual(['root add bug', 'root add docs', 'ann remove bug', 'ann add bug'])
  expect((await world.get(events))[0]).toMatchObject({ resource_type: 'MergeRequest', resource_id: 1 })
})

test('an update that changes no label adds nothing, and a deleted label is null', async () => {
  const world = await openMergeRequest()
  await world.put(mr, { add_labels: 'bug' })
  await world.put(mr, { add_labels: 'bug', title: 'Other' })
  await world.delete('/projects/1/labels/bug')
  expect(said(await world.get(events))).toEqual(['root add a deleted label'])
})
