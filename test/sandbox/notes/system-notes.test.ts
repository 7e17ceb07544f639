// What the service notes down itself about a merge request.
import { mr, openWorld, test } from '../sandbox-world.ts'

test('drafts, reviewers and approvals are noted down in GitLab’s words, without a hook', async () => {
  const world = await openWorld({ tier: 'premium' })
  await world.mergeRequest()
  const ann = await world.member('ann', 40)
  const ben = await world.member('ben', 40)
  const ids = [(await ann.get('/user')).id, (await ben.get('/user')).id]
  const hooks = await world.receiver({ note_events: true })
  await world.put(mr, { title: 'Draft: it' })
  await world.put(mr, { title: 'Draft: still' })
  await world.put(mr, { title: 'it' })
  await world.put(mr, { reviewer_ids: ids })
  await world.put(mr, { reviewer_ids: [1] })
  await ann.post(`${mr}/approve`)
  await ann.post(`${mr}/unapprove`)
  const notes: { body: string; system: boolean; author: { username: string } }[] = await world.get(`${mr}/notes`)
  expect(notes.map(({ body, system, author }) => [author.username, body, system])).toEqual([
    ['ann', 'unapproved this merge request', true],
    ['ann', 'approved this merge request', true],
    ['root', 'requested review from @root and removed review request for @ann and @ben', true],
    ['root', 'requested review from @ann and @ben', true],
    ['root', 'marked this merge request as **ready**', true],
    ['root', 'marked this merge request as **draft**', true],
  ])
  expect(await hooks.payloads()).toEqual([])
  expect((await world.get(mr)).user_notes_count).toBe(0)
})

test('reviewers from the beginning are noted down, a draft from the beginning is not', async () => {
  const world = await openWorld()
  await world.mergeRequest({ mr: { title: 'Draft: it', reviewer_ids: [1] } })
  const notes: { body: string }[] = await world.get(`${mr}/notes`)
  expect(notes.map(({ body }) => body)).toEqual(['requested review from @root'])
})

test('another target branch and time spent are noted down', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.post('/projects/1/repository/branches', { branch: 'release', ref: 'master' })
  await world.put(mr, { target_branch: 'release' })
  await world.post(`${mr}/add_spent_time`, { duration: '1h30m' })
  await world.post(`${mr}/add_spent_time`, { duration: '-30m' })
  const notes: { body: string; system: boolean }[] = await world.get(`${mr}/notes`)
  expect(notes.map(({ body, system }) => [body, system])).toEqual([
    ['subtracted 30m of time spent', true],
    ['added 1h 30m of time spent', true],
    ['changed target branch from `master` to `release`', true],
  ])
})
