// A call looks up a path where only an id is taken, and tries the other method where installations differ.
import { describe, expect, it } from 'vitest'
import { InvalidCallError } from '../../src/client/errors.ts'
import { invalidCall, makeClient, playService, service, serviceError } from './world.ts'

playService()

describe('an endpoint that takes the integer id alone', () => {
  const path = '/projects/group%2Fapp'

  it.each([3, '3'])('is called at once with %j', async (id) => {
    service().get('/projects/3/merge_requests/5/approvals').reply(200, { approvals_required: 2 })
    const { client, lines } = makeClient()
    expect((await client.mergeRequests.approvals({ id, merge_request_iid: 5 })).body.approvals_required).toBe(2)
    expect(lines).toHaveLength(1)
  })

  it('looks the path up for each call, since another project may have taken it over', async () => {
    service().get(path).reply(200, { id: 3 }).get(path).reply(200, { id: 4 })
    service().post('/projects/3/merge_requests/5/unapprove').reply(201, {})
    service().post('/projects/4/merge_requests/5/unapprove').reply(201, {})
    const { client, lines } = makeClient()
    await client.mergeRequests.unapprove({ id: 'group/app', merge_request_iid: 5 })
    await client.mergeRequests.unapprove({ id: 'group/app', merge_request_iid: 5 })
    expect(lines.map((line) => line.path).filter((each) => each.endsWith('unapprove'))).toEqual([
      '/projects/3/merge_requests/5/unapprove',
      '/projects/4/merge_requests/5/unapprove',
    ])
  })

  it.each<[string, number, unknown, object]>([
    ['there is no such project', 404, { message: '404 Project Not Found' }, { kind: 'refused', status: 404 }],
    ['the project was renamed', 301, 'moved', { kind: 'redirected', status: 301 }],
    ['the answer names no id', 200, { id: 'three' }, { kind: 'unreadable', status: 200 }],
  ])('is not called when %s', async (_, status, body, facts) => {
    service().get(path).reply(status, JSON.stringify(body))
    const { client, lines } = makeClient()
    const error = await serviceError(client.mergeRequests.approve({ id: 'group/app', merge_request_iid: 5 }))
    expect(error).toMatchObject({ ...facts, endpoint: 'projects.get', mayHaveBeenApplied: false })
    expect(lines).toHaveLength(1)
  })

  it('looks nothing up for a wrong call', async () => {
    const { client, lines } = makeClient()
    await invalidCall(client.send('mergeRequests.approve', { id: 'group/app', merge_request_iid: 'five' }))
    expect(lines).toEqual([])
  })
})

describe('a versions endpoint', () => {
  it.each([3, 'group/app'])('takes %j as the text of its path, without a look-up', async (id) => {
    service()
      .get(`/projects/${encodeURIComponent(id)}/merge_requests/5/versions`)
      .reply(200, [{ id: 1, real_size: '3' }])
    const { client } = makeClient()
    expect((await client.mergeRequests.versions.list({ id, merge_request_iid: 5 })).body).toEqual([
      { id: 1, real_size: '3' },
    ])
  })
})

describe('cancelling a pending merge', () => {
  const mr = { id: 3, merge_request_iid: 5 }
  const one = '/projects/3/merge_requests/5'
  const cancel = `${one}/cancel_merge_when_pipeline_succeeds`
  const notAllowed = { status: 405, method: 'PUT', serviceMessage: 'Method Not Allowed' }

  /** What PUT, the merge request and POST answer; then the status or the error of the call, and the requests. */
  it.each<[string, number, number | string, number, number | object, string]>([
    ['is PUT, as api-v4.md says', 200, 'opened', 201, 200, 'PUT'],
    ['is POST where PUT is unknown (404) and it is open', 404, 'opened', 201, 201, 'PUT GET POST'],
    ['is POST where PUT is unknown (405) and it is open', 405, 'opened', 201, 201, 'PUT GET POST'],
    ...['merged', 'closed', 'locked'].map((state): [string, number, string, number, object, string] => [
      `is refused when it is ${state}`,
      ...([405, state, 201, notAllowed, 'PUT GET'] as const),
    ]),
    ['is refused when it does not exist', 404, 404, 201, { status: 404, method: 'PUT' }, 'PUT GET'],
    ...[401, 406, 500].map((status): [string, number, string, number, object, string] => [
      `tries no other method after ${status}`,
      ...([status, 'opened', 201, { status, method: 'PUT' }, 'PUT'] as const),
    ]),
    [
      'is not reported as refused when the merge request cannot be read',
      ...([405, 503, 201, { kind: 'failing', endpoint: 'mergeRequests.get' }, 'PUT GET GET GET GET'] as const),
    ],
    [
      'reports why POST was refused',
      ...([405, 'opened', 401, { status: 401, method: 'POST', missingPermission: true }, 'PUT GET POST'] as const),
    ],
    ['reports the first refusal where POST is unknown too', 405, 'opened', 404, notAllowed, 'PUT GET POST'],
  ])('%s', async (_, put, state, post, expected, methods) => {
    service().put(cancel).reply(put, { message: 'Method Not Allowed' }).post(cancel).reply(post, {})
    const read = service().get(one).times(4)
    if (typeof state === 'string') read.reply(200, { state })
    else read.reply(state)
    const { client, lines } = makeClient()
    const call = client.mergeRequests.cancelMergeWhenPipelineSucceeds(mr)
    if (typeof expected === 'number') expect(await call).toMatchObject({ status: expected })
    else expect(await serviceError(call)).toMatchObject(expected)
    expect(lines.map(({ method }) => method).join(' ')).toBe(methods)
  })
})

describe('calls that could do something else than was meant', () => {
  const mr = { id: 3, merge_request_iid: 5 }
  it.each<[string, string, Record<string, unknown>, string]>([
    ['labels with add_labels', 'mergeRequests.update', { ...mr, labels: '', add_labels: 'a' }, 'add_labels'],
    ['labels with remove_labels', 'mergeRequests.update', { ...mr, labels: 'b', remove_labels: '' }, 'remove_labels'],
    [
      'two names of one parameter with two values',
      'mergeRequests.accept',
      { ...mr, merge_when_pipeline_succeeds: true, auto_merge: false },
      'auto_merge',
    ],
    ['an edit of a project without its name', 'projects.update', { id: 3, description: 'x' }, 'name'],
    ['no attribute to filter by', 'projects.list', { custom_attributes: {} }, 'custom_attributes'],
    ['a text instead of a file', 'projects.upload', { id: 3, file: 'text' }, 'file'],
  ])('are not sent: %s', async (_, name, params, at) => {
    const { client, lines } = makeClient()
    const error = await invalidCall(client.send(name, params))
    expect(error).toBeInstanceOf(InvalidCallError)
    expect(error.problems.map((each) => each.at)).toEqual([at])
    expect(lines).toEqual([])
  })

  it('are sent when they only add and remove labels', async () => {
    service().put('/projects/3/merge_requests/5', { add_labels: 'a', remove_labels: 'b' }).reply(200, {})
    expect(
      (await makeClient().client.mergeRequests.update({ ...mr, add_labels: 'a', remove_labels: 'b' })).status,
    ).toBe(200)
  })
})
