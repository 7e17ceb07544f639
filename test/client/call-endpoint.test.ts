// What one call does beyond its request: a path looked up where only an id is taken, and the other method where installations differ.
import { describe, expect, it } from 'vitest'
import { InvalidCallError } from '../../src/client/errors.ts'
import { invalidCall, makeClient, playService, service, serviceError } from './world.ts'

playService()

describe('an endpoint that takes the integer id alone', () => {
  const path = '/projects/group%2Fapp'

  it.each<[number | string, string]>([
    [3, '3'],
    ['3', '3'],
  ])('is called at once with %j', async (id, segment) => {
    service().get(`/projects/${segment}/merge_requests/5/approvals`).reply(200, { approvals_required: 2 })
    const { client, lines } = makeClient()
    expect((await client.mergeRequests.approvals({ id, merge_request_iid: 5 })).body.approvals_required).toBe(2)
    expect(lines).toHaveLength(1)
  })

  it('has a path looked up first', async () => {
    service().get(path).reply(200, { id: 3 })
    service().post('/projects/3/merge_requests/5/approve', { sha: 'abc' }).reply(201, { approvals_left: 0 })
    const { client } = makeClient()
    expect((await client.mergeRequests.approve({ id: 'group/app', merge_request_iid: 5, sha: 'abc' })).status).toBe(201)
  })

  it('looks the path up each time, since another project may have taken it over', async () => {
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
  const call = (world = makeClient()) => ({
    ...world,
    answer: world.client.mergeRequests.cancelMergeWhenPipelineSucceeds(mr),
  })

  it('is PUT, as the page says', async () => {
    service().put(cancel).reply(200, { iid: 5, merge_when_pipeline_succeeds: false })
    const { answer, lines } = call()
    expect((await answer).body).toMatchObject({ iid: 5 })
    expect(lines).toHaveLength(1)
  })

  it.each([404, 405])('is POST where PUT is answered %i and the merge request is still open', async (status) => {
    service()
      .put(cancel)
      .reply(status, { message: `${status}` })
    service().get(one).reply(200, { state: 'opened' })
    service().post(cancel).reply(201, { status: 'success' })
    const { answer, lines } = call()
    expect(await answer).toMatchObject({ status: 201, body: { status: 'success' } })
    expect(lines.map(({ method }) => method)).toEqual(['PUT', 'GET', 'POST'])
  })

  it.each(['merged', 'closed', 'locked'])(
    'that is answered 405 stays refused when the merge request is %s',
    async (state) => {
      service().put(cancel).reply(405, { message: 'Method Not Allowed' })
      service().get(one).reply(200, { state })
      const { answer, lines } = call()
      expect(await serviceError(answer)).toMatchObject({
        status: 405,
        method: 'PUT',
        serviceMessage: 'Method Not Allowed',
      })
      expect(lines.map(({ method }) => method)).toEqual(['PUT', 'GET'])
    },
  )

  it('that is answered 404 stays refused when there is no such merge request', async () => {
    service().put(cancel).reply(404, { message: '404 Not found' })
    service().get(one).reply(404, { message: '404 Not found' })
    expect(await serviceError(call().answer)).toMatchObject({ status: 404, method: 'PUT' })
  })

  it.each([401, 406, 500])('that is answered %i is tried no other way', async (status) => {
    service().put(cancel).reply(status)
    const { answer, lines } = call()
    expect((await serviceError(answer)).status).toBe(status)
    expect(lines).toHaveLength(1)
  })

  it('is not known to be refused when the merge request could not be read', async () => {
    service().put(cancel).reply(405)
    service().get(one).times(4).reply(503)
    expect(await serviceError(call().answer)).toMatchObject({ kind: 'failing', endpoint: 'mergeRequests.get' })
  })

  it('tells what POST was refused for', async () => {
    service().put(cancel).reply(405)
    service().get(one).reply(200, { state: 'opened' })
    service().post(cancel).reply(401, { message: '401 Unauthorized' })
    expect(await serviceError(call().answer)).toMatchObject({ status: 401, method: 'POST', missingPermission: true })
  })

  it('keeps the first refusal where POST is unknown as well', async () => {
    service().put(cancel).reply(405, { message: 'Method Not Allowed' })
    service().get(one).reply(200, { state: 'opened' })
    service().post(cancel).reply(404)
    expect(await serviceError(call().answer)).toMatchObject({ status: 405, method: 'PUT' })
  })
})

describe('calls that could do something else than was meant', () => {
  const mr = { id: 3, merge_request_iid: 5 }
  it.each<[string, string, Record<string, unknown>, string]>([
    ['labels beside add_labels', 'mergeRequests.update', { ...mr, labels: '', add_labels: 'a' }, 'add_labels'],
    ['labels beside remove_labels', 'mergeRequests.update', { ...mr, labels: 'b', remove_labels: '' }, 'remove_labels'],
    [
      'two names of one wish with two values',
      'mergeRequests.accept',
      { ...mr, merge_when_pipeline_succeeds: true, auto_merge: false },
      'auto_merge',
    ],
    ['an edit of a project without its name', 'projects.update', { id: 3, description: 'x' }, 'name'],
    ['no attribute to filter by', 'projects.list', { custom_attributes: {} }, 'custom_attributes'],
    ['a file that is none', 'projects.upload', { id: 3, file: 'text' }, 'file'],
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
