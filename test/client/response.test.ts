// How responses are read: tolerantly, but never as complete where something is missing.

import { readLimits, readRetryAfter } from '../../src/client/response.ts'
import { makeClient, NOW, playService, service, serviceError } from './world.ts'

playService()

const { client } = makeClient()
const mr = { id: 3, merge_request_iid: 5 }
const path = '/projects/3/merge_requests/5'

describe('a merge request', () => {
  it.each<[string, unknown, unknown]>([
    ['keeps unknown fields', { iid: 5, reviewers: [{ id: 1, x: 2 }] }, { iid: 5, reviewers: [{ id: 1, x: 2 }] }],
    ['keeps null where the page allows null', { assignee: null }, { assignee: null }],
    ['has no author where the service sends null', { iid: 5, author: null }, { iid: 5 }],
    ['has no title where the service sends a number', { iid: 5, title: 7 }, { iid: 5 }],
    ['has no state where the service sends an unknown one', { iid: 5, state: 'frozen' }, { iid: 5 }],
    ['has no labels when one of them is odd', { iid: 5, labels: ['a', { name: 'b' }] }, { iid: 5 }],
    [
      'loses only the odd field of what it embeds',
      { author: { id: 'x', username: 'ann' } },
      { author: { username: 'ann' } },
    ],
    ['is empty when a list stands in its place', [1, 2], {}],
    ['is empty when null stands in its place', null, {}],
  ])('%s', async (_, sent, read) => {
    service().get(path).reply(200, JSON.stringify(sent))
    expect((await client.mergeRequests.get(mr)).body).toEqual(read)
  })

  it('does not take over a prototype', async () => {
    service().get(path).reply(200, '{"__proto__": {"draft": true}, "iid": 5}')
    const { body } = await client.mergeRequests.get(mr)
    expect('draft' in body).toBe(false)
    expect(body.iid).toBe(5)
  })

  it.each([5, 15, 25, 60])('of a member keeps the access level %i, known here or not', async (access_level) => {
    service().get('/projects/3/members/all/7').reply(200, { id: 7, access_level })
    expect((await client.projects.members.get({ id: 3, user_id: 7 })).body).toEqual({ id: 7, access_level })
  })

  it('keeps null of a setting of its project that was never set', async () => {
    const sent = { only_allow_merge_if_all_discussions_are_resolved: null }
    service().get('/projects/3').reply(200, sent)
    expect((await client.projects.get({ id: 3 })).body).toEqual(sent)
  })

  it('has notes and pipelines with ids above 32 bits, as on gitlab.com', async () => {
    const [note_id, pipeline] = [2_900_789_165, 10_368_929_819]
    service()
      .get(path)
      .reply(200, { head_pipeline: { id: pipeline } })
    service().get(`${path}/notes/${note_id}`).reply(200, { id: note_id })
    expect((await client.mergeRequests.get(mr)).body).toEqual({ head_pipeline: { id: pipeline } })
    expect((await client.mergeRequests.notes.get({ ...mr, note_id })).body).toEqual({ id: note_id })
  })

  it('loses only the odd field inside a list of objects', async () => {
    service()
      .get(`${path}/approvals`)
      .reply(200, { approved_by: [{ user: { id: 1 } }, { user: null }] })
    expect((await client.mergeRequests.approvals(mr)).body).toEqual({
      approved_by: [{ user: { id: 1 } }, {}],
    })
  })
})

describe('a list', () => {
  it.each<[string, unknown]>([
    ['an object', {}],
    ['null', null],
    ['a list with an entry that is none', [{ iid: 1 }, 7]],
  ])('is unreadable, not empty, where the service sends %s', async (_, body) => {
    service().get('/projects/3/merge_requests').reply(200, JSON.stringify(body))
    const error = await serviceError(client.mergeRequests.list({ id: 3 }))
    expect(error).toMatchObject({ kind: 'unreadable', status: 200, mayHaveBeenApplied: false })
  })

  it('has its next page and its total', async () => {
    service()
      .get('/projects/3/merge_requests')
      .reply(200, [{ iid: 1 }], { 'x-next-page': '2', 'x-total': '31' })
    const response = await client.mergeRequests.list({ id: 3 })
    expect(response).toEqual({ status: 200, body: [{ iid: 1 }], page: { next: 2, total: 31 }, limits: undefined })
  })
})

describe('issues that close on merge', () => {
  const closes = (body: unknown) => {
    service().get(`${path}/closes_issues`).reply(200, JSON.stringify(body))
    return client.mergeRequests.closesIssues(mr)
  }

  it.each<[string, unknown, unknown]>([
    ['of an external tracker are text id and title', { id: 'PROJ-1', title: 'a' }, { id: 'PROJ-1', title: 'a' }],
    [
      'keep their number when fields of the page are missing',
      { id: 7, iid: 1, title: 'a' },
      { id: 7, iid: 1, title: 'a' },
    ],
    ['lose only what is odd', { id: 7, iid: 1, title: 'a', labels: 'x' }, { id: 7, iid: 1, title: 'a' }],
    ['keep an unknown field', { id: 'PROJ-1', title: 'a', url: 'x' }, { id: 'PROJ-1', title: 'a', url: 'x' }],
  ])('%s', async (_, sent, read) => {
    expect((await closes([sent])).body).toEqual([read])
  })

  it('are unreadable when one of them is none', async () => {
    expect(await serviceError(closes([{ id: 'PROJ-1', title: 'a' }, 7]))).toMatchObject({ kind: 'unreadable' })
  })
})

