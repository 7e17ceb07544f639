// What `bellhop run` costs: calls, time and memory for many merge requests, beside what gitlab-triage lists for the same
// policies. Its lib/gitlab/triage/engine.rb lists anew for each policy (`resources_for_rule`), 100 on a page, of one
// project or group; labels, drafts and dates are parameters of the list (`build_get_url`), titles are not.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildScenario } from '../../src/cli/scenario/build-scenario.ts'
import { readScenario } from '../../src/cli/scenario/scenario.ts'
import { createClient } from '../../src/client/create-client.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { startCommand } from '../../test/system/process.ts'
import { peakMb } from '../process-figures.ts'
import { type Bench, type Row, rowOf } from '../row.ts'

const [projects, of] = [20, 50]
const callsASecond = 10
const runsADay = 96
/** Longer than a run reads again what changed before it: its own changes too. */
const overlapMs = 61_000

/** What gitlab-triage could do too. */
const policies = `version: 1
rules:
  - name: urgent ones are named
    if: { title: { matches: "^Urgent" }, draft: false }
    then: { label: { add: urgent } }
  - name: old ones are stale
    if: { age: { older_than: 60d }, labels: { none: [keep] } }
    then: { label: { add: stale } }
`
const deep = `version: 1
rules:
  - name: documentation
    if: { changed_files: { all: "**/*.md" } }
    then: { label: { add: documentation } }
  - name: merge what is approved and green
    if: { approvals_given: { at_least: 1 }, pipeline: success, draft: false }
    then: { accept: true }
`

