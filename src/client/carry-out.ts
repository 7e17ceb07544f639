// Carries out one call: with the look-up of a path where only an id is taken, and the other method where installations differ (hosting-service.md §3.1).
import type { Endpoint } from '../api/endpoint.ts'
import { api } from '../api/index.ts'
import type { Answer } from './answer.ts'
import { ServiceError } from './errors.ts'
import { type PreparedRequest, prepareRequest } from './request.ts'
import { type SendOptions, send } from './send.ts'
import type { Wire } from './wire.ts'

type CallParams = Readonly<Record<string, unknown>>

/** The answer of an endpoint. Throws InvalidCallError before anything is sent, or ServiceError. */
export async function carryOut(wire: Wire, endpoint: Endpoint, params: CallParams, options: SendOptions = {}): Promise<Answer<unknown>> {
  const { signal } = options
  const checked = prepareRequest(endpoint, params)
  const isPath = endpoint.integerId === true && !/^\d+$/.test(String(params.id))
  const request = isPath ? prepareRequest(endpoint, { ...params, id: await findProjectId(wire, params.id, signal) }) : checked
  try {
    return (await send(wire, request, options)).answer
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return tryOtherMethod(wire, { request, params, refusal: error }, options)
  }
}

/** Asked anew each time: a path that was renamed may have become another project's, and an approval must not land there. */
async function findProjectId(wire: Wire, path: unknown, signal: AbortSignal | undefined): Promise<number> {
  const request = prepareRequest(api.projects.get, { id: path })
  const { answer, shownPath } = await send(wire, request, { signal })
  const { id } = answer.body as { id?: number }
  if (id !== undefined) return id
  throw new ServiceError({
    kind: 'unreadable',
    target: request.endpoint,
    path: shownPath,
    status: answer.status,
    detail: 'the answer has no id',
    mayHaveBeenApplied: false,
  })
}

interface Refused {
  request: PreparedRequest
  params: CallParams
  refusal: ServiceError
}

/** The statuses may also mean that the merge request is gone, merged or closed: only of an open one they say that the service knows no such method. */
async function tryOtherMethod(wire: Wire, { request, params, refusal }: Refused, options: SendOptions): Promise<Answer<unknown>> {
  const { otherMethod } = request.endpoint
  if (otherMethod === undefined || refusal.status === undefined || !otherMethod.after.includes(refusal.status)) throw refusal
  if (!(await isOpen(wire, params, options.signal))) throw refusal
  try {
    const other = { ...request, endpoint: { ...request.endpoint, method: otherMethod.method } }
    return (await send(wire, other, options)).answer
  } catch (error) {
    // Neither method is known: the first refusal is the one that explains.
    throw error instanceof ServiceError && error.status === 404 ? refusal : error
  }
}

async function isOpen(wire: Wire, { id, merge_request_iid }: CallParams, signal: AbortSignal | undefined): Promise<boolean> {
  const request = prepareRequest(api.mergeRequests.get, { id, merge_request_iid })
  try {
    const { state } = (await send(wire, request, { signal })).answer.body as { state?: string }
    return state === 'opened' || state === 'reopened'
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'refused') return false
    throw error
  }
}
