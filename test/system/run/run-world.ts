// The world of `bellhop run`: a sandbox that sends no hooks, people with verbs, and the built command in an own folder.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunSummary } from '../../../src/cli/run/summary.ts'
import { createClient } from '../../../src/client/create-client.ts'
import type { Tier } from '../../../src/sandbox/installation.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { startScenario } from '../../cli/scenario-service.ts'
import { runCommand } from '../process.ts'

export type RunWorld = Awaited<ReturnType<typeof startRunWorld>>

interface Opened {
  branch: string
  by?: string
  files?: Record<string, string>
  pipeline?: 'success' | 'running'
}

/** A project hotel/app with these rules. */
export async function startRunWorld(rules: string, { tier }: { tier?: Tier } = {}) {
  const text = JSON.stringify({
    version: 1,
    users: ['alice', 'bob', 'renovate-bot', 'bellhop'].map((username) => ({ username, bot: username.length > 5 })),
    groups: [
      {
        path: 'hotel',
        members: { alice: 'maintainer', bob: 'developer', 'renovate-bot': 'developer', bellhop: 'maintainer' },
      },
    ],
    projects: [
      {
        path: 'hotel/app',
        labels: ['dependencies', 'stale', 'urgent'],
        files: { 'README.md': '# App\n', 'package.json': '{}\n', '.bellhop.yml': rules },
      },
    ],
  })
  const service = await startScenario({ text }, tier === undefined ? {} : { tier })
  const [project = 0] = service.projects.map(({ id }) => id)
  const { folder } = ownFolder()
  const journal = join(folder, '.bellhop')
  const as = (username: string) =>
    createClient({ baseUrl: service.sandbox.url, token: service.tokens[username] ?? service.sandbox.token })
  const ref = (iid: number) => ({ id: project, merge_request_iid: iid })
  const notes = async (iid: number) => (await service.root.mergeRequests.notes.list(ref(iid))).body
  return {
    ...service,
    project,
    folder,
    journal,
    as,
    ref,
    async open({ branch, by = 'bob', files = { [`${branch}.md`]: `${branch}\n` }, pipeline = 'success' }: Opened) {
      const actions = Object.entries(files).map(([file_path, content]) => {
        const action = file_path === 'package.json' ? ('update' as const) : ('create' as const)
        return { action, file_path, content }
      })
      const made = { id: project, branch, start_branch: 'master', commit_message: branch, actions }
      const sha = (await as(by).repository.commits.create(made)).body.id ?? ''
      const branches = { source_branch: branch, target_branch: 'master' }
      const { iid = 0 } = (await as(by).mergeRequests.create({ id: project, ...branches, title: branch })).body
      const status = { id: project, sha, ref: branch, state: pipeline, name: 'ci' }
      await service.root.repository.statuses.create(status)
      return { iid, sha, branch }
    },
    async push(branch: string, file: string, by = 'bob') {
      const actions = [{ action: 'create' as const, file_path: file, content: `${file}\n` }]
      const made = await as(by).repository.commits.create({ id: project, branch, commit_message: file, actions })
      const sha = made.body.id ?? ''
      await service.root.repository.statuses.create({ id: project, sha, ref: branch, state: 'success', name: 'ci' })
      return sha
    },
    say: async (iid: number, body: string, by = 'alice') =>
      (await as(by).mergeRequests.notes.create({ ...ref(iid), body })).body,
    mergeRequest: async (iid: number) => (await service.root.mergeRequests.get(ref(iid))).body,
    /** Those of Bellhop, without system notes, oldest first. */
    answers: async (iid: number) =>
      (await notes(iid))
        .filter(({ author, system }) => author?.username === 'bellhop' && system !== true)
        .map(({ body = '' }) => body)
        .reverse(),
    /** What a CI cache would have: `restore` puts it back. */
    async cached() {
      const copy = join(ownFolder().folder, 'cache')
      await cp(journal, copy, { recursive: true })
      return { restore: () => cp(copy, journal, { recursive: true }) }
    },
    /** Runs it for the project, unless other arguments are given. */
    async bellhop(args: readonly string[] = ['--project', 'hotel/app'], environment: Record<string, string> = {}) {
      const settings = { BELLHOP_NEW_RULE_LIMIT: '0', NO_COLOR: '1', ...service.environment, ...environment }
      return runCommand(['run', '--journal', journal, ...args], settings)
    },
    async summary(args: readonly string[] = []) {
      const ended = await this.bellhop(['--project', 'hotel/app', '--format', 'json', ...args])
      return { code: ended.code, stderr: ended.stderr, ...(JSON.parse(ended.stdout) as RunSummary) }
    },
  }
}
