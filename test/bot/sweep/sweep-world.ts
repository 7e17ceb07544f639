// A hosting service that nock plays, with merge requests that sweeps list, and what Bellhop remembers of them.
import { randomUUID } from 'node:crypto'
import nock from 'nock'
import type { Context } from '../../../src/bot/context.ts'
import type { RuleFiles, RulesInForce } from '../../../src/bot/rule-files/rules-in-force.ts'
import { sweepAll } from '../../../src/bot/sweep/sweep.ts'
import type { DecisionRecord } from '../../../src/journal/types.ts'
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'
import type { RuleTrace } from '../../../src/rules/types.ts'
import { HOST, makeClient } from '../../client/world.ts'
import { type RenewableStores, rulesOfVersion, testQueues } from '../stores.ts'
import { testContext } from '../test-context.ts'

export interface Played {
  iid: number
  /** Seconds after the beginning of the world. */
  at: number
  state?: 'opened' | 'closed' | 'merged'
}

export interface PlayedProject {
  entries: Played[]
  issues?: Played[]
  /** Instead of the list of issues. */
  issueStatus?: number
  /** Instead of the list of merge requests. */
  mergeRequestStatus?: number
  /** What the service does not understand. */
  ignores?: ('order_by' | 'state' | 'page')[]
  /** What the service's clock says, in seconds after the beginning of the world; absent: nothing. */
  clock?: number
  /** Instead of a list. */
  status?: number
  /** Called after each page that was answered. */
  afterPage?: (page: number) => void
}

export const began = Date.parse('2026-11-21T10:00:00.000Z')
export const rule = 'version: 1\nrules:\n  - name: a\n    if: { draft: false }\n    then: { subscribe: true }\n'

/** One sweep's world: projects of this test alone, on the stores of the file. */
export function sweepWorld(stores: RenewableStores) {
  const queues = testQueues(stores)
  const { journal } = stores
  const { client } = makeClient()
  const projects = new Map<number, PlayedProject>()
  const members: unknown[] = []
  const asked: string[] = []
  let now = began + 3_600_000

  const api = nock(HOST).persist()
  api.get(/^\/api\/v4\/projects\?/).reply(200, () => members as nock.Body)
  api.get(/^\/api\/v4\/projects\/\d+\/(?:merge_requests|issues)\?/).reply((uri) => {
    asked.push(uri)
    return answerOf(projects, new URL(uri, HOST))
  })

  const context = testContext({ client, journal, queues, rules: rulesOf('repository'), now: () => now })
  return {
    context,
    /** The same with so many calls for a sweep. */
    within: (calls: number): Context => ({
      ...context,
      operator: { ...context.operator, sweep: { everyMs: 0, calls } },
    }),
    mergeQueues: queues.mergeQueues,
    journal,
    asked,
    members,
    /** The time by our own clock, in milliseconds. */
    now: () => now,
    pass(seconds: number) {
      now += seconds * 1000
    },
    /** A project that has sent a delivery. */
    async play(project: number, played: PlayedProject) {
      projects.set(project, played)
      const [id, of, at] = [randomUUID(), { project, iid: 1 }, new Date(began).toISOString()]
      await journal.deliveries.save(
        { id, receivedAt: at, header: 'Merge Request Hook', bytes: 2, state: 'read', mergeRequests: [of] },
        { pending: { of: [of], event: { deliveryId: id, event: { kind: 'merge_request.update', actor: {}, at } } } },
      )
      await journal.mergeRequests.save(of, { processed: await journal.events.pending(of) })
    },
    /** A project that has not; `level` is what the bot may do there. */
    playMemberProject(project: number, played: PlayedProject, given: { level: number | null; file: boolean }) {
      const { level } = given
      projects.set(project, played)
      api.get(`/api/v4/projects/${project}`).reply(200, { id: project, default_branch: 'main' })
      api
        .get(`/api/v4/projects/${project}/repository/branches/main`)
        .reply(200, { name: 'main', commit: { id: 'c'.repeat(40) } })
      const content = { content: Buffer.from(rule).toString('base64'), blob_id: 'b' }
      // Read each time: the file may be removed.
      api
        .get(new RegExp(`/projects/${project}/repository/files/`))
        .reply(() => (given.file ? [200, content] : [404, { message: '404' }]))
      const permissions = {
        project_access: level === null ? null : { access_level: level, notification_level: 3 },
        group_access: null,
      }
      members.push({ id: project, path_with_namespace: `acme/p${project}`, permissions })
    },
    /** Saves a decision of this moment, by a rule on such a fact. */
    async evaluated(project: number, iid: number, fact = 'draft', at = now) {
      const conditions = { condition: fact, verdict: 'false' as const, expected: 'x', actual: 'y' }
      const trace: RuleTrace = {
        ...{ key: 'a', name: 'a', file: 'a', line: 1, verdict: 'false', became: false, fingerprint: '' },
        ...{ conditions, actions: [] },
      }
      const decision: DecisionRecord = {
        ...{ id: randomUUID(), mergeRequest: { project, iid }, at: new Date(at).toISOString(), deliveries: [] },
        ...{ tookMs: 1, rules: [trace], calls: [], responses: [], head: null, files: [] },
      }
      await journal.decisions.save(decision)
    },
    /** What was enqueued since the last call; removes the jobs. */
    async enqueued() {
      const jobs = await queues.mergeRequests.list(['waiting', 'prioritized', 'delayed'], 0, 1000)
      for (const { id } of jobs) await queues.mergeRequests.remove(id)
      return jobs.map(({ data }) => `${data.project}!${data.iid}`).sort()
    },
  }
}

