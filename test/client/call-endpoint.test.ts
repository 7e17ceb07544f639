// A call tries the other method where installations differ.
import { makeClient, playService, service, serviceError } from './world.ts'

playService()

it.each([3, 'group/app'])('a versions endpoint takes %j as the text of its path', async (id) => {
  service()
    .get(`/projects/${encodeURIComponent(id)}/merge_requests/5/versions`)
    .reply(200, [{ id: 1, real_size: '3' }])
  const { client } = makeClient()
  expect((await client.mergeRequests.versions.list({ id, merge_request_iid: 5 })).body).toEqual([
    { id: 1, real_size: '3' },
  ])
})

describe('cancelling a pending merge', () => {
  const mr = { id: 3, merge_request_iid: 5 }
  const one = '/projects/3/merge_requests/5'
  const cancel = `${one}/cancel_merge_when_pipeline_succeeds`
  const notAllowed = { status: 405, method: 'POST', serviceMessage: 'Method Not Allowed' }

  /** What POST, the merge request and PUT answer; then the status or the error of the call, and the requests. */
  it.each<[string, number, number | string, number, number | object, string]>([
    ['is POST, as real installations have it', 201, 'opened', 200, 201, 'POST'],
    ['is PUT where POST is unknown (404) and it is open', 404, 'opened', 200, 200, 'POST GET PUT'],
    ['is PUT where POST is unknown (405) and it is open', 405, 'opened', 200, 200, 'POST GET PUT'],
    ...['merged', 'closed', 'locked'].map((state): [string, number, string, number, object, string] => [
      `is refused when it is ${state}`,
      ...([405, state, 200, notAllowed, 'POST GET'] as const),
    ]),
    ['is refused when it does not exist', 404, 404, 200, { status: 404, method: 'POST' }, 'POST GET'],
    ...[401, 406, 500].map((status): [string, number, string, number, object, string] => [
      `tries no other method after ${status}`,
      ...([status, 'opened', 200, { status, method: 'POST' }, 'POST'] as const),
    ]),
    [
      'is not reported as refused when the merge request cannot be read',
      ...([405, 503, 200, { kind: 'failing', endpoint: 'mergeRequests.get' }, 'POST GET GET GET GET'] as const),
    ],
    [
      'reports why PUT was refused',
      ...([405, 'opened', 401, { status: 401, method: 'PUT', missingPermission: true }, 'POST GET PUT'] as const),
    ],
    ['reports the first refusal where PUT is unknown too', 405, 'opened', 404, notAllowed, 'POST GET PUT'],
  ])('%s', async (_, post, state, put, expected, methods) => {
    service().post(cancel).reply(post, { message: 'Method Not Allowed' }).put(cancel).reply(put, {})
    const read = service().get(one).times(4)
    if (typeof state === 'string') read.reply(200, { state })
    else read.reply(state)
    const { client, lines } = makeClient()
    const call = client.mergeRequests.cancelMergeWhenPipelineSucceeds(mr)
    if (typeof expected === 'number') expect(await call).toMatchObject({ status: expected })
    else expect(await serviceError(call)).toMatchObject(expected)
    expect(lines.map(({ method }) => method).join(' ')).toBe(methods)
  })

  it.each<[string, object, number | object]>([
    [
      'an error with its status',
      { status: 'error', http_status: 406, message: 'Can’t cancel the automatic merge' },
      { kind: 'refused', status: 406, means: 'not_now', serviceMessage: 'Can’t cancel the automatic merge' },
    ],
    ['an error that says nothing else', { status: 'error' }, { kind: 'refused', status: 406, means: 'not_now' }],
    ['an error with a status of success', { status: 'error', http_status: 200 }, { kind: 'refused', status: 406 }],
    ['an error with a status of an outage', { status: 'error', http_status: 503 }, { kind: 'refused', status: 406 }],
    ['a success', { status: 'success' }, 201],
    ['a merge request', { iid: 5, state: 'opened' }, 201],
  ])('believes the body of a success: %s', async (_, body, expected) => {
    service().post(cancel).reply(201, body)
    const call = makeClient().client.mergeRequests.cancelMergeWhenPipelineSucceeds(mr)
    if (typeof expected === 'number') expect(await call).toMatchObject({ status: expected })
    else expect(await serviceError(call)).toMatchObject({ ...expected, mayHaveBeenApplied: false })
  })
  it('believes no other endpoint’s body', async () => {
    service().post(`${one}/unapprove`).reply(201, { status: 'error' })
    expect(await makeClient().client.mergeRequests.unapprove(mr)).toMatchObject({ status: 201 })
  })
})
