// Approval rules of projects and merge requests: who counts, what they miss, and none on Free (hosting-service.md §3.2).
import { expect, test } from 'vitest'
import { eachCase, type Json, openMergeRequest, openWorld, type World } from '../sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'
const rules = '/projects/1/approval_rules'

async function openWithRule(world: World, more: Record<string, unknown> = {}) {
  const ann = await world.member('ann', 30)
  const ben = await world.member('ben', 30)
  const rule: Json = await world.post(rules, { name: 'Security', approvals_required: 1, user_ids: [ann.id], ...more })
  return { ann, ben, rule }
}

test('a rule counts the approvals of its users, besides those that anybody may give', async () => {
  const world = await openMergeRequest({ project: { approvals_before_merge: 1 } })
  const { ann, ben } = await openWithRule(world)
  expect(await world.get(`${mr}/approvals`)).toMatchObject({
    approvals_required: 2,
    approvals_left: 2,
    approved: false,
  })
  await world.post(`${mr}/approve`, undefined, ben.token)
  expect(await world.get(`${mr}/approvals`)).toMatchObject({ approvals_left: 1, approved: false })
  expect((await world.get(mr)).detailed_merge_status).toBe('not_approved')
  expect(await world.status('PUT', `${mr}/merge`)).toBe(405)
  await world.post(`${mr}/approve`, undefined, ann.token)
  expect(await world.get(`${mr}/approvals`)).toMatchObject({ approvals_left: 0, approved: true })
  expect((await world.get(mr)).detailed_merge_status).toBe('mergeable')
})

test('the approval state tells of each rule who approved, and whether that is enough', async () => {
  const world = await openMergeRequest({ project: { approvals_before_merge: 2 } })
  const { ann } = await openWithRule(world)
  await world.post(`${mr}/approve`, undefined, ann.token)
  const by = [{ username: 'ann' }]
  expect(await world.get(`${mr}/approval_state`)).toMatchObject({
    approval_rules_overwritten: false,
    rules: [
      { name: 'All Members', rule_type: 'any_approver', approvals_required: 2, approved_by: by, approved: false },
      { name: 'Security', rule_type: 'regular', approvals_required: 1, approved_by: by, approved: true, users: by },
    ],
  })
  expect(await world.list('name', `${mr}/approval_rules`)).toEqual(['All Members', 'Security'])
})

test('a rule of a group counts its members', async () => {
  const world = await openMergeRequest()
  const group = await world.group('Guards')
  const { ann, rule } = await openWithRule(world, { user_ids: [], group_ids: [group.id] })
  expect(rule).toMatchObject({ users: [], groups: [{ id: group.id }], contains_hidden_groups: false })
  await world.join(ann, 10, `groups/${group.id}`)
  await world.post(`${mr}/approve`, undefined, ann.token)
  expect((await world.get(`${mr}/approvals`)).approved).toBe(true)
})

test('a merge that waits for approvals comes once the last rule has its own', async () => {
  const world = await openWorld()
  const { sha } = await world.mergeRequest()
  const { ann } = await openWithRule(world)
  await world.report(sha, 'running')
  await world.put(`${mr}/merge`, { merge_when_pipeline_succeeds: true })
  await world.report(sha, 'success')
  await world.sandbox.idle()
  expect((await world.get(mr)).state).toBe('opened')
  await world.post(`${mr}/approve`, undefined, ann.token)
  await world.sandbox.idle()
  expect((await world.get(mr)).state).toBe('merged')
})

test('a rule is shown, edited and removed; others than members and visible groups are left out of it', async () => {
  const world = await openMergeRequest()
  const { ann, ben, rule } = await openWithRule(world, { user_ids: [1, 999], group_ids: [999] })
  expect(rule.users).toMatchObject([{ username: 'root' }])
  const one = `${rules}/${rule.id}`
  expect(await world.put(one, { approvals_required: 2, user_ids: [ann.id, ben.id] })).toMatchObject({
    name: 'Security',
    approvals_required: 2,
    eligible_approvers: [{ username: 'ann' }, { username: 'ben' }],
  })
  expect(await world.get(one)).toMatchObject({ id: rule.id, approvals_required: 2 })
  await world.delete(one)
  expect(await world.status('GET', one)).toBe(404)
  expect((await world.get(`${mr}/approvals`)).approvals_left).toBe(0)
})

test('the rule for anybody is the number of approvals of the project', async () => {
  const world = await openMergeRequest()
  const rule = await world.post(rules, { name: 'Anybody', approvals_required: 2, rule_type: 'any_approver' })
  expect(rule).toMatchObject({ rule_type: 'any_approver', approvals_required: 2 })
  expect((await world.get('/projects/1')).approvals_before_merge).toBe(2)
  expect(await world.status('POST', rules, { name: 'x', approvals_required: 1, rule_type: 'any_approver' })).toBe(400)
  await world.put(`${rules}/${rule.id}`, { approvals_required: 3 })
  expect((await world.get(`${mr}/approvals`)).approvals_required).toBe(3)
  await world.delete(`${rules}/${rule.id}`)
  expect(await world.get(rules)).toEqual([])
})

test('below Maintainer nobody changes rules, below Developer nobody reads them', async () => {
  const world = await openMergeRequest({ project: { visibility: 'public' } })
  const { ann, rule } = await openWithRule(world)
  const eve = await world.user('eve')
  const one = `${rules}/${rule.id}`
  await eachCase(
    [
      ['POST', rules, { name: 'Mine', approvals_required: 0 }, ann.token],
      ['PUT', one, { approvals_required: 0 }, ann.token],
      ['DELETE', one, undefined, ann.token],
      ['GET', rules, undefined, eve.token],
    ] as const,
    async ([method, path, body, token]) => expect(await world.status(method, path, body, token)).toBe(403),
  )
})

test.each<[string, unknown]>([
  ['no name', { approvals_required: 1 }],
  ['no number', { name: 'x' }],
  ['a negative number', { name: 'x', approvals_required: -1 }],
  ['more than 100 approvals', { name: 'x', approvals_required: 101 }],
  ['a type that GitLab makes itself', { name: 'x', approvals_required: 1, rule_type: 'code_owner' }],
  ['a name that is taken', { name: 'Security', approvals_required: 1 }],
  ['users that are no ids', { name: 'x', approvals_required: 1, user_ids: ['ann'] }],
])('a rule with %s is 400', async (_, body) => {
  const world = await openMergeRequest()
  await openWithRule(world)
  expect(await world.status('POST', rules, body)).toBe(400)
})

test('Free has no route for rules: 404 of each', async () => {
  const world = await openWorld({ tier: 'free' })
  await world.mergeRequest({ project: { approvals_before_merge: 1 } })
  await eachCase(
    [
      ['GET', rules],
      ['GET', `${rules}/1`],
      ['POST', rules, { name: 'x', approvals_required: 1 }],
      ['PUT', `${rules}/1`, { name: 'x' }],
      ['DELETE', `${rules}/1`],
      ['GET', `${mr}/approval_rules`],
      ['GET', `${mr}/approval_state`],
    ] as const,
    async ([method, path, body]) =>
      expect(await world.answer(method, path, body)).toEqual([404, { error: '404 Not Found' }]),
  )
})
