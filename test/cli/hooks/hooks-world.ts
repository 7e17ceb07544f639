// A company in a sandbox for hook commands: nested groups with rules, and one where the bot is only a developer.
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { isAuthentic, projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
import { listening } from '../../listening.ts'
import type { OwnAuthority } from '../../servers/own-authority.ts'
import { bellhopHere } from '../run-here.ts'
import { startScenario } from '../scenario-service.ts'

export const KEY = 'a-master-key-of-thirty-two-characters'
export const OLD_KEY = 'the-master-key-of-all-those-years-ago'
export const BASE = 'http://127.0.0.1:1'

const merging = `
        version: 1
        rules: [{ name: merge, if: { author: alice }, then: { accept: true } }]`
const releasing = `
        version: 1
        rules: [{ name: tell, on: [issue.open, tag_push], then: { notify: { to: team, text: Hello } } }]`

const text = `
version: 1
users: [{ username: alice }, { username: bellhop, bot: true }]
groups:
  - { path: hotel, members: { bellhop: maintainer } }
  - { path: hotel/kitchen }
  - { path: hotel/kitchen/cold }
  - { path: empty, members: { bellhop: maintainer } }
  - { path: shut, members: { bellhop: developer } }
  - { path: inn, members: { bellhop: maintainer } }
projects:
  - path: hotel/app
    files:
      .bellhop.yml: |${merging}
  - path: hotel/broken
    files: { .bellhop.yml: "version: 1\\nrules: 7\\n" }
  - path: hotel/kitchen/cold/ice
    files:
      .bellhop.yml: |${releasing}
  - { path: hotel/plain, files: { README.md: hello } }
  - { path: shut/door, files: { README.md: hello } }
  - { path: inn/one }
  - { path: inn/two }
  - { path: inn/three }
  - { path: inn/four }
  - { path: inn/five }
  - { path: inn/six }
  - { path: inn/seven }
  - { path: inn/full }
`

/** One for all tests of a file: it is there when the first begins. */
export function useCompany() {
  const company = {} as Awaited<ReturnType<typeof openCompany>>
  beforeAll(async () => {
    Object.assign(company, await openCompany())
    return () => company.close()
  })
  return company
}

async function openCompany() {
  const service = await startScenario({ text }, { disableFailingHooks: true })
  const environment = {
    ...service.environment,
    BELLHOP_URL: BASE,
    BELLHOP_HOOK_MASTER_KEY: KEY,
    BELLHOP_RULES: '/nowhere',
  }
  const { root } = service
  return {
    ...service,
    environment,
    run: (args: string[], other: Record<string, string> = {}) =>
      bellhopHere(['hooks', ...args], { ...environment, ...other }),
    async runJson(args: string[], other: Record<string, string> = {}) {
      const ran = await bellhopHere(['hooks', ...args, '--format', 'json'], { ...environment, ...other })
      return { ...ran, json: JSON.parse(ran.out) }
    },
    async push(path: string, file: string): Promise<void> {
      const actions = [{ action: 'create' as const, file_path: file, content: 'x' }]
      await root.repository.commits.create({ id: path, branch: 'master', commit_message: 'x', actions })
      await service.sandbox.idle()
    },
    hooksOf: async (path: string) => (await root.projects.hooks.list({ id: path })).body,
    projectId: async (path: string) => (await root.projects.get({ id: path })).body.id as number,
  }
}

/** A webhook receiver, with `tls` over TLS: 202 for deliveries with a secret of one of these master keys, else 401. */
export async function openReceiver(keys: string[], tls?: Pick<OwnAuthority, 'key' | 'cert'>) {
  const answer: RequestListener = async (request, response) => {
    const body = await buffer(request)
    const project = Number(/^\/hooks\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0)
    const given = { headers: request.headers, body, now: Date.now() }
    response.writeHead(isAuthentic(given, projectSecrets(keys, project)) ? 202 : 401).end()
  }
  const server = tls === undefined ? createServer(answer) : createSecureServer({ key: tls.key, cert: tls.cert }, answer)
  return {
    url: await listening(server, tls === undefined ? 'http' : 'https'),
    keys,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
