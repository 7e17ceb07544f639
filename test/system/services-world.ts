// Two hosting services and one bot for both: on each a project of the same id, with a hook of its own; the bot's user and who pushes have the same ids as well.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clone, cloneProject, type DemoPerson } from '../../src/cli/demo/git-work.ts'
import { createLog } from '../../src/cli/output/log.ts'
import { type Bellhop, startBellhop } from '../../src/cli/server/start-bellhop.ts'
import { configOfEach } from '../../src/cli/services/config-of-each.ts'
import { readConfig } from '../../src/cli/settings/config.ts'
import { serviceToken } from '../../src/cli/settings/token-file.ts'
import { type Client, createClient } from '../../src/client/create-client.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { journalSettings } from '../bot-journal.ts'
import { prepareDatabase } from '../prepared-database.ts'

export const adminToken = 'admin-token-of-this-test'

/** One of the two. */
export interface Served {
  name: string
  sandbox: Sandbox
  root: Client
  /** The bot's. */
  tokenFile: string
  token: string
  hookSecret: string
  project: number
  alice: DemoPerson
  clone: Clone
  openMergeRequest(branch: string): Promise<number>
  labels(iid: number): Promise<string[] | undefined>
}

export interface ServicesWorld {
  bellhop: Bellhop
  one: Served
  two: Served
  settle(): Promise<void>
  /** Answers of the admin API. */
  ask(path: string, init?: RequestInit): Promise<{ status: number; body: unknown }>
  end(): Promise<void>
}

/** The rules of each label with its name. */
export async function startServicesWorld(queueUrl: string | undefined): Promise<ServicesWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-services-'))
  const [one, two] = [await serve('one', folder), await serve('two', folder)]
  const file = join(folder, 'services.yml')
  const entries = [one, two].map(
    ({ name, sandbox, tokenFile }) =>
      `  - { name: ${name}, url: "${sandbox.url}", token: { file: ${tokenFile} }, hook_secret: { file: ${join(folder, name, 'secret')} }, rules: ${join(folder, name, 'rules')} }\n`,
  )
  await writeFile(file, `version: 1\nservices:\n${entries.join('')}`)
  const read = readConfig(
    {
      ...{
        BELLHOP_SERVICES: file,
        BELLHOP_PORT: '0',
        BELLHOP_SWEEP_EVERY: '0',
        BELLHOP_NEW_RULE_LIMIT: '0',
        BELLHOP_ADMIN_TOKEN: adminToken,
      },
      BELLHOP_QUEUE_URL: queueUrl ?? `embedded:${await prepareDatabase(join(folder, 'queue'))}`,
      ...(await journalSettings(queueUrl)),
    },
    {},
  )
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const hearer = { onChange: () => undefined, onProblem: () => undefined }
  const services = (await configOfEach(read.config, {})).map((config) => ({
    config,
    token: serviceToken(config, hearer),
  }))
  const log = createLog({ level: 'warn', secrets: [], write: () => undefined })
  const retryDelays = { outageMs: 200, badTokenMs: 200, callMs: 400 }
  const bellhop = await startBellhop(read.config, { log, services, retryDelays })
  for (const { name, root, project, hookSecret } of [one, two])
    await root.projects.hooks.create({
      ...{
        id: project,
        url: `${bellhop.url}/hooks/${name}`,
        token: hookSecret,
        merge_requests_events: true,
        push_events: false,
      },
    })
  const idle = () => Promise.all([one, two].map(({ sandbox }) => sandbox.idle()))
  return {
    ...{ bellhop, one, two },
    async settle() {
      // An action of the bot's raises a hook of its own.
      for (let turn = 0; turn < 3; turn += 1) {
        await idle()
        for (const bot of bellhop.bots.values()) await bot.settled()
      }
    },
    async ask(path, init = {}) {
      const response = await fetch(`${bellhop.url}/admin/api${path}`, {
        headers: { authorization: `Bearer ${adminToken}` },
        ...init,
      })
      return { status: response.status, body: await response.json() }
    },
    async end() {
      await idle()
      await bellhop.stop()
      await Promise.all([one, two].map(({ sandbox }) => sandbox.close()))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function serve(name: string, folder: string): Promise<Served> {
  const own = join(folder, name)
  await mkdir(join(own, 'rules'), { recursive: true })
  const rule = `version: 1\nrules:\n  - { name: label, if: { state: opened }, then: { label: { add: ${name} } } }\n`
  const [rootToken, hookSecret] = [`root-token-of-${name}`, `hook-secret-of-${name}`]
  const sandbox = await startSandbox({ rootToken, folder: join(own, 'sandbox') })
  const root = createClient({ baseUrl: sandbox.url, token: rootToken })
  const person = async (username: string) => {
    const { id = 0 } = (await root.users.create({ username, name: username, email: `${username}@example.com` })).body
    const { token = '' } = (await root.users.createToken({ user_id: id, name: 'test', scopes: ['api'] })).body
    return { id, username, token }
  }
  const [bot, alice] = [await person('bellhop'), await person('alice')]
  const { id: project = 0, http_url_to_repo: url = '' } = (await root.projects.create({ name: 'App', path: 'app' }))
    .body
  for (const { id } of [bot, alice]) await root.projects.members.add({ id: project, user_id: id, access_level: 40 })
  const tokenFile = join(own, 'token')
  await Promise.all([
    writeFile(join(own, 'rules', 'label.yml'), rule),
    writeFile(tokenFile, bot.token),
    writeFile(join(own, 'secret'), hookSecret),
  ])
  const clone = await cloneProject(url, join(own, 'clone'), alice)
  await clone.push({ as: alice, branch: 'master', files: { 'README.md': '# App\n' }, message: 'Begin' })
  const author = createClient({ baseUrl: sandbox.url, token: alice.token })
  return {
    ...{ name, sandbox, root, tokenFile, token: bot.token, hookSecret, project, alice, clone },
    async openMergeRequest(branch) {
      await clone.push({
        as: alice,
        branch,
        from: 'master',
        files: { [`${branch}.md`]: `${branch}\n` },
        message: branch,
      })
      const made = await author.mergeRequests.create({
        id: project,
        source_branch: branch,
        target_branch: 'master',
        title: branch,
      })
      return made.body.iid ?? 0
    },
    labels: async (iid) => (await root.mergeRequests.get({ id: project, merge_request_iid: iid })).body.labels,
  }
}