export const bench: Bench = {
  about: 'runs of `bellhop run` for 1,000 merge requests of 20 projects, beside what gitlab-triage lists',
  async measure({ say }) {
    const folder = await mkdtemp(join(tmpdir(), 'bench-run-'))
    const world = await openWorld(folder)
    try {
      await world.openAll(say)
      const rows: Row[] = []
      for (const [name, rules, most, listed] of [
        ['rules that read lists', policies, 1, listsOfTriage],
        ['rules for approvals, files and pipelines', deep, 12, {}],
      ] as const) {
        await world.useRules(rules)
        const run = async (what: string) => {
          const cost = await world.run(join(folder, name))
          say(`${name}, ${what}: ${JSON.stringify(cost)}`)
          return cost
        }
        const first = await run('first run')
        await world.changeATenth()
        const later = await run('a tenth changed')
        await run('its own changes are read')
        await delay(overlapMs)
        await run('and once more')
        rows.push(...rowsOf(name, { first, later, quiet: await run('nothing changed') }, { most, listed }))
      }
      return rows
    } finally {
      await world.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

interface Cost {
  calls: number
  minutes: number
  memoryMb: number
}

/** In one run: the first policy lists all that are open, the second nothing, as nothing is old enough. */
const listsOfTriage = {
  'gitlab-triage’s lists, by project': 2 * projects * Math.ceil(of / 100),
  'gitlab-triage’s lists, by group': Math.ceil((projects * of) / 100) + 1,
}

function rowsOf(
  name: string,
  { first, later, quiet }: Record<'first' | 'later' | 'quiet', Cost>,
  { most, listed }: { most: number; listed: Record<string, number> },
): Row[] {
  const upTo = (what: string, unit: 'min' | 'MB', [value, aim]: [number, number]) =>
    rowOf({ name, what, beside: 'the most to reach', unit, aim: { most: 1 } }, [[value, aim]])
  const calls = (what: string, value: number, [beside, other]: [string, number]) =>
    rowOf({ name, what, beside, unit: '' }, [[value, other]])
  const aDay = first.calls + (runsADay - 1) * quiet.calls
  return [
    upTo('first run', 'min', [first.minutes, most]),
    upTo('a tenth changed', 'min', [later.minutes, 3]),
    upTo('memory', 'MB', [Math.max(first.memoryMb, later.memoryMb, quiet.memoryMb), 300]),
    calls('calls, a tenth changed', later.calls, ['first run', first.calls]),
    calls('calls, nothing changed', quiet.calls, ['first run', first.calls]),
    ...Object.entries(listed).map(([beside, lists]) =>
      calls('calls of a day, each 15 minutes, nothing changes', aDay, [beside, runsADay * lists]),
    ),
  ]
}

async function openWorld(folder: string) {
  let calls = 0
  const sandbox = await startSandbox({
    rootToken: 'root-token',
    folder: join(folder, 'sandbox'),
    gate: async ({ caller }) => {
      if (caller === 'bellhop') calls += 1
    },
  })
  const paths = Array.from({ length: projects }, (_, at) => `hotel/app-${at}`)
  const scenario = readScenario(
    JSON.stringify({
      version: 1,
      users: ['alice', 'bob', 'bellhop'].map((username) => ({ username, bot: username === 'bellhop' })),
      groups: [{ path: 'hotel', members: { alice: 'maintainer', bob: 'developer', bellhop: 'maintainer' } }],
      projects: paths.map((path) => ({
        path,
        labels: ['documentation', 'stale', 'urgent', 'keep'],
        files: { 'README.md': '# App\n', '.bellhop.yml': 'version: 1\nrules: []\n' },
      })),
    }),
    'scenario.yml',
  )
  if (!scenario.ok) throw new Error(scenario.problems.join('\n'))
  const built = await buildScenario(scenario.scenario, sandbox)
  const ids = built.projects.map(({ id }) => id)
  const token = (name: string) => built.people.find(({ username }) => username === name)?.token ?? ''
  const as = (name: string) => createClient({ baseUrl: sandbox.url, token: token(name) })
  const [root, bob] = [createClient({ baseUrl: sandbox.url, token: sandbox.token }), as('bob')]
  // One after the other: the sandbox runs git for each.
  const eachProject = async (act: (id: number) => Promise<void>) => {
    for (const id of ids) await act(id)
  }
  return {
    close: sandbox.close,
    async openAll(say: (sentence: string) => void) {
      for (let at = 0; at < of; at += 1) {
        await eachProject(async (id) => {
          const branch = `work-${at}`
          const file_path = at % 5 === 0 ? `${branch}.md` : `${branch}.ts`
          const actions = [{ action: 'create' as const, file_path, content: `${at}\n` }]
          const made = { id, branch, start_branch: 'master', commit_message: branch, actions }
          const sha = (await bob.repository.commits.create(made)).body.id ?? ''
          const title = at % 10 === 0 ? `Urgent: ${branch}` : branch
          await bob.mergeRequests.create({ id, source_branch: branch, target_branch: 'master', title })
          await root.repository.statuses.create({ id, sha, ref: branch, state: 'success', name: 'ci' })
        })
        if (at % 10 === 9) say(`${(at + 1) * projects} merge requests are open`)
      }
    },
    useRules: (content: string) =>
      eachProject(async (id) => {
        const actions = [{ action: 'update' as const, file_path: '.bellhop.yml', content }]
        await root.repository.commits.create({ id, branch: 'master', commit_message: 'Rules', actions })
      }),
    changeATenth: () =>
      eachProject(async (id) => {
        for (let iid = 5; iid <= of; iid += 10)
          await bob.mergeRequests.update({ id, merge_request_iid: iid, description: `As of ${Date.now()}` })
      }),
    /** At 10 calls a second, if it was faster. */
    async run(journal: string): Promise<Cost> {
      calls = 0
      const began = performance.now()
      const environment = { BELLHOP_SERVICE_URL: sandbox.url, BELLHOP_SERVICE_TOKEN: token('bellhop') }
      const args = ['run', '--group', 'hotel', '--journal', journal, '--for', '30m']
      const running = startCommand(args, { ...environment, BELLHOP_NEW_RULE_LIMIT: '0', BELLHOP_LOG_LEVEL: 'warn' })
      let memoryMb = 0
      const looking = setInterval(() => {
        memoryMb = Math.max(memoryMb, peakMb(running.child.pid ?? 0) || 0)
      }, 200)
      const { code } = await running.ended
      clearInterval(looking)
      if (code !== 0)
        throw new Error(
          `bellhop run ended with ${code}: ${running.stdout().slice(-2000)}${running.stderr().slice(-2000)}`,
        )
      const took = (performance.now() - began) / 60_000
      return { calls, minutes: Math.max(took, calls / callsASecond / 60), memoryMb }
    },
  }
}
