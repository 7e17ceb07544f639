// The command that runs Bellhop for a sandbox, with the settings that fit its scenario.
import { randomBytes } from 'node:crypto'
import { basename, relative } from 'node:path'
import { createClient } from '../../client/create-client.ts'
import type { Sandbox } from '../../sandbox/start-sandbox.ts'
import { known, type ScenarioPerson } from './build-scenario.ts'
import type { Scenario } from './scenario.ts'

type Person = Pick<ScenarioPerson, 'username' | 'token'>

const usualPort = '8080'
const botName = 'bellhop'

/** Lines to print: what to do, and the command, with a new admin token. */
export async function botCommand(
  service: Pick<Sandbox, 'url' | 'token'>,
  scenario: Scenario | undefined,
  people: readonly Person[],
): Promise<string[]> {
  const hook = scenario?.projects.flatMap(({ hooks }) => hooks)[0]
  const port = (hook === undefined ? '' : new URL(hook.url).port) || usualPort
  const adminToken = randomBytes(15).toString('base64url')
  const settings = {
    BELLHOP_SERVICE_URL: service.url,
    BELLHOP_SERVICE_TOKEN: await tokenOfBot(service, scenario, people),
    BELLHOP_HOOK_SECRET: hook?.token ?? 'hook-secret',
    BELLHOP_ADMIN_TOKEN: adminToken,
    ...(port === usualPort ? {} : { BELLHOP_PORT: port }),
  }
  const words = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`)
  return [
    `admin token: ${adminToken}`,
    '',
    `Run Bellhop for it in another terminal, then log in at http://127.0.0.1:${port}/admin with the admin token:`,
    `${words.join(' ')} ${commandName()} serve`,
  ]
}

/** The token of the scenario's user bellhop (a new one if the user existed before); without that user, root's. */
async function tokenOfBot(
  service: Pick<Sandbox, 'url' | 'token'>,
  scenario: Scenario | undefined,
  people: readonly Person[],
): Promise<string> {
  const built = people.find(({ username }) => username === botName)
  if (built !== undefined) return built.token
  if (scenario?.users.every(({ username }) => username !== botName) ?? true) return service.token
  const root = createClient({ baseUrl: service.url, token: service.token })
  const [user] = (await root.users.list({ username: botName })).body
  if (user === undefined) return service.token
  const scopes = ['api' as const]
  return known((await root.users.createToken({ user_id: known(user.id), name: 'sandbox', scopes })).body.token)
}

/** Quotes a word for POSIX shells. */
const quoted = (value: string) => (/^[\w:/.@%+,=-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`)

/** How this process was started: from a checkout, or as the installed command. */
function commandName(): string {
  const [, script = ''] = process.argv
  return basename(script) === 'bellhop.cjs' ? `node ${quoted(relative('', script))}` : 'bellhop'
}
