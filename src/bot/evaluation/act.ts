// Act: sends a decision's calls in order, and records the outcome of each.
import { InvalidCallError, ServiceError } from '../../client/errors.ts'
import type { ApiResponse } from '../../client/response.ts'
import { asError, JobTakenOver } from '../../queue/errors.ts'
import { actionNamed } from '../../rules/actions/index.ts'
import { isWithdrawal } from '../../rules/engine/limits/deferred-calls.ts'
import { droppedParts } from '../../rules/engine/update-memory.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { Call, CallResponse, Decision } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { CallRefused, postToChat } from '../notifications/chats.ts'
import { resultOfError } from '../service/retry-policy.ts'
import { changeEntry } from './entry-calls.ts'
import { freezeByComment } from './freezes.ts'

export interface ActOptions {
  /** Whether the rules still lead to this call. Asked just before a call with `revalidate`, such as a merge. */
  isStillDecided: (call: Call) => Promise<boolean>
  /** Saves, before each call, the outcomes so far and its own as `ambiguous`, which a run after a crash goes on from. */
  checkpoint: (responses: readonly CallResponse[]) => Promise<unknown>
  /** Throws JobTakenOver when another run has the job. True when this may have taken long. */
  claim: () => Promise<boolean>
}

export interface ActResult {
  responses: CallResponse[]
  /** The service answered that it is merged. */
  merged?: true
  /** The branch, if it is another one than the evaluated target. */
  mergedInto?: string
  /** Why it stopped early (outage, rate limit, bad token, uncertain effect); the job is retried. */
  stopped?: { by: unknown }
}

/**
 * Stops at the first call whose state has changed (`moved`), that cannot be made now (`not_now`) or whose effect is
 * uncertain (`ambiguous`); a refused call does not stop the others. Throws JobTakenOver.
 */
export async function act(
  context: Context,
  decision: Decision,
  { isStillDecided, checkpoint, claim }: ActOptions,
): Promise<ActResult> {
  const { now, log } = context
  const responses: CallResponse[] = []
  let merge: Pick<ActResult, 'merged' | 'mergedInto'> = {}
  for (const call of decision.calls) {
    const started = now()
    let uncertain: { by: unknown } | undefined
    let sent = false
    const response = (status: number | null, result: CallResponse['result'], message?: string): CallResponse => ({
      call,
      status,
      result,
      message,
      at: new Date(started).toISOString(),
      tookMs: now() - started,
    })
    try {
      await checkpoint([...responses, response(null, 'ambiguous')])
      if (call.revalidate === true) await claim()
      const beforeRequest = async () => {
        if ((await claim()) && call.revalidate === true) throw new StaleCheckError()
        sent = true
      }
      // Last: nothing slow may come between this check and the call.
      if (call.revalidate === true && !(await isStillDecided(call))) {
        responses.push(
          response(null, 'moved', 'The merge request or its rules changed after the evaluation; nothing was sent.'),
        )
      } else {
        const { status, body } = await send(context, call, beforeRequest)
        const other = call.revalidate === true ? otherTarget(decision, body) : undefined
        if (call.revalidate === true && isMerged(body)) merge = { merged: true, mergedInto: other }
        const dropped = other === undefined ? droppedParts(call, body) : { [call.action]: sayTarget(decision, other) }
        const created = actionNamed(call.action)?.answered?.(call, body).created
        responses.push({
          ...(dropped === undefined
            ? response(status, status === 304 ? 'already' : 'done')
            : { ...response(status, 'dropped', Object.values(dropped).join('; ')), dropped }),
          created,
        })
      }
    } catch (error) {
      // The run that has the job now sees in the checkpoint that this call may have been sent.
      if (error instanceof JobTakenOver) throw error
      const result = resultOf(error, sent)
      if (result === undefined) return { responses, stopped: { by: error } }
      responses.push(
        response(error instanceof ServiceError ? (error.status ?? null) : null, result, asError(error).message),
      )
      if (result === 'ambiguous') uncertain = { by: error }
    }
    const last = responses.at(-1)
    if (last === undefined) continue
    const { action, endpoint, params, rules } = call
    const { result, status, message } = last
    log.info({ event: 'call', action, endpoint, params, rules, result, status, message }, `${action}: ${result}`)
    if (uncertain !== undefined) return { responses, stopped: uncertain }
    // A withdrawal that cannot be made now does not hold back the next one.
    if (result === 'moved' || (result === 'not_now' && !isWithdrawal(call))) break
  }
  return { responses, ...merge }
}

async function send(context: Context, call: Call, beforeRequest: () => Promise<void>): Promise<ApiResponse<unknown>> {
  switch (call.to) {
    case 'service':
      return context.client.send(call.endpoint, call.params, { noRetry: call.revalidate === true, beforeRequest })
    case 'queue':
      await changeEntry(context, call, beforeRequest)
      break
    case 'journal':
      await freezeByComment(context, call, beforeRequest)
      break
    case 'chat':
      await postToChat(context, call, beforeRequest)
  }
  return { status: 200, body: null }
}

const isMerged = (body: unknown) => isMap(body) && body.state === 'merged'

/** The target branch, if the response names another one than was evaluated: the call itself names none. */
function otherTarget({ target }: Decision, body: unknown): string | undefined {
  const named = isMap(body) ? body.target_branch : undefined
  return typeof named === 'string' && target !== undefined && named !== target ? named : undefined
}

const sayTarget = ({ target }: Decision, other: string) => `its target branch is ${other}, and ${target} was evaluated`

/** The check before a call with `revalidate` is too old: the merge request is evaluated again. */
export class StaleCheckError extends Error {
  constructor() {
    super('Reading the merge request again took too long; nothing was sent.')
  }
}

/** Undefined if the error is not about this call. An aborted call may have been applied. */
function resultOf(error: unknown, sent: boolean): CallResponse['result'] | undefined {
  if (error instanceof StaleCheckError) return 'moved'
  if (error instanceof CallRefused) return 'refused'
  if (error instanceof ServiceError) return resultOfError(error)
  return sent && !(error instanceof InvalidCallError) ? 'ambiguous' : undefined
}
