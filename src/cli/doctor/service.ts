// The hosting service as the bot meets it: does it answer, whose token is it, what may the token do, and is the clock the same (hosting-service.md §3.6).
import { askTokenScope } from '../../bot/token-scope.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { remedyFor } from '../explain/connect.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

// Signed deliveries are taken within five minutes, either way.
const clockFails = 300
const clockWarns = 30

export interface ServiceFindings {
  findings: Finding[]
  /** Who the token is; absent where that could not be found out. */
  me?: { id: number; username: string }
}

/** Sends nothing that changes anything: the scope is tried on a project that cannot be there. */
export async function examineService(client: Client, now: () => number): Promise<ServiceFindings> {
  try {
    const { body, date } = await client.users.current({})
    if (body.id === undefined || body.username === undefined)
      return { findings: [fail('service', 'It answers, but not as the API of a hosting service does.', 'Check BELLHOP_SERVICE_URL.')] }
    const who = `The token is ${body.username}’s (id ${body.id})`
    const findings = [
      body.is_admin === true
        ? warn('token', `${who}, an administrator’s.`, 'Give Bellhop a user of its own: it needs no more than Maintainer in its projects.')
        : ok('token', `${who}.`),
      await scopeOf(client),
      clockOf(date, now()),
    ]
    return { findings, me: { id: body.id, username: body.username } }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const isToken = error.status === 401 || error.status === 403
    return {
      findings: [fail(isToken ? 'token' : 'service', `${error.message}.`, remedyFor(error).trim() || 'Ask whoever runs the service.')],
    }
  }
}

async function scopeOf(client: Client): Promise<Finding> {
  const { is, reason = '' } = await askTokenScope(client)
  if (is === 'fine') return ok('scope', 'The token may write (scope api).')
  if (is === 'too narrow') return fail('scope', `The token may not write: ${reason}.`, 'Make a token with the scope api.')
  return warn('scope', `${reason}.`, 'Try again: whether the token may write is unknown.')
}

function clockOf(date: number | undefined, now: number): Finding {
  if (date === undefined) return ok('clock', 'The service does not say its time.')
  const seconds = Math.round(Math.abs(now - date) / 1000)
  const says = `This clock and the service’s are ${seconds} s apart.`
  const remedy = 'Set this machine’s clock (NTP): signed deliveries are taken within five minutes, and ages in rules follow it.'
  if (seconds > clockFails) return fail('clock', says, remedy)
  return seconds > clockWarns ? warn('clock', says, remedy) : ok('clock', says)
}
