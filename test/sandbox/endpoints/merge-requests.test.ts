// Merge requests as endpoints: who may do what, what is not there, deletion (api-v4.md §3.1, §4.2, §5).
import { describe, expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

const list = '/projects/1/merge_requests'
const mr = `${list}/1`

test('commits come newest first, in pages', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.write('feature', 'b.txt', 'b')
  await world.write('feature', 'c.txt', 'c')
  const titles = async (query: string) =>
    (await world.done('GET', `${mr}/commits${query}`)).map((commit: { title: string }) => commit.title)
  expect(await titles('')).toEqual(['Write c.txt', 'Write b.txt', 'Write feature.txt'])
  expect(await titles('?per_page=2&page=2')).toEqual(['Write feature.txt'])
})

test('what is not there is 404, what may not be changed 403', async () => {
  const world = await openWorld()
  await world.mergeRequest({ project: { visibility: 'public' } })
  const ann = await world.user('ann')
  expect((await world.call('GET', '/projects/1/merge_requests/9')).body).toEqual({ message: '404 Not found' })
  expect((await world.call('GET', '/projects/9/merge_requests/1')).body).toEqual({ message: '404 Project Not Found' })
  expect((await world.call('GET', mr, undefined, null)).status).toBe(401)
  expect((await world.call('GET', list, undefined, null)).status).toBe(401)
  expect((await world.call('GET', '/merge_requests', undefined, null)).status).toBe(401)
  expect((await world.call('PUT', mr, { title: 'Mine' }, ann.token)).body).toEqual({ message: '403 Forbidden' })
  const body = { source_branch: 'feature', target_branch: 'master', title: 'x' }
  expect((await world.call('POST', list, body, ann.token)).status).toBe(403)
})

test('a guest of a private project does not see its merge requests, a reporter does', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  const [gus, rae] = [await world.user('gus'), await world.user('rae')]
  await world.done('POST', '/projects/1/members', { user_id: gus.id, access_level: 10 })
  await world.done('POST', '/projects/1/members', { user_id: rae.id, access_level: 20 })
  for (const path of [mr, list]) {
    expect((await world.call('GET', path, undefined, gus.token)).status).toBe(403)
    expect((await world.call('GET', path, undefined, rae.token)).status).toBe(200)
  }
})

describe('deleting', () => {
  test('is for owners and administrators: 204, and then it is gone from everywhere', async () => {
    const world = await openWorld()
    await world.mergeRequest({ project: { visibility: 'public' } })
    const [max, olga] = [await world.user('max'), await world.user('olga')]
    await world.done('POST', '/projects/1/members', { user_id: max.id, access_level: 40 })
    await world.done('POST', '/projects/1/members', { user_id: olga.id, access_level: 50 })
    expect((await world.call('DELETE', mr, undefined, max.token)).status).toBe(403)
    const answer = await world.call('DELETE', mr, undefined, olga.token)
    expect([answer.status, answer.body]).toEqual([204, null])
    const calls: [string, string][] = [
      ['GET', ''],
      ['PUT', '?title=x'],
      ['DELETE', ''],
      ['PUT', '/merge'],
      ['PUT', '/cancel_merge_when_pipeline_succeeds'],
      ['GET', '/participants'],
      ['GET', '/commits'],
      ['GET', '/changes'],
      ['GET', '/pipelines'],
      ['GET', '/approvals'],
      ['POST', '/approve'],
      ['POST', '/unapprove'],
      ['GET', '/closes_issues'],
      ['POST', '/subscribe'],
      ['POST', '/unsubscribe'],
      ['POST', '/todo'],
      ['GET', '/versions'],
      ['POST', '/time_estimate?duration=1h'],
      ['GET', '/time_stats'],
      ['GET', '/notes'],
    ]
    for (const [method, path] of calls) expect((await world.call(method, mr + path)).status, method + path).toBe(404)
    expect(await world.done('GET', list)).toEqual([])
    expect(await world.done('GET', '/merge_requests?scope=all')).toEqual([])
  })

  test('while it is being read and changed leaves nobody with an error of ours', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    for (const iid of [1, 2, 3, 4]) {
      const one = `${list}/${iid}`
      const answers = await Promise.all([
        world.call('GET', one),
        world.call('GET', `${one}/changes`),
        world.call('DELETE', one),
        world.call('PUT', one, { title: 'Late' }),
      ])
      for (const { status } of answers) expect([200, 204, 404]).toContain(status)
      await world.done('POST', list, { source_branch: 'feature', target_branch: 'master', title: 'Next' })
    }
  })

  test('never gives the iid to another one', async () => {
    const world = await openWorld()
    await world.mergeRequest()
    await world.done('DELETE', mr)
    const again = await world.done('POST', list, { source_branch: 'feature', target_branch: 'master', title: 'Again' })
    expect(again.iid).toBe(2)
    await world.write('feature', 'more.txt', 'more')
    expect((await world.done('GET', `${list}/2`)).changes_count).toBe('2')
  })
})

test('where merge requests are switched off nobody sees or makes any', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.done('PUT', '/projects/1', { name: 'app', merge_requests_enabled: false })
  const body = { source_branch: 'feature', target_branch: 'master', title: 'x' }
  expect((await world.call('POST', list, body)).body).toEqual({ message: '403 Forbidden' })
  expect((await world.call('GET', list)).status).toBe(403)
  expect((await world.call('GET', mr)).status).toBe(403)
  expect(await world.done('GET', '/merge_requests?scope=all')).toEqual([])
})

test('in an archived project merge requests are read, subscribed to and left as they are', async () => {
  const world = await openWorld()
  await world.mergeRequest()
  await world.done('POST', `${mr}/approve`)
  await world.done('POST', '/projects/1/archive')
  const status = async (method: string, path: string, body?: unknown) => (await world.call(method, path, body)).status
  const body = { source_branch: 'feature', target_branch: 'master', title: 'x' }
  expect(await status('POST', list, body)).toBe(403)
  expect(await status('PUT', mr, { title: 'x' })).toBe(403)
  expect(await status('DELETE', mr)).toBe(403)
  expect(await status('POST', `${mr}/unapprove`)).toBe(403)
  expect(await status('POST', `${mr}/todo`)).toBe(201)
  expect(await status('POST', `${mr}/unsubscribe`)).toBe(201)
  expect(await world.done('GET', mr)).toMatchObject({ title: 'Add the feature', state: 'opened' })
})
