// Approvals: rights, heads and hooks, and how a project counts them.
import { mr, openMergeRequest, openProject, openWorld, test } from '../sandbox-world.ts'

test('an approval is counted, shown under both names, and withdrawn', async ({ world }) => {
  const { sha } = await world.mergeRequest({ project: { approvals_before_merge: 2 } })
  expect(await world.get(`${mr}/approvals`)).toMatchObject({
    approvals_required: 2,
    approvals_missing: 2,
    approvals_left: 2,
    approved_by: [],
    user_can_approve: true,
  })
  const approved = await world.post(`${mr}/approve`, { sha })
  expect(approved).toMatchObject({
    approvals_missing: 1,
    approvals_left: 1,
    user_has_approved: true,
    user_can_approve: false,
  })
  expect(approved.approved_by).toMatchObject([{ user: { id: 1, username: 'root' } }])
  expect(await world.post(`${mr}/unapprove`)).toMatchObject({ approvals_left: 2, user_has_approved: false })
})

test('another sha is 409, a second time 401, without one to take back 404', async ({ withMergeRequest: world }) => {
  const status = async (action: string, body?: unknown) => await world.status('POST', `${mr}/${action}`, body)
  expect(await status('unapprove')).toBe(404)
  expect(await status('approve', { sha: 'f'.repeat(40) })).toBe(409)
  expect(await status('approve')).toBe(201)
  expect(await status('approve')).toBe(401)
})

test('below Developer nobody approves: 401', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  expect(await ann.body('POST', `${mr}/approve`, {})).toEqual({ message: '401 Unauthorized' })
  expect((await ann.get(`${mr}/approvals`)).user_can_approve).toBe(false)
})

test('the hook is `approval` below the requirement, `approved` at it, `unapproved` when lost', async () => {
  const world = await openMergeRequest({ project: { approvals_before_merge: 2 } })
  const ann = await world.member('ann', 30)
  const hooks = await world.receiver({ merge_requests_events: true })
  await world.post(`${mr}/approve`)
  await ann.post(`${mr}/approve`)
  await ann.post(`${mr}/unapprove`)
  await world.post(`${mr}/unapprove`)
  await world.idle()
  const actions = ['approval', 'approved', 'unapproved', 'unapproval'].map((action) => `merge_request ${action}`)
  expect(await hooks.events()).toEqual(actions)
  expect(hooks.received[1]?.payload.user).toMatchObject({ id: ann.id, username: 'ann' })
})

test('where none are required, one is approved at once', async ({ withMergeRequest: world }) => {
  const hooks = await world.receiver({ merge_requests_events: true })
  await world.post(`${mr}/approve`)
  await world.post(`${mr}/unapprove`)
  expect(await hooks.events()).toEqual(['merge_request approved', 'merge_request unapproved'])
})

test('approve of a closed merge request is 401, unapprove of a merged one 404', async ({ withMergeRequest: world }) => {
  await world.put(mr, { state_event: 'close' })
  expect(await world.status('POST', `${mr}/approve`)).toBe(401)
  expect((await world.get(`${mr}/approvals`)).user_can_approve).toBe(false)
  await world.put(mr, { state_event: 'reopen' })
  await world.post(`${mr}/approve`)
  await world.put(`${mr}/merge`)
  expect(await world.status('POST', `${mr}/unapprove`)).toBe(404)
  expect((await world.get(`${mr}/approvals`)).approved_by).toHaveLength(1)
})

test('a push keeps the approvals, and the old head is 409 from then on', async ({ world }) => {
  const { sha } = await world.mergeRequest({ project: { approvals_before_merge: 2 } })
  const ann = await world.member('ann', 30)
  await world.post(`${mr}/approve`, { sha })
  await world.write('feature', 'more.txt', 'more')
  const answer = await ann.call('POST', `${mr}/approve`, { sha })
  expect(answer.status).toBe(409)
  expect(answer.body.message).toMatch(/^SHA does not match HEAD of source branch/)
  expect(await world.get(`${mr}/approvals`)).toMatchObject({
    approvals_left: 1,
    approved_by: [{ user: { id: 1 } }],
  })
})

test('on Free the answer has the approvals alone, and nothing is required', async () => {
  const world = await openWorld({ tier: 'free' })
  const made = await world.mergeRequest({ project: { approvals_before_merge: 2 }, mr: { approvals_before_merge: 3 } })
  expect(await world.get(`${mr}/approvals`)).toEqual({
    approved: false,
    approved_by: [],
    user_has_approved: false,
    user_can_approve: true,
  })
  expect(await world.get('/projects/1')).not.toHaveProperty('approvals_before_merge')
  expect(await world.get(mr)).not.toHaveProperty('approvals_before_merge')
  expect((await world.get(mr)).detailed_merge_status).toBe('mergeable')
  expect((await world.put(`${mr}/merge`, { sha: made.sha })).state).toBe('merged')
})

test('on Free each approval is `approved`, and each one taken back `unapproved`', async () => {
  const world = await openWorld({ tier: 'free' })
  await world.mergeRequest({ project: { approvals_before_merge: 2 } })
  const ann = await world.member('ann', 30)
  const hooks = await world.receiver({ merge_requests_events: true })
  expect((await world.post(`${mr}/approve`)).approved).toBe(true)
  await ann.post(`${mr}/approve`)
  await ann.post(`${mr}/unapprove`)
  expect((await world.post(`${mr}/unapprove`)).approved).toBe(false)
  await world.idle()
  const actions = ['approved', 'approved', 'unapproved', 'unapproved'].map((action) => `merge_request ${action}`)
  expect(await hooks.events()).toEqual(actions)
})

// As Danger and python-gitlab call it.
test('a project may be named by its path', async ({ withMergeRequest: world }) => {
  const byPath = '/projects/root%2Fapp/merge_requests/1'
  expect((await world.post(`${byPath}/approve`)).user_has_approved).toBe(true)
  expect(await world.get(`${byPath}/approvals`)).toMatchObject({ approved_by: [{ user: { id: 1 } }] })
  expect((await world.post(`${byPath}/unapprove`)).user_has_approved).toBe(false)
})

const settings = '/projects/1/approvals'

test('the settings of a project are kept, each for itself', async () => {
  const world = await openProject({ approvals_before_merge: 2 })
  const before = { approvals_before_merge: 2, reset_approvals_on_push: false }
  expect(await world.get(settings)).toEqual(before)
  expect(await world.post(settings, { reset_approvals_on_push: true })).toEqual({
    ...before,
    reset_approvals_on_push: true,
  })
  await world.post(settings, { approvals_before_merge: 0 })
  expect(await world.get(settings)).toEqual({ approvals_before_merge: 0, reset_approvals_on_push: true })
  expect(await world.get('/projects/1')).toMatchObject({ approvals_before_merge: 0 })
})

test('a Developer may not read or edit the settings; nothing to edit is 400', async ({ withProject: world }) => {
  const dan = await world.member('dan', 30)
  expect(await dan.status('GET', settings)).toBe(403)
  expect(await dan.status('POST', settings, { reset_approvals_on_push: true })).toBe(403)
  expect(await world.status('POST', settings, {})).toBe(400)
})
