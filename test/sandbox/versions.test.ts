// What differs by the version and the tier that the sandbox imitates (docs/hosting-service.md).
import { describe, expect, test } from 'vitest'
import { openWorld } from './sandbox-world.ts'

const mr = '/projects/1/merge_requests/1'
const signing_token = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

async function openVersion(version: string) {
  const world = await openWorld({ version: `${version}.0` })
  await world.mergeRequest()
  return world
}

describe('headers of a delivery', () => {
  test.each([
    ['14.7', []],
    ['14.8', ['x-gitlab-event-uuid']],
    ['15.5', ['x-gitlab-event-uuid', 'x-gitlab-instance']],
    ['16.2', ['x-gitlab-event-uuid', 'x-gitlab-instance', 'x-gitlab-webhook-uuid']],
    ['17.4', ['x-gitlab-event-uuid', 'x-gitlab-instance', 'x-gitlab-webhook-uuid', 'idempotency-key']],
    ['18.10', ['x-gitlab-event-uuid', 'x-gitlab-instance', 'x-gitlab-webhook-uuid', 'idempotency-key']],
    [
      '18.11',
      [
        ...['x-gitlab-event-uuid', 'x-gitlab-instance', 'x-gitlab-webhook-uuid', 'idempotency-key'],
        ...['webhook-id', 'webhook-timestamp', 'webhook-signature'],
      ],
    ],
  ])('of %s next to event and token: %o', async (version, expected) => {
    const world = await openVersion(version)
    const hooks = await world.receiver({ push_events: true, token: 'secret', signing_token })
    await world.write('master', 'a.txt', 'a')
    await world.idle()
    const names = Object.keys(hooks.received[0]?.headers ?? {})
    expect(names.filter((name) => /^(?:x-gitlab|webhook|idempotency)-/.test(name)).sort()).toEqual(
      [...expected, 'x-gitlab-event', 'x-gitlab-token'].sort(),
    )
  })
})

test.each([
  ['17.10', 'merged'],
  ['17.11', 'opened'],
])('auto_merge of %s leaves the merge request %s', async (version, state) => {
  const world = await openVersion(version)
  const { sha } = await world.get(mr)
  await world.report(sha, 'running')
  expect((await world.put(`${mr}/merge`, { auto_merge: true })).state).toBe(state)
})

test.each([
  ['15.5', false],
  ['15.6', true],
])('detailed_merge_status of %s is shown: %s', async (version, shown) => {
  const world = await openVersion(version)
  const hooks = await world.receiver({ merge_requests_events: true })
  await world.put(mr, { title: 'Another' })
  await world.idle()
  const seen = [await world.get(mr), hooks.received[0]?.payload.object_attributes]
  expect(seen.map((each) => Object.hasOwn(each, 'detailed_merge_status'))).toEqual([shown, shown])
})

test.each([
  ['13.7', undefined],
  ['13.8', 1],
])('reviewers of %s: %s', async (version, count) => {
  const world = await openVersion(version)
  const updated = await world.put(mr, { reviewer_ids: [1], title: 'Another' })
  expect(updated.reviewers?.length).toBe(count)
})

test.each([
  ['17.3', 404],
  ['17.4', 200],
])('the events of a hook of %s answer %i', async (version, status) => {
  const world = await openVersion(version)
  const { id } = await world.receiver()
  expect(await world.status('GET', `/projects/1/hooks/${id}/events`)).toBe(status)
})

test.each([
  ['16.10', [undefined]],
  ['16.11', ['create', 'update']],
])('a note and its edit in %s send hooks with the actions %o', async (version, actions) => {
  const world = await openVersion(version)
  const hooks = await world.receiver({ note_events: true })
  const { id } = await world.post(`${mr}/notes`, { body: 'One' })
  await world.put(`${mr}/notes/${id}`, { body: 'Two' })
  await world.idle()
  expect(hooks.received.map(({ payload }) => payload.object_attributes.action)).toEqual(actions)
})

test.each([
  ['GET', '15.4', 404],
  ['GET', '15.5', 200],
  ['POST', '16.9', 404],
  ['POST', '16.10', 200],
])('%s of the token itself on %s: %i', async (method, version, expected) => {
  const world = await openVersion(version)
  const path = method === 'GET' ? '/personal_access_tokens/self' : '/personal_access_tokens/self/rotate'
  expect(await world.status(method, path)).toBe(expected)
})

test.each([
  ['15.5', 'premium', 404],
  ['15.6', 'premium', 400],
  ['18.11', 'free', 404],
] as const)('adding to a merge train on %s %s: %i', async (version, tier, expected) => {
  const world = await openWorld({ version: `${version}.0`, tier })
  const { sha } = await world.mergeRequest()
  expect(await world.status('POST', '/projects/1/merge_trains/merge_requests/1', { sha })).toBe(expected)
})

test.each([
  ['free', 404],
  ['premium', 201],
] as const)('push rules of %s: %i', async (tier, expected) => {
  const world = await openWorld({ tier })
  await world.post('/projects', { name: 'app' })
  expect(await world.status('POST', '/projects/1/push_rule', { member_check: true })).toBe(expected)
})
