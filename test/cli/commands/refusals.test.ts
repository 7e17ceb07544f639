// What doctor and the commands about hooks meet at the service: one clear line each, with what to do, and exit code 1. Others are in the tests of each command.
import { rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasOpenssl, makeAuthority } from '../../own-authority.ts'
import { openCompany } from '../hooks/hooks-world.ts'
import { bellhopHere } from '../run-here.ts'

let company: Awaited<ReturnType<typeof openCompany>>
let mayRead: string
beforeAll(async () => {
  company = await openCompany()
  const { root } = company
  const me = (await root.users.list({ username: 'bellhop' })).body[0]?.id as number
  mayRead = (await root.users.createToken({ user_id: me, name: 'weak', scopes: ['read_api'] })).body.token as string
})
afterAll(() => company.close())

/** The one line that says it, and the remedy that stands below it in what doctor prints. */
async function refusal(args: readonly string[], settings: Record<string, string>, message: RegExp) {
  const { code, out, err } = await bellhopHere(args, { ...company.environment, ...settings })
  const text = `${out}${err}`
  expect(text).not.toMatch(/^\s+at /m)
  return {
    code,
    lines: text
      .replaceAll(/\n +→ /g, ' → ')
      .split('\n')
      .filter((line) => message.test(line)).length,
  }
}

const commands = {
  install: ['hooks', 'install', '--all-events'],
  status: ['hooks', 'status', '--all-events'],
  doctor: ['doctor'],
} as const
type Case = [string, keyof typeof commands, string, () => Record<string, string>, RegExp]

const narrow = () => ({ BELLHOP_SERVICE_TOKEN: mayRead })

test.each<Case>([
  [
    'an expired token',
    'doctor',
    'inn/one',
    () => ({ BELLHOP_SERVICE_TOKEN: 'expired' }),
    /401.*Is BELLHOP_SERVICE_TOKEN right\? It may have expired\./,
  ],
  [
    'a token that may only read',
    'install',
    'inn/two',
    narrow,
    /403.*insufficient_scope.*needs the scope api: make a new one\./,
  ],
  ['a token that may only read', 'doctor', 'inn/two', narrow, /insufficient_scope.*Make a token with the scope api\./],
  ['a project without permission', 'doctor', 'shut/door', () => ({}), /403.*Hooks are for Maintainers:/],
])('%s, met by %s of %s, is one line that says what to do', async (_what, command, name, settings, message) => {
  expect(await refusal([...commands[command], name], settings(), message)).toEqual({ code: 1, lines: 1 })
})

test.skipIf(!hasOpenssl)(
  'a certificate of one’s own authority is one line that says what to do (needs openssl)',
  async () => {
    const own = makeAuthority()
    const server = createServer({ key: own.key, cert: own.cert })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const settings = { BELLHOP_SERVICE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }
      for (const command of Object.values(commands))
        expect(
          await refusal([...command, 'inn/one'], settings, /certificate.*set BELLHOP_CA_FILE to its certificate\./),
        ).toEqual({ code: 1, lines: 1 })
    } finally {
      server.close()
      rmSync(own.folder, { recursive: true })
    }
  },
)
