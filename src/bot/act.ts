// Act: sends a decision's calls one after the other, and says what came of each (DESIGN §2.5).
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import { InvalidCallError, ServiceError } from '../client/errors.ts'
import { asError, JobTakenOver } from '../queue/errors.ts'
import type { Answer, Call, Decision } from '../rules/types.ts'
import { answerOf } from './outcome.ts'

export interface ActOptions {
  client: Pick<Client, 'send'>
  /** True when the very same call would still be made of the state as it is now; asked just before a bound call. */
  stillHolds: (call: Call) => Promise<boolean>
  /** Keeps what came of the calls so far; of the next one, before it is sent, as if its answer were lost already. */
  checkpoint: (answers: readonly Answer[]) => Promise<unknown>
  /** Throws JobTakenOver when another run has the job; asked right before each request. True when that may have taken long. */
  claim: () => Promise<boolean>
  now: () => number
  log: Logger
}

export interface Acted {
  answers: Answer[]
  /** What kept it from going on (an outage, a limit, a bad token, an uncertain effect): the job is tried again by it. What was done is in `answers` all the same. */
  stopped?: { by: unknown }
}

/**
 * Sends the calls in order. Stops at the first whose judged state is gone (`moved`), that cannot be done now (`not now`), or whose
 * effect is uncertain (`ambiguous`): what is true then is for the next decision to see. A refused call does not stop the others.
 * Throws JobTakenOver, and then has sent and kept nothing since.
 */
export async function act(decision: Decision, { client, stillHolds, checkpoint, claim, now, log }: ActOptions): Promise<Acted> {
  const answers: Answer[] = []
  for (const call of decision.calls) {
    const started = now()
    let uncertain: { by: unknown } | undefined
    let sent = false
    const answer = (status: number | null, result: Answer['result'], message?: string): Answer => ({
      call,
      status,
      result,
      ...(message === undefined ? {} : { message }),
      at: new Date(started).toISOString(),
      tookMs: now() - started,
    })
    try {
      await checkpoint([...answers, answer(null, 'ambiguous')])
      if (call.bound === true) await claim()
      const before = async () => {
        if ((await claim()) && call.bound === true) throw new ReadTooLongAgo()
        sent = true
      }
      // Last of all: nothing that may take its time comes between this reading and the call.
      if (call.bound === true && !(await stillHolds(call))) {
        answers.push(answer(null, 'moved', 'What was judged has changed; nothing was sent.'))
      } else {
        const { status } = await client.send(call.endpoint, call.params, { once: call.bound === true, before })
        answers.push(answer(status, status === 304 ? 'already' : 'done'))
      }
    } catch (error) {
      // Whoever has the job now knows from what was kept that this call may have been sent.
      if (error instanceof JobTakenOver) throw error
      const result = meaningOf(error, sent)
      if (result === undefined) return { answers, stopped: { by: error } }
      answers.push(answer(error instanceof ServiceError ? (error.status ?? null) : null, result, asError(error).message))
      if (result === 'ambiguous') uncertain = { by: error }
    }
    const last = answers.at(-1)
    if (last === undefined) continue
    await checkpoint(answers)
    log.info(
      {
        event: 'call',
        action: call.action,
        endpoint: call.endpoint,
        params: call.params,
        rules: call.rules,
        result: last.result,
        status: last.status,
        message: last.message,
      },
      `${call.action}: ${last.result}`,
    )
    if (uncertain !== undefined) return { answers, stopped: uncertain }
    if (last.result === 'moved' || last.result === 'not now') break
  }
  return { answers }
}

/** A bound call is not sent on a reading that may be old by now: it is judged anew. */
class ReadTooLongAgo extends Error {
  constructor() {
    super('It took too long to read again what was judged; nothing was sent.')
  }
}

/** Undefined where the error is not about this call. What broke off in the middle, whatever it was, may have been done. */
function meaningOf(error: unknown, sent: boolean): Answer['result'] | undefined {
  if (error instanceof ReadTooLongAgo) return 'moved'
  if (error instanceof ServiceError) return answerOf(error)
  return sent && !(error instanceof InvalidCallError) ? 'ambiguous' : undefined
}
