// Bodies: JSON, a form where there is a file, and every name that a version of the service may know a parameter by.
import { makeClient, playService, serviceError } from './world.ts'

playService()

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
])('a parameter of two names is sent under both: %s %j %j', async (name, path, given, added) => {
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
