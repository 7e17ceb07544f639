// The soak's hosting service: a sandbox with people, projects and their hooks.
import { randomBytes } from 'node:crypto'
import { projectSecrets } from '../src/bot/webhook/hook-secrets.ts'
import { type Client, createClient } from '../src/client/create-client.ts'
import { type Sandbox, startSandbox } from '../src/sandbox/start-sandbox.ts'
import { createQueuedWork, type QueuedWork, queuedRules } from './queued.ts'
import type { Random } from './random.ts'
import type { Recorder } from './recorder.ts'
import { soakRules } from './rules.ts'
import { type Person, people } from './schedule.ts'

export interface Service {
  sandbox: Sandbox
  /** Ids, in the order of the schedule. */
  projects: number[]
  /** The projects with merge queues. */
  queued: QueuedWork[]
  as: Record<Person, Client>
  botToken: string
  /** Every secret in it. */
  secrets: string[]
}

export interface ServiceOptions {
  folder: string
  projects: number
  hookUrl: string
  hooks: { secret: string; masterKey: string }
  recorder: Recorder
  random: Random
}

// People wait: a machine that has much to do is no fault of the service.
const patienceMs = 120_000

export const newSecret = () => randomBytes(24).toString('hex')

const known = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the sandbox left out a field that it must answer')
  return value
}

/** Starts it; every project has the soak's rules on its default branch. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { folder, recorder, random } = options
  const rootToken = newSecret()
  const sandbox = await startSandbox({ rootToken, folder, gate: recorder.gate, random: random.next })
  const root = createClient({ baseUrl: sandbox.url, token: rootToken })
  const group = known((await root.groups.create({ name: 'Hotel', path: 'hotel' })).body.id)

  async function person(username: string, access_level: 30 | 40, bot: boolean) {
    const id = known(
      (await root.users.create({ username, name: username, email: `${username}@example.com`, bot })).body.id,
    )
    await root.groups.members.add({ id: group, user_id: id, access_level })
    const token = known((await root.users.createToken({ user_id: id, name: 'soak', scopes: ['api'] })).body.token)
    return { id, token, client: createClient({ baseUrl: sandbox.url, token, timeoutMs: patienceMs }) }
  }
  const bot = await person('bellhop', 40, true)
  const alice = await person('alice', people.alice.access, false)
  const bob = await person('bob', people.bob.access, false)
  const renovate = await person('renovate', people.renovate.access, true)
  await recorder.follow(sandbox, { id: bot.id, username: 'bellhop' })

  const secrets = [
    rootToken,
    bot.token,
    alice.token,
    bob.token,
    renovate.token,
    options.hooks.secret,
    options.hooks.masterKey,
  ]
  /** Projects take turns: the secret of all, and a signing token of their own. */
  function hookOf(number: number, id: number) {
    const { hookUrl, hooks } = options
    if (number % 2 === 0) return { url: `${hookUrl}/hooks`, token: hooks.secret }
    const signing_token = known(projectSecrets([hooks.masterKey], id).signing[0])
    secrets.push(signing_token)
    return { url: `${hookUrl}/hooks/${id}`, signing_token }
  }

  /** With rules on its default branch. Work begins at `base`, which never moves: what differs is what was pushed. */
  async function addProject(number: number, rules: string): Promise<number> {
    const id = known(
      (await root.projects.create({ name: `App ${number}`, path: `app-${number}`, namespace_id: group })).body.id,
    )
    await bob.client.repository.commits.create({
      id,
      branch: 'master',
      commit_message: 'Begin, with the rules of Bellhop',
      actions: [{ action: 'create', file_path: '.bellhop.yml', content: rules }],
    })
    for (const branch of ['base', 'stable']) await bob.client.repository.branches.create({ id, branch, ref: 'master' })
    await root.projects.hooks.create({
      id,
      ...hookOf(number, id),
      push_events: true,
      tag_push_events: true,
      merge_requests_events: true,
      pipeline_events: true,
      note_events: true,
    })
    return id
  }

  const projects: number[] = []
  for (let number = 0; number < options.projects; number += 1) projects.push(await addProject(number, soakRules))
  const queued: QueuedWork[] = []
  for (const land of ['accept', 'push'] as const) {
    const project = await addProject(options.projects + queued.length, queuedRules(land))
    recorder.ignore(project)
    queued.push(await createQueuedWork({ sandbox, project, land, person: bob.client, bot: 'bellhop', random }))
  }
  return {
    sandbox,
    projects,
    queued,
    as: { alice: alice.client, bob: bob.client, renovate: renovate.client },
    botToken: bot.token,
    secrets,
  }
}
