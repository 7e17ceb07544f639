// Deliveries: headers, order, time and receivers.
import { createServer } from 'node:http'
import { listen, serve, test } from '../sandbox-world.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('a delivery names its event, its sender and itself', async ({ withProject: world }) => {
  const hooks = await world.receiver({ push_events: true, token: 'secret\nsecret' })
  await world.write('master', 'a.txt', 'a')
  await world.idle()
  expect(hooks.received[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^GitLab\/\d/),
    'x-gitlab-event': 'Push Hook',
    'x-gitlab-token': 'secretsecret',
    'x-gitlab-event-uuid': expect.stringMatching(uuid),
    'x-gitlab-instance': world.url,
    'x-gitlab-webhook-uuid': expect.stringMatching(uuid),
    'idempotency-key': expect.stringMatching(uuid),
  })
})

test('each flag brings its own kind of event and no other', async ({ world }) => {
  const { sha } = await world.mergeRequest()
  const kinds = {
    push_events: ['push'],
    tag_push_events: ['tag_push'],
    merge_requests_events: ['merge_request'],
    issues_events: ['issue'],
    note_events: ['note'],
    job_events: ['build'],
    pipeline_events: ['pipeline'],
    wiki_events: ['wiki_page'],
    emoji_events: ['emoji'],
  }
  const hooks = await Promise.all(
    Object.keys(kinds).map(async (flag) => [flag, await world.receiver({ [flag]: true })] as const),
  )
  const none = await world.receiver()
  await world.report(sha, 'success')
  await world.put('/projects/1/merge_requests/1', { title: 'Another title' })
  await world.post('/projects/1/merge_requests/1/notes', { body: 'Fine' })
  await world.post('/projects/1/merge_requests/1/award_emoji', { name: 'tada' })
  await world.post('/projects/1/issues', { title: 'It breaks' })
  await world.post('/projects/1/wikis', { title: 'home', content: 'Hello' })
  await world.write('master', 'a.txt', 'a')
  const where = await world.clone('root/app')
  await world.git(where, 'tag', 'v1')
  await world.push(where, 'v1')
  await world.idle()
  const got = hooks.map(([flag, hook]) => [flag, [...new Set(hook.received.map(({ payload }) => payload.object_kind))]])
  expect(Object.fromEntries(got)).toEqual(kinds)
  expect(none.received).toEqual([])
})

test('deliveries of one hook keep their order, also when the receiver is slow', async ({ withMergeRequest: world }) => {
  const titles: string[] = []
  const url = await listen(async (_headers, payload) => {
    await new Promise((resolve) => setTimeout(resolve, 10 * (5 - titles.length)))
    titles.push(payload.object_attributes.title)
  })
  await world.post('/projects/1/hooks', { url, push_events: false, merge_requests_events: true })
  for (const title of ['1', '2', '3', '4']) await world.put('/projects/1/merge_requests/1', { title })
  await world.idle()
  expect(titles).toEqual(['1', '2', '3', '4'])
})

test('a hook is sent when the change can be read', async ({ withMergeRequest: world }) => {
  let seen: unknown
  const url = await listen(async () => {
    seen = (await world.get('/projects/1/merge_requests/1')).title
  })
  await world.post('/projects/1/hooks', { url, push_events: false, merge_requests_events: true })
  await world.put('/projects/1/merge_requests/1', { title: 'Told' })
  await world.idle()
  expect(seen).toBe('Told')
})

test('a failed delivery is not retried, and other receivers get theirs', async ({ withProject: world }) => {
  let calls = 0
  const failing = createServer((_request, response) => {
    calls += 1
    response.writeHead(500).end()
  })
  await world.post('/projects/1/hooks', { url: await serve(failing), push_events: true })
  await world.post('/projects/1/hooks', { url: 'http://127.0.0.1:1/', push_events: true })
  const hooks = await world.receiver({ push_events: true })
  await world.write('master', 'a.txt', 'a')
  await world.idle()
  expect([calls, hooks.received.length]).toEqual([1, 1])
})

test('closing does not wait for a receiver that never answers', async ({ withProject: world }) => {
  const url = await listen(() => new Promise(() => undefined))
  await world.post('/projects/1/hooks', { url, push_events: true })
  await world.write('master', 'a.txt', 'a')
  await world.sandbox.close()
  await world.idle()
})
