// How parameters are checked and encoded: strict in what is sent.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpointsByName } from '../../src/api/index.ts'
import { createClient } from '../../src/client/create-client.ts'
import { InvalidCallError } from '../../src/client/errors.ts'
import { prepareRequest } from '../../src/client/request.ts'
import { parsePairs } from '../../src/sandbox/http/params.ts'
import { invalidCall, makeClient, playService, service } from './world.ts'

playService()

function prepare(name: string, params: Record<string, unknown>) {
  const endpoint = endpointsByName.get(name)
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
  return prepareRequest(endpoint, params)
}
const filledPath = (name: string, params: Record<string, unknown>) => prepare(name, params).path

describe('a path', () => {
  it.each([
    ['an id as it is', 'projects.get', { id: 42 }, '/projects/42'],
    ['a project path with its slashes encoded', 'projects.get', { id: 'group/sub/app' }, '/projects/group%2Fsub%2Fapp'],
    [
      'a file path with slash, dots and spaces',
      'repository.files.raw',
      { id: 1, file_path: 'docs/v1.2/read me.md' },
      '/projects/1/repository/files/docs%2Fv1.2%2Fread%20me.md/raw',
    ],
    [
      'a hidden file',
      'repository.files.raw',
      { id: 1, file_path: '.bellhop.yml' },
      '/projects/1/repository/files/.bellhop.yml/raw',
    ],
    [
      'a branch with # and ?',
      'repository.branches.get',
      { id: 1, branch: 'fix/#1?' },
      '/projects/1/repository/branches/fix%2F%231%3F',
    ],
    ['a climbing path as one segment', 'projects.get', { id: '../../user' }, '/projects/..%2F..%2Fuser'],
  ])('takes %s', (_, name, params, path) => {
    expect(filledPath(name, params)).toBe(path)
  })

  it.each(['.', '..'])('refuses the segment "%s", which would lead to another endpoint', (id) => {
    expect(() => prepare('projects.get', { id })).toThrow(InvalidCallError)
  })

  it('gives back its parameter through URL parsing, whatever the text', () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((each) => each !== '.' && each !== '..')
    fc.assert(
      fc.property(text, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (file, ref) => {
        fc.pre(file.length <= 255 && ref.length <= 255)
        const { path, query } = prepare('repository.files.get', { id: 'a/b', file_path: file, ref })
        const url = new URL(`https://code.example/api/v4${path}${query}`)
        const segments = url.pathname.split('/')
        expect(segments).toHaveLength(8)
        expect(decodeURIComponent(segments[4] ?? '')).toBe('a/b')
        expect(decodeURIComponent(segments[7] ?? '')).toBe(file)
        expect([...url.searchParams]).toEqual([['ref', ref]])
        expect(url.hash).toBe('')
      }),
    )
  })

  it('never lets a text through that is half a character', () => {
    expect(() => prepare('projects.get', { id: '\ud800' })).toThrow(/lone surrogate/)
  })
})

describe('a query', () => {
  it('repeats an array as key[]', () => {
    expect(prepare('mergeRequests.list', { id: 1, iids: [4, 5] }).query).toBe('?iids[]=4&iids[]=5')
  })

  it('sends 0 and an empty text, and drops what is undefined', () => {
    expect(prepare('mergeRequests.list', { id: 1, assignee_id: 0, labels: '', search: undefined }).query).toBe(
      '?labels=&assignee_id=0',
    )
  })

  it('carries custom attributes by their keys, encoded', () => {
    const { query } = prepare('groups.list', { custom_attributes: { team: 'a&b', 'ü=': '' }, skip_groups: [3] })
    expect(query).toBe('?skip_groups[]=3&custom_attributes[team]=a%26b&custom_attributes[%C3%BC%3D]=')
  })

  it.each(['', 'a[b', 'a]', '[]'])('refuses the attribute "%s", which a service would read otherwise', (key) => {
    expect(() => prepare('groups.list', { custom_attributes: { [key]: 'x' } })).toThrow(
      /cannot be empty or hold brackets/,
    )
  })

  it('gives back custom attributes as the sandbox reads them', () => {
    const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((each) => !/[[\]]/.test(each))
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.string({ unit: 'grapheme', maxLength: 30 }), { minKeys: 1, maxKeys: 5 }),
        (attributes) => {
          const { query } = prepare('projects.list', { custom_attributes: attributes })
          expect(Object.entries(Object(parsePairs(query.slice(1)).custom_attributes)).sort()).toEqual(
            Object.entries(attributes).sort(),
          )
        },
      ),
    )
  })

  it('leaves the defaults to the service', () => {
    expect(prepare('mergeRequests.list', { id: 1 }).query).toBe('')
  })

  it('refuses an empty list, which would ask for everything', () => {
    expect(() => prepare('mergeRequests.list', { id: 1, iids: [] })).toThrow(/empty list/)
  })

  it('gives back every pair through URL parsing', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 40 })
    fc.assert(
      fc.property(
        word,
        word,
        fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 5 }),
        (labels, search, iids) => {
          const { query } = prepare('mergeRequests.list', { id: 1, labels, search, iids })
          const pairs = new URL(`https://code.example/${query}`).searchParams
          expect(pairs.get('labels')).toBe(labels)
          expect(pairs.get('search')).toBe(search)
          expect(pairs.getAll('iids[]')).toEqual(iids.map(String))
        },
      ),
    )
  })
})