let lastProject = 0
export const newProject = () => {
  lastProject += 1
  return lastProject
}

/** A project whose merge requests and issues are evaluated after each sweep. `lists`: which of them that listed. */
export function settledOn(stores: RenewableStores) {
  return async <P extends PlayedProject>(played: P) => {
    const world = sweepWorld(stores)
    const project = newProject()
    await world.play(project, played)
    const sweep = async (calls = 500) => {
      world.asked.length = 0
      const report = await sweepAll(world.within(calls), world.now())
      const lists = world.asked.map((uri) => /(issues|merge_requests)\?/.exec(uri)?.[1])
      const enqueued = await world.enqueued()
      const iids = enqueued.map((each) => Number(each.split('!')[1]))
      for (const iid of iids) await world.evaluated(project, iid)
      world.pass(90)
      return { iids: iids.sort((a, b) => a - b), report, lists }
    }
    return { world, project, played, sweep }
  }
}

export const many = (count: number, from = 1): Played[] =>
  Array.from({ length: count }, (_, at) => ({ iid: from + at, at: from + at }))
export const iidsOf = (entries: Played[]) => entries.map(({ iid }) => iid).sort((a, b) => a - b)

/** Rules in force everywhere, without a call. */
export function rulesOf(trust: 'repository' | 'operator', text = rule, given: Partial<RulesInForce> = {}): RuleFiles {
  const document = readRules(text, '.bellhop.yml', { trust: 'repository' })
  if (!document.ok) throw new Error('the rule of this world cannot be read')
  const files = [{ path: '.bellhop.yml', trust, rules: document.rules, blob: 'b', broken: false }]
  return rulesOfVersion('v1', { files, ...given })
}

function answerOf(projects: Map<number, PlayedProject>, url: URL): [number, nock.Body, Record<string, string>?] {
  const played = projects.get(Number(/projects\/(\d+)/.exec(url.pathname)?.[1]))
  if (played === undefined || played.status !== undefined) return [played?.status ?? 404, { message: 'no' }]
  const { ignores = [] } = played
  const ofIssues = /issues$/.test(url.pathname)
  if (ofIssues && played.issueStatus !== undefined) return [played.issueStatus, { message: 'no' }]
  if (!ofIssues && played.mergeRequestStatus !== undefined) return [played.mergeRequestStatus, { message: 'no' }]
  const entries = ofIssues ? (played.issues ?? []) : played.entries
  const state = ignores.includes('state') ? 'all' : url.searchParams.get('state')
  const found = entries.filter((each) => state === 'all' || (each.state ?? 'opened') === state)
  const order = ignores.includes('order_by') ? found : found.sort((a, b) => b.at - a.at)
  const page = ignores.includes('page') ? 1 : Number(url.searchParams.get('page') ?? 1)
  const shown = order.slice((page - 1) * 100, page * 100)
  const body = shown.map(({ iid, at, state: is = 'opened' }) => ({
    iid,
    state: is,
    updated_at: new Date(began + at * 1000).toISOString(),
  }))
  const next = order.length > page * 100 ? String(page + 1) : ''
  played.afterPage?.(page)
  const date: Record<string, string> =
    played.clock === undefined ? {} : { date: new Date(began + played.clock * 1000).toUTCString() }
  return [200, body, { ...date, ...(ignores.includes('page') ? {} : { 'x-next-page': next }) }]
}
