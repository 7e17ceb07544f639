// Errors for programs and for people, without secrets.
import { inspect } from 'node:util'
import { readServiceMessage } from '../../src/client/errors.ts'
import { makeClient, playService, service, serviceError, TOKEN } from './world.ts'

playService()

const mr = { id: 3, merge_request_iid: 5 }
const merge = '/projects/3/merge_requests/5/merge'

it.each([
  [405, 'Branch cannot be merged', 'not_now'],
  [409, 'SHA does not match HEAD of source branch', 'moved'],
  [422, 'Branch cannot be merged', 'not_now'],
])('an accept refused with %i means what the contract declares', async (status, message, means) => {
  service().put(merge).reply(status, { message })
  const error = await serviceError(makeClient().client.mergeRequests.accept({ ...mr, sha: 'abc' }))
  expect(error).toMatchObject({
    kind: 'refused',
    endpoint: 'mergeRequests.accept',
    method: 'PUT',
    path: merge,
    status,
    means,
  })
  expect(error.serviceMessage).toBe(message)
  expect(error.message).toBe(`PUT ${merge} answered ${status}: ${message}`)
})

it.each<[string, 'accept' | 'get', number, object, object]>([
  ['a 401 that the endpoint declares', 'accept', 401, { message: '401 Unauthorized' }, { missingPermission: true }],
  [
    'not a 401 for a revoked token',
    'accept',
    401,
    { error: 'invalid_token', error_description: 'Token was revoked.' },
    { missingPermission: false, serviceMessage: 'invalid_token: Token was revoked.' },
  ],
  ['not another 401, which is a bad token', 'get', 401, { message: '401 Unauthorized' }, { missingPermission: false }],
  ['every 403', 'get', 403, { error: 'insufficient_scope', scope: 'api' }, { missingPermission: true }],
])('a missing permission is %s', async (_, name, status, body, expected) => {
  service().put(merge).reply(status, body).get('/projects/3/merge_requests/5').reply(status, body)
  const error = await serviceError(makeClient().client.mergeRequests[name](mr))
  expect(error).toMatchObject({ status, means: undefined, ...expected })
})

describe('the service’s message', () => {
  it.each([
    ['a text', '{"message":"404 Project Not Found"}', '404 Project Not Found'],
    [
      'lists by field',
      '{"message":{"title":["is too long","is bad"],"base":["Nope"]}}',
      'title: is too long, is bad, Nope',
    ],
    [
      'a list',
      '{"message":["Another open merge request already exists: !5"]}',
      'Another open merge request already exists: !5',
    ],
    ['an error of parameters', '{"error":"title is missing"}', 'title is missing'],
    [
      'an error of the sign-in',
      '{"error":"invalid_token","error_description":"Token was revoked"}',
      'invalid_token: Token was revoked',
    ],
    ['an error in a message', '{"message":{"error":"Request timed out"}}', 'Request timed out'],
    [
      'a page with a title',
      '<!DOCTYPE html><html><head><title>\n502 Bad &amp; Gateway </title></head><body>x</body>',
      '502 Bad Gateway',
    ],
    ['a page without a title', '<html><body><p>We are <b>down</b></p></body></html>', undefined],
    ['plain text', 'Retry later\n', 'Retry later'],
    ['a JSON text', '"no"', 'no'],
    ['control characters', '{"message":"a\\u001b[31mb\\nc"}', 'a [31mb c'],
    ['nothing', '', undefined],
    ['null', 'null', undefined],
    ['an empty message', '{"message":null}', undefined],
  ])('is found in %s', (_, body, message) => {
    expect(readServiceMessage(body, (text) => text)).toBe(message)
  })

  it('is cut where it is too long, and bounded in depth and time', () => {
    const read = (text: string) => readServiceMessage(text, (cleaned) => cleaned)
    expect(read('x'.repeat(5_000))).toHaveLength(501)
    expect(read(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)).toBeUndefined()
    // Quadratic time would exceed the test's time limit.
    read(`<html>${'<title'.repeat(100_000)}`)
  })
})

describe('the token', () => {
  function expectHidden(value: unknown, secret = TOKEN) {
    for (const shown of [JSON.stringify(value), inspect(value, { depth: 10, showHidden: true }), String(value)]) {
      expect(shown).not.toContain(secret)
      expect(shown).not.toContain(encodeURIComponent(secret))
    }
  }

  it.each([
    ['a message', 400, JSON.stringify({ message: `bad header ${TOKEN}` })],
    ['a field', 422, JSON.stringify({ message: { [TOKEN]: [TOKEN] } })],
    ['a page', 502, `<html><title>You sent ${encodeURIComponent(TOKEN)}</title></html>`],
    ['a page in entities', 400, `<html><title>${TOKEN.replace('/', '&#x2F;').replace('+', '&#43;')}</title></html>`],
    ['plain text at the place of the cut', 400, `${'x'.repeat(490)}${TOKEN}`],
    ['a broken success', 200, `{"token": "${TOKEN}`],
  ])('is not shown when the service echoes it in %s', async (_, status, body) => {
    service().post('/projects/3/merge_requests/5/approve').reply(status, body)
    const { client, lines } = makeClient()
    const error = await serviceError(client.mergeRequests.approve(mr))
    expectHidden(error)
    expectHidden(lines)
    expect(error.message).not.toContain(TOKEN.slice(0, 8))
  })

  it('is not shown when a redirect carries it', async () => {
    service()
      .get('/user')
      .reply(302, '', { location: `https://evil.example/${TOKEN}?token=${TOKEN}` })
    expectHidden(await serviceError(makeClient().client.users.current({})))
  })

  it('is not shown when the network’s error carries it', async () => {
    const cause = Object.assign(new Error(`cannot send ${TOKEN}`), {
      headers: { 'private-token': TOKEN },
      code: 'ECONNRESET',
    })
    const fetch = async () => {
      throw new TypeError('fetch failed', { cause })
    }
    const { client } = makeClient({ fetch, attempts: 1 })
    const error = await serviceError(client.users.current({}))
    expectHidden(error)
    expect(error.message).toBe('GET /user got no answer: cannot send [hidden]')
    expect(error.cause).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
  })

  it('is not shown when it is part of the path', async () => {
    service().get(/.*/).reply(404)
    const { client, lines } = makeClient()
    expectHidden(await serviceError(client.projects.get({ id: TOKEN })))
    expectHidden(lines)
  })

  it('is not shown when no header can carry it', async () => {
    const call = makeClient({ token: 'glpat-bad\nvalue' }).client.users.current({})
    await expect(call).rejects.toThrow('the token has characters that no header can carry')
  })

  it('of a hook is hidden, to its end where it begins with another secret', async () => {
    const token = `${TOKEN}-and-its-end`
    service()
      .post('/projects/3/hooks')
      .reply(422, { message: `bad token ${token}` })
    const params = { id: 3, url: 'https://bellhop.example', token }
    expectHidden(await serviceError(makeClient().client.projects.hooks.create(params)), 'and-its-end')
  })
})
