// Approvals that a push takes back.
import type { Tier } from '../../../src/sandbox/installation.ts'
import { mr, openWorld, test } from '../sandbox-world.ts'

/** One approval, then a push by another member; gives the hooks of the push, and who approves after it. */
async function pushAfterApproval({ required = 0, tier = 'premium' as Tier } = {}) {
  const world = await openWorld({ tier })
  await world.mergeRequest({ project: { approvals_before_merge: required } })
  const ann = await world.member('ann', 40)
  await world.call('POST', '/projects/1/approvals', { reset_approvals_on_push: true })
  await world.post(`${mr}/approve`)
  const hooks = await world.receiver({ merge_requests_events: true })
  const commit = {
    branch: 'feature',
    commit_message: 'More',
    actions: [{ action: 'create', file_path: 'b', content: '' }],
  }
  await ann.post('/projects/1/repository/commits', commit)
  await world.idle()
  const { approved_by } = await world.get(`${mr}/approvals`)
  const told = hooks.received.map(({ payload: { user, object_attributes: of } }) => ({
    ...{ action: of.action, by: user.username, system: of.system },
    ...('system_action' in of && { system_action: of.system_action }),
  }))
  return { told, approved: approved_by.length }
}

const update = { action: 'update', by: 'ann', system: false }
const reset = { by: 'ann', system: true, system_action: 'approvals_reset_on_push' }

test('a push takes the approvals back where the project says so, and a second hook says that nobody did', async () => {
  expect(await pushAfterApproval({ required: 1 })).toEqual({
    approved: 0,
    told: [update, { ...reset, action: 'unapproved' }],
  })
  expect(await pushAfterApproval({ required: 2 })).toEqual({
    approved: 0,
    told: [update, { ...reset, action: 'unapproval' }],
  })
})

test('Free has no such setting', async () => {
  expect(await pushAfterApproval({ tier: 'free' })).toEqual({ approved: 1, told: [update] })
})

test('a rebase by the service takes none back, and the next push does', async ({ world }) => {
  await world.mergeRequest()
  await world.call('POST', '/projects/1/approvals', { reset_approvals_on_push: true })
  await world.post(`${mr}/approve`)
  await world.write('master', 'other.txt', 'other\n')
  const before = (await world.get(mr)).sha
  await world.rebase()
  const approvals = async () => (await world.get(`${mr}/approvals`)).approved_by.length
  expect((await world.get(mr)).sha).not.toBe(before)
  expect(await approvals()).toBe(1)
  await world.write('feature', 'more.txt', 'more\n')
  expect(await approvals()).toBe(0)
})