describe('a body', () => {
  it('is JSON, with false, 0 and an empty text in it, and nothing undefined', async () => {
    const body = { squash: false, assignee_id: 0, labels: '' }
    service().put('/projects/1/merge_requests/2', body).matchHeader('content-type', 'application/json').reply(200, {})
    const { client } = makeClient()
    expect((await client.mergeRequests.update({ id: 1, merge_request_iid: 2, ...body, title: undefined })).status).toBe(
      200,
    )
  })
})

describe('a wrong call', () => {
  it.each<[string, string, Record<string, unknown>, string]>([
    ['an unknown parameter', 'projects.get', { id: 1, simple: true }, 'simple'],
    ['a missing parameter', 'mergeRequests.get', { id: 1 }, 'merge_request_iid'],
    ['a parameter of the wrong type', 'mergeRequests.accept', { id: 1, merge_request_iid: 2, squash: 'yes' }, 'squash'],
    ['null', 'mergeRequests.accept', { id: 1, merge_request_iid: 2, sha: null }, 'sha'],
    [
      'an odd entry of a list',
      'repository.commits.create',
      { id: 1, branch: 'b', commit_message: 'm', actions: [{}] },
      'actions.0.action',
    ],
    ['a name of every object', 'projects.get', { id: 1, constructor: 1 }, 'constructor'],
    [
      'an update without anything to update',
      'mergeRequests.update',
      { id: 1, merge_request_iid: 2, title: undefined },
      'body',
    ],
    ['an endpoint outside the contract', 'projects.explode', {}, 'endpoint'],
    ['a group of endpoints', 'projects', {}, 'endpoint'],
  ])('with %s is not sent', async (_, name, params, at) => {
    const { client, lines } = makeClient()
    const error = await invalidCall(client.send(name, params))
    expect(error.problems.map((each) => each.at)).toContain(at)
    expect(error.endpoint).toBe(name)
    expect(lines).toEqual([])
  })

  it('is explained without its values', async () => {
    const params = { id: 1, url: 'https://bellhop.example', token: 12345678, secret_word: 'xyzzy-secret' }
    const { message } = await invalidCall(makeClient().client.send('projects.hooks.create', params))
    expect(message).toMatch(
      /^projects\.hooks\.create was not called: token: .*; secret_word: unknown parameter \(allowed: id, url, /,
    )
    expect(message).not.toMatch(/12345678|xyzzy/)
  })
})

describe('the base address', () => {
  it.each([
    ['https://code.example', 'https://code.example/api/v4'],
    ['https://code.example/api/v4/', 'https://code.example/api/v4'],
    ['http://code.example:8080/git/lab/api/v4/', 'http://code.example:8080/git/lab/api/v4'],
  ])('%s leads to %s', async (baseUrl, base) => {
    const asked: unknown[] = []
    const fetch = async (input: unknown) => {
      asked.push(input)
      return Response.json({})
    }
    await createClient({ baseUrl, token: 't', fetch }).users.current({})
    expect(asked).toEqual([`${base}/user`])
  })

  it.each([
    '',
    'code.example',
    'ftp://code.example',
    'https://me:pass-word@code.example',
    'https://code.example?x=pass-word',
  ])('"%s" is refused, and not quoted', (baseUrl) => {
    expect(() => createClient({ baseUrl, token: 't' })).toThrow(TypeError)
    expect(() => createClient({ baseUrl, token: 't' })).not.toThrow(/pass-word/)
  })
})

describe('the client', () => {
  it('has one named function for every endpoint of the contract', () => {
    const { client } = makeClient()
    for (const name of endpointsByName.keys()) {
      const call = name.split('.').reduce<unknown>((level, key) => Reflect.get(Object(level), key), client)
      expect(call).toBeTypeOf('function')
      expect([Reflect.get(Object(call), 'name'), Reflect.get(Object(call), 'endpoint')]).toEqual([name, name])
    }
  })

  it('sends a call as data as its function would', async () => {
    service()
      .post('/projects/3/hooks', { url: 'https://bellhop.example', note_events: false })
      .times(2)
      .reply(201, { id: 9 })
    const { client } = makeClient()
    const params = { id: 3, url: 'https://bellhop.example', note_events: false }
    expect(await client.send('projects.hooks.create', params)).toEqual(await client.projects.hooks.create(params))
  })
})
