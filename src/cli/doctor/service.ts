// Checks the hosting service: reachable, token, scope, expiry date, clock.
import { askTokenExpiry, askTokenScope, daysLeft } from '../../bot/service/bot-token.ts'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import { count } from '../../rules/language/values/wording.ts'
import { remedyFor } from '../service/connect.ts'
import { type Finding, findingsOf } from './finding.ts'

const [service, token, scope] = [findingsOf('service'), findingsOf('token'), findingsOf('scope')]
const [expiry, clock] = [findingsOf('expiry'), findingsOf('clock')]

// Signatures are valid for five minutes.
const clockFails = 300
const clockWarns = 30

/** Changes nothing: tests the scope on a project that cannot exist. `me`: the token user's id; absent if unknown. */
export async function examineService(client: Client): Promise<{ findings: Finding[]; me?: number }> {
  try {
    const { body, date } = await client.users.current({})
    const strange = 'It answers, but not like the API of a hosting service.'
    if (body.id === undefined || body.username === undefined)
      return { findings: [service.fail(strange, 'Check BELLHOP_SERVICE_URL.')] }
    const who = `The token is ${body.username}’s (id ${body.id})`
    const findings = [
      body.is_admin === true
        ? token.warn(`${who}, an administrator.`, 'Create a user for Bellhop: Maintainer in its projects is enough.')
        : token.ok(`${who}.`),
      await scopeOf(client),
      await expiryOf(client, Date.now()),
      clockOf(date, Date.now()),
    ]
    return { findings, me: body.id }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { fail } = error.status === 401 || error.status === 403 ? token : service
    const remedy = remedyFor(error).trim() || 'Ask the service’s administrators.'
    return { findings: [fail(`${error.message}.`, remedy)] }
  }
}

async function scopeOf(client: Client): Promise<Finding> {
  const { is, reason = '' } = await askTokenScope(client)
  if (is === 'fine') return scope.ok('The token may write (scope api).')
  if (is === 'too_narrow') return scope.fail(`The token may not write: ${reason}.`, 'Make a token with the scope api.')
  return scope.warn(`${reason}.`, 'Unknown whether the token may write: try again.')
}

/** An unknown date is no problem: the service may not tell it. */
async function expiryOf(client: Client, now: number): Promise<Finding> {
  const answer = await askTokenExpiry(client)
  if (answer.is === 'never') return expiry.ok('The token does not expire.')
  if (answer.is === 'unknown')
    return expiry.ok(`Unknown when the token expires: the service does not tell it (${answer.reason}).`)
  const left = daysLeft(answer, now)
  const message = `The token expires on ${answer.date} (UTC), in ${count(Math.ceil(left), 'day')}.`
  const remedy = 'Run bellhop token rotate, or make a new token at the service.'
  if (left <= 1) return expiry.fail(message, remedy)
  return left <= 30 ? expiry.warn(message, remedy) : expiry.ok(message)
}

function clockOf(date: number | undefined, now: number): Finding {
  if (date === undefined) return clock.ok('The service sends no time.')
  const seconds = Math.round(Math.abs(now - date) / 1000)
  const message = `This clock and the service’s are ${seconds} s apart.`
  const remedy =
    'Set this machine’s clock (NTP): signatures are valid for five minutes, and ages in rules depend on it.'
  if (seconds > clockFails) return clock.fail(message, remedy)
  return seconds > clockWarns ? clock.warn(message, remedy) : clock.ok(message)
}
