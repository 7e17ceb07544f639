// How parameters are checked and encoded: strict in what is sent.
import fc from 'fast-check'
import { endpointsByName } from '../../src/api/index.ts'
import { createClient } from '../../src/client/create-client.ts'
import { InvalidCallError } from '../../src/client/errors.ts'
import { prepareRequest } from '../../src/client/request.ts'
import { invalidCall, makeClient, playService, service, serviceError } from './world.ts'

playService()

function prepare(name: string, params: Record<string, unknown>) {
  const endpoint = endpointsByName.get(name)
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`)
  return prepareRequest(endpoint, params)
}

describe('a path', () => {
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
  it('sends 0 and an empty text, drops what is undefined, and leaves the defaults to the service', () => {
    const params = { id: 1, assignee_id: 0, labels: '', search: undefined }
    expect(prepare('mergeRequests.list', params).query).toBe('?assignee_id=0&labels=')
  })

  it.each(['', 'a[b', 'a]', '[]'])('refuses the attribute "%s", which a service would read otherwise', (key) => {
    expect(() => prepare('groups.list', { custom_attributes: { [key]: 'x' } })).toThrow(
      /cannot be empty or hold brackets/,
    )
  })

  it('refuses an empty list, which would ask for everything', () => {
    expect(() => prepare('mergeRequests.list', { id: 1, iids: [] })).toThrow(/empty list/)
  })
})

it('a body is JSON, with false, 0 and an empty text in it, and nothing undefined', async () => {
  const body = { squash: false, assignee_id: 0, labels: '' }
  service().put('/projects/1/merge_requests/2', body).matchHeader('content-type', 'application/json').reply(200, {})
  const { client } = makeClient()
  expect((await client.mergeRequests.update({ id: 1, merge_request_iid: 2, ...body, title: undefined })).status).toBe(
    200,
  )
})

describe('a wrong call', () => {
  const mr = { id: 1, merge_request_iid: 2 }
  it.each<[string, string, Record<string, unknown>, string]>([
    ['an unknown parameter', 'projects.get', { id: 1, simple: true }, 'simple'],
    ['a missing parameter', 'mergeRequests.get', { id: 1 }, 'merge_request_iid'],
    ['a parameter of the wrong type', 'mergeRequests.accept', { ...mr, squash: 'yes' }, 'squash'],
    [
      'an odd entry of a list',
      'repository.commits.create',
      { id: 1, branch: 'b', commit_message: 'm', actions: [{ file_path: 'a' }] },
      'actions.0.action',
    ],
    ['a name of every object', 'projects.get', { id: 1, constructor: 1 }, 'constructor'],
    ['an update without anything to update', 'mergeRequests.update', { ...mr, title: undefined }, 'body'],
    ['labels beside add_labels', 'mergeRequests.update', { ...mr, labels: '', add_labels: 'a' }, 'add_labels'],
    ['labels beside remove_labels', 'mergeRequests.update', { ...mr, labels: 'b', remove_labels: '' }, 'remove_labels'],
    [
      'two names of one parameter with two values',
      'mergeRequests.accept',
      { ...mr, merge_when_pipeline_succeeds: true, auto_merge: false },
      'auto_merge',
    ],
    ['an edit of a project without its name', 'projects.update', { id: 3, description: 'x' }, 'name'],
    ['no attribute to filter by', 'projects.list', { custom_attributes: {} }, 'custom_attributes'],
    ['a text instead of a file', 'projects.upload', { id: 3, file: 'text' }, 'file'],
    ['an endpoint outside the contract', 'projects.explode', {}, 'endpoint'],
  ])('with %s is not sent', async (_, name, params, at) => {
    const { client, lines } = makeClient()
    const error = await invalidCall(client.send(name, params))
    expect(error.problems.map((each) => each.at)).toEqual([at])
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

/** A client whose requests end here, as fetch would have sent them. */
function catchRequests() {
  const requests: Request[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    requests.push(new Request(input, init))
    return Response.json({}, { status: 201 })
  }
  return { ...makeClient({ fetch }), requests }
}

describe('an upload', () => {
  it('is a form with the file, its name and its bytes', async () => {
    const { client, requests } = catchRequests()
    const bytes = new Uint8Array([0, 255, 13, 10, 45, 45])
    await client.projects.upload({ id: 'group/app', file: new File([bytes], 'ü "1".bin', { type: 'image/png' }) })
    const [request] = requests
    expect([request?.method, request?.url]).toEqual([
      'POST',
      'https://code.example/api/v4/projects/group%2Fapp/uploads',
    ])
    expect(request?.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/)
    const file = (await request?.formData())?.get('file')
    if (!(file instanceof File)) throw new Error('the form has no file')
    expect([file.name, file.type]).toEqual(['ü "1".bin', 'image/png'])
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
  })

  it('of an avatar carries the other settings along, lists as name[]', async () => {
    const { client, requests } = catchRequests()
    await client.projects.create({
      name: 'app',
      tag_list: ['a', 'b'],
      issues_enabled: false,
      avatar: new File(['x'], 'a.png'),
    })
    const form = await requests[0]?.formData()
    expect([...(form?.keys() ?? [])]).toEqual(['name', 'issues_enabled', 'tag_list[]', 'tag_list[]', 'avatar'])
    expect([form?.get('issues_enabled'), form?.getAll('tag_list[]')]).toEqual(['false', ['a', 'b']])
  })

  it('is repeated whole when it was refused unread', async () => {
    const sizes: number[] = []
    const fetch = async (input: string | URL | Request, init?: RequestInit) => {
      const file = (await new Request(input, init).formData()).get('file')
      sizes.push(file instanceof File ? file.size : -1)
      return sizes.length === 1 ? new Response('Retry later', { status: 429 }) : Response.json({}, { status: 201 })
    }
    await makeClient({ fetch }).client.projects.upload({ id: 1, file: new File(['x'.repeat(100_000)], 'big.txt') })
    expect(sizes).toEqual([100_000, 100_000])
  })
})

it.each([
  [
    'mergeRequests.accept',
    { id: 1, merge_request_iid: 2 },
    { merge_when_pipeline_succeeds: true },
    { auto_merge: true },
  ],
  [
    'mergeRequests.accept',
    { id: 1, merge_request_iid: 2 },
    { auto_merge: false },
    { merge_when_pipeline_succeeds: false },
  ],
  [
    'mergeRequests.accept',
    { id: 1, merge_request_iid: 2 },
    { auto_merge: true, merge_when_pipeline_succeeds: true },
    {},
  ],
  ['mergeRequests.update', { id: 1, merge_request_iid: 2 }, { add_labels: 'a', remove_labels: 'b' }, {}],
  ['projects.hooks.create', { id: 1 }, { url: 'http://x', wiki_events: true }, { wiki_page_events: true }],
  [
    'projects.hooks.update',
    { id: 1, hook_id: 2 },
    { url: 'http://x', wiki_events: false },
    { wiki_page_events: false },
  ],
  [
    'projects.create',
    {},
    { name: 'a', printing_merge_request_link_enabled: false },
    { printing_merge_requests_link_enabled: false },
  ],
])('parameters are sent as they are, and one of two names under both: %s %j %j', async (name, path, given, added) => {
  const { client, requests } = catchRequests()
  await client.send(name, { ...path, ...given })
  expect(await requests[0]?.json()).toEqual({ ...given, ...added })
})

it.each<[string, string, Record<string, unknown>, string]>([
  ['a hook’s token', 'projects.hooks.create', { id: 1, url: 'http://x', token: 'hush-1' }, 'hush-1'],
  [
    'a hook’s signing token',
    'projects.hooks.create',
    { id: 1, url: 'http://x', signing_token: 'whsec_hush' },
    'whsec_hush',
  ],
  [
    'the password of an import',
    'projects.create',
    { name: 'a', import_url: 'https://me:hush%2F2@code.example/a.git' },
    'hush/2',
  ],
  [
    'the token of an import',
    'projects.update',
    { id: 1, name: 'a', import_url: 'https://glpat-hush3@code.example/a.git' },
    'glpat-hush3',
  ],
])('a secret in a body is not shown when the service echoes it: %s', async (_, name, params, secret) => {
  const fetch = async () => Response.json({ message: `bad ${secret} in ${JSON.stringify(params)}` }, { status: 422 })
  const error = await serviceError(makeClient({ fetch }).client.send(name, params))
  expect(error.message).toContain('[hidden]')
  for (const text of [secret, encodeURIComponent(secret)])
    expect(JSON.stringify(error) + error.stack).not.toContain(text)
})