describe('second names of fields', () => {
  it('are read as those of the contract', async () => {
    service()
      .get('/projects/3/hooks')
      .reply(200, [{ id: 1, wiki_events: true }])
    expect((await client.projects.hooks.list({ id: 3 })).body[0]?.wiki_page_events).toBe(true)
  })

  it('are checked like the field itself', async () => {
    service().get('/projects/3/hooks/1').reply(200, { id: 1, wiki_events: 'yes' })
    expect((await client.projects.hooks.get({ id: 3, hook_id: 1 })).body.wiki_page_events).toBeUndefined()
  })
})

describe('a response', () => {
  it.each<[string, string, string, number, Record<string, unknown>]>([
    ['mergeRequests.subscribe', 'POST', '/projects/3/merge_requests/5/subscribe', 304, mr],
    ['projects.hooks.delete', 'DELETE', '/projects/3/hooks/1', 204, { id: 3, hook_id: 1 }],
  ])('of %s without a body is a success', async (name, method, path, status, params) => {
    service().intercept(path, method).reply(status)
    expect(await client.send(name, params)).toMatchObject({ status, body: null })
  })

  it('of 304 is no success where the contract does not know it', async () => {
    service().get('/user').reply(304)
    expect(await serviceError(client.users.current({}))).toMatchObject({ kind: 'redirected', status: 304 })
  })

  it('may have another success status than the page says', async () => {
    service().post(`${path}/time_estimate`).reply(201, { time_estimate: 60 })
    const response = await client.mergeRequests.timeEstimate({ ...mr, duration: '1m' })
    expect(response).toMatchObject({ status: 201, body: { time_estimate: 60 } })
  })

  it('without a body is empty', async () => {
    service().put(path).reply(200, '')
    expect((await client.mergeRequests.update({ ...mr, title: 'x' })).body).toEqual({})
  })

  it('that is a file is returned byte for byte', async () => {
    const text = '\ufeffversion: 1\r\nrules: [] # ü\n'
    service().get('/projects/3/repository/files/.bellhop.yml/raw').query({ ref: 'main' }).reply(200, text)
    const { body } = await client.repository.files.raw({ id: 3, file_path: '.bellhop.yml', ref: 'main' })
    expect(body).toBe(text)
  })

  it('that is a page in place of JSON is unreadable', async () => {
    service().get('/user').reply(200, '<html><title>Sign in</title></html>')
    const error = await serviceError(client.users.current({}))
    expect(error).toMatchObject({ kind: 'unreadable', status: 200, mayHaveBeenApplied: false })
    expect(error.message).toBe('GET /user answered 200: the response is not JSON')
  })

  it('to a write that cannot be read means that it may have been applied', async () => {
    service().put(`${path}/merge`).reply(200, '{"id": 1, "sta')
    const error = await serviceError(client.mergeRequests.accept(mr))
    expect(error).toMatchObject({ kind: 'unreadable', mayHaveBeenApplied: true })
  })

  it('larger than the limit is not read to its end', async () => {
    service()
      .get('/user')
      .reply(200, JSON.stringify({ name: 'x'.repeat(2_000) }))
    const error = await serviceError(makeClient({ maxResponseBytes: 1_000 }).client.users.current({}))
    expect(error).toMatchObject({ kind: 'unreadable' })
    expect(error.message).toContain('larger than 1000 bytes')
  })
})

it.each<[string, number, Record<string, string>, number | undefined]>([
  ['seconds', 503, { 'retry-after': '7' }, 7_000],
  ['zero', 429, { 'retry-after': '0' }, 0],
  ['a date', 429, { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT' }, 60_000],
  ['a date that has passed', 429, { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, 0],
  ['a day at most', 429, { 'retry-after': '999999999' }, 86_400_000],
  ['nothing in a negative number', 429, { 'retry-after': '-5' }, undefined],
  ['nothing in a fraction', 429, { 'retry-after': '1.5' }, undefined],
  ['nothing in words', 429, { 'retry-after': 'soon' }, undefined],
  ['the end of the limit’s window', 429, { 'ratelimit-reset': String(NOW / 1000 + 30) }, 30_000],
  ['Retry-After before the window', 429, { 'retry-after': '1', 'ratelimit-reset': String(NOW / 1000 + 30) }, 1_000],
  ['no window where no limit was met', 503, { 'ratelimit-reset': String(NOW / 1000 + 30) }, undefined],
  ['nothing', 429, {}, undefined],
])('readRetryAfter reads %s', (_, status, headers, wanted) => {
  expect(readRetryAfter(status, new Headers(headers), NOW)).toBe(wanted)
})

describe('readLimits', () => {
  it('gives nothing where the service says nothing', () => {
    expect(readLimits(new Headers({ 'ratelimit-remaining': 'many' }), NOW)).toBeUndefined()
  })

  it('gives what one header alone says', () => {
    expect(readLimits(new Headers({ 'ratelimit-remaining': '12' }), NOW)).toEqual({ remaining: 12, resetAt: undefined })
  })

  it('corrects the end of the window by how far the service’s clock is from ours', () => {
    const serviceNow = NOW + 600_000
    const headers = { 'ratelimit-reset': String(serviceNow / 1000 + 30), date: new Date(serviceNow).toUTCString() }
    expect(readLimits(new Headers(headers), NOW)?.resetAt).toBe(NOW + 30_000)
    expect(readRetryAfter(429, new Headers(headers), NOW)).toBe(30_000)
  })
})
