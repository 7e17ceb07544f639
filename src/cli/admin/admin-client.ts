// Runs operations of a running bot's admin API.

import { type Command, Option } from 'commander'
import { pathOf, type RunOperation } from '../../admin/api/route.ts'
import { routeNamed } from '../../admin/api/routes/index.ts'
import type { MemoryResponse, PastResponse } from '../../admin/api/routes/memory.ts'
import type { PastSubject } from '../../bot/backtest/backtest.ts'
import { UsageError, UserError } from '../user-error.ts'

/** Sends those of the given parameters that the operation has. Every failure is a UserError that says what to do. */
export function createAdminClient(
  { url, token }: { url: string; token: string },
  addressIn = 'BELLHOP_ADMIN_URL or --url',
): RunOperation {
  // fetch accepts only Latin-1 in headers.
  const authorization = `Bearer ${Buffer.from(token.trim()).toString('latin1')}`
  const base = url.replace(/\/+$/, '')
  async function ask(method: 'GET' | 'POST', path: string, sent?: object): Promise<Response> {
    const response = await fetch(`${base}/admin/api${path}`, {
      method,
      headers: { authorization, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      body: sent && JSON.stringify(sent),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    }).catch((error: unknown) => {
      const remedy = `is the bot running there? Set its address with ${addressIn}.`
      throw new UserError(`${base} cannot be reached: ${remedy}`, { cause: error })
    })
    if (response.ok) return response
    const body: unknown = await response.json().catch(() => undefined)
    if (response.status === 401)
      throw new UserError(
        'The admin token is missing or wrong: set BELLHOP_ADMIN_TOKEN to the one that the bot was started with.',
      )
    const cause = new Error(`${method} ${path} answered ${response.status}`)
    const message = `${errorOf(body) ?? `${base} could not do that (HTTP ${response.status}).`}${remedyFor(response.status)}`
    // A 400 is about the command's arguments.
    throw response.status === 400 ? new UsageError(message, { cause }) : new UserError(message, { cause })
  }
  return async <T>(operation: string, given: object = {}) => {
    const route = routeNamed(operation)
    const values = new Map(Object.entries(given).filter(([, value]) => value !== undefined))
    const to = pathOf(route, Object.fromEntries(values))
    const sent = Object.fromEntries([...values].filter(([name]) => name in route.input.shape))
    const response =
      route.method === 'post' ? await ask('POST', to, sent) : await ask('GET', `${to}?${new URLSearchParams(sent)}`)
    const isText =
      route.file !== undefined && response.headers.get('content-type')?.startsWith(route.file.type) === true
    const body: unknown = await (isText ? response.text() : response.json().catch(() => undefined))
    if (isText || (route.file === undefined && typeof body === 'object' && body !== null)) return body as T
    throw new UserError(`${base} does not answer like Bellhop: is another server running there?`)
  }
}

/** The sentence of the bot; undefined if something else answered. */
function errorOf(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : undefined
}

/** What to do, with a leading space. */
function remedyFor(status: number): string {
  if (status === 403) return ' Set BELLHOP_ADMIN_TOKEN to a token that has it.'
  if (status === 429) return ' Try again in a minute, with the right BELLHOP_ADMIN_TOKEN.'
  return status >= 500 ? ' Its log says why; bellhop doctor checks its settings.' : ''
}

export interface RunningBotFlags {
  bellhop?: string
  bellhopToken: string
}

export function withRunningBot(command: Command): Command {
  return command
    .option('--bellhop <url>', 'address of a running bot to ask for its memory')
    .addOption(
      new Option('--bellhop-token <token>', 'its admin token; prefer the environment')
        .env('BELLHOP_ADMIN_TOKEN')
        .default('', 'none'),
    )
}

/** Undefined without a bot. Its operations throw UserError. */
export function runningBot({ bellhop, bellhopToken }: RunningBotFlags): RunOperation | undefined {
  return bellhop === undefined ? undefined : createAdminClient({ url: bellhop, token: bellhopToken }, '--bellhop')
}

/** Ask a running bot about a merge request, an issue or (iid 0) the project. Absent without a bot; throw UserError. */
export function memoryAndPast(flags: RunningBotFlags) {
  const call = runningBot(flags)
  if (call === undefined) return {}
  const ask = <T>({ sourceProject: source_project, sourceBranch: source_branch, ...of }: PastSubject, what: string) =>
    call<T>(`show_${of.subject === 'issue' ? 'issue_' : ''}${what}`, { ...of, source_project, source_branch })
  return {
    memoryOf: (of: PastSubject) => ask<MemoryResponse>(of, 'memory'),
    pastOf: async (of: PastSubject) => (await ask<PastResponse>(of, 'past')).lastOpen ?? undefined,
  }
}
