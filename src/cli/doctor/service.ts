// Checks the hosting service: reachable, token, scope, expiry date, clock.
import { askTokenExpiry, askTokenScope, daysLeft } from '../../bot/service/bot-token.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { count } from '../../rules/language/values/wording.ts'
import { remedyFor } from '../service/connect.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

// Signatures are valid for five minutes.
const clockFails = 300
const clockWarns = 30

/** Changes nothing: the scope is tested on a project that cannot exist. `me`: the token's user; absent if unknown. */
export async function examineService(
  client: Client,
  now: () => number,
): Promise<{ findings: Finding[]; me?: { id: number; username: string } }> {
  try {
    const { body, date } = await client.users.current({})
    if (body.id === undefined || body.username === undefined)
      return {
        findings: [
          fail('service', 'It answers, but not like the API of a hosting service.', 'Check BELLHOP_SERVICE_URL.'),
        ],
      }
    const who = `The token is ${body.username}’s (id ${body.id})`
    const findings = [
      body.is_admin === true
        ? warn('token', `${who}, an administrator.`, 'Create a user for Bellhop: Maintainer in its projects is enough.')
        : ok('token', `${who}.`),
      await scopeOf(client),
      await expiryOf(client, now()),
      clockOf(date, now()),
    ]
    return { findings, me: { id: body.id, username: body.username } }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const isToken = error.status === 401 || error.status === 403
    return {
      findings: [
        fail(
          isToken ? 'token' : 'service',
          `${error.message}.`,
          remedyFor(error).trim() || 'Ask the service’s administrators.',
        ),
      ],
    }
  }
}

async function scopeOf(client: Client): Promise<Finding> {
  const { is, reason = '' } = await askTokenScope(client)
  if (is === 'fine') return ok('scope', 'The token may write (scope api).')
  if (is === 'too_narrow')
    return fail('scope', `The token may not write: ${reason}.`, 'Make a token with the scope api.')
  return warn('scope', `${reason}.`, 'Unknown whether the token may write: try again.')
}

/** An unknown date is no problem: the service may not tell it. */
async function expiryOf(client: Client, now: number): Promise<Finding> {
  const expiry = await askTokenExpiry(client)
  if (expiry.is === 'never') return ok('expiry', 'The token does not expire.')
  if (expiry.is === 'unknown')
    return ok('expiry', `Unknown when the token expires: the service does not tell it (${expiry.reason}).`)
  const left = daysLeft(expiry, now)
  const message = `The token expires on ${expiry.date} (UTC), in ${count(Math.ceil(left), 'day')}.`
  const remedy = 'Run bellhop token rotate, or make a new token at the service.'
  if (left <= 1) return fail('expiry', message, remedy)
  return left <= 30 ? warn('expiry', message, remedy) : ok('expiry', message)
}

function clockOf(date: number | undefined, now: number): Finding {
  if (date === undefined) return ok('clock', 'The service sends no time.')
  const seconds = Math.round(Math.abs(now - date) / 1000)
  const message = `This clock and the service’s are ${seconds} s apart.`
  const remedy =
    'Set this machine’s clock (NTP): signatures are valid for five minutes, and ages in rules depend on it.'
  if (seconds > clockFails) return fail('clock', message, remedy)
  return seconds > clockWarns ? warn('clock', message, remedy) : ok('clock', message)
}
