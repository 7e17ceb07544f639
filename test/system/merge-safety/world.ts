// The world of merge safety tests: rules that merge, verbs for what intervenes; the sandbox's record shows merges.
import type { CallEntry } from '../../../src/sandbox/http/call-record.ts'
import type { MergeRequest } from '../../../src/sandbox/records/records.ts'
import type { World as Inside } from '../../../src/sandbox/storage/world.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

/** The project's own rules. */
export const mergeRules = `
version: 1
rules:
  - name: merge
    if: { source_branch: { glob: "merge/*" }, labels: { none: [hold] }, target_branch: master }
    then: { accept: true }
  - name: let the service wait
    if: { source_branch: { glob: "wait/*" }, labels: { none: [hold] }, target_branch: master }
    then: { accept: { when: pipeline_succeeds } }
  - name: merge what alice approved
    if: { source_branch: { glob: "approved/*" }, approved_by_service: { any: [alice] } }
    then: { accept: true }
  - name: merge what alice pushed
    if: { source_branch: { glob: "pushed/*" }, pushed_by: { all: [alice] } }
    then: { accept: true }
  - name: merge what a maintainer approved, if the fork is green
    if: { source_branch: { glob: "open/*" }, pipeline: { of_fork: success }, approved_by_service: { any: [renovate-bot] } }
    then: { accept: true }
  - name: merge on request
    command: merge
    then: { accept: true }
`

export type MergeWorld = Awaited<ReturnType<typeof startMergeWorld>>

export async function startMergeWorld(queueUrl: string) {
  const world = await startTestWorld({ rules: mergeRules, queueUrl })
  const { project, people, sandbox } = world
  for (const name of ['hold']) await world.service.labels.create({ id: project, name, color: '#ff0000' })
  await world.service.repository.branches.create({ id: project, branch: 'release', ref: 'master' })
  await world.settle()
  let next = 1

  const verbsOf = (id: number) => {
    const alice = world.as(people.alice)
    // Through the API: a clone and `git push` would take many processes more.
    const commit = async (branch: string, start_branch?: string): Promise<string> => {
      const actions = [{ action: 'create' as const, file_path: `files/${next++}`, content: 'new' }]
      const start = start_branch === undefined ? {} : { start_branch }
      return known(
        (await alice.repository.commits.create({ id, branch, commit_message: `Work on ${branch}`, actions, ...start }))
          .body.id,
      )
    }
    return {
      /** Opens one from a new branch `<rule>/…` by alice, and settles. */
      async open(rule: 'merge' | 'wait' | 'approved' | 'pushed' | 'open' | 'asked') {
        const branch = `${rule}/${next++}`
        const sha = await commit(branch, 'master')
        const body = {
          source_branch: branch,
          target_branch: 'master',
          title: `Add ${branch}`,
          target_project_id: project,
        }
        const { iid } = (await alice.mergeRequests.create({ id, ...body })).body
        await world.settle()
        return { branch, sha, iid: known(iid) }
      },
      /** One more commit on the branch, by alice; gives the new head. */
      push: (branch: string) => commit(branch),
      /** Sets a pipeline made of commit statuses, and settles. */
      async green(sha: string, ref: string) {
        await alice.repository.statuses.create({ id, sha, ref, state: 'success', name: 'ci' })
        await world.settle()
      },
    }
  }
  const ofBot = (iid: number, endpoint: string) =>
    sandbox
      .calls()
      .filter(
        (call) =>
          call.endpoint === endpoint && call.params.merge_request_iid === iid && call.caller === people.bellhop.id,
      )
  const merges = (iid: number) =>
    sandbox.merges().filter(({ mergeRequest }) => mergeRequest.project_id === project && mergeRequest.iid === iid)

  return {
    ...world,
    // A getter of the world that is spread would be read only once.
    get log() {
      return world.log
    },
    ...verbsOf(project),
    /** alice's fork, with its own branches and pipelines; what she opens there goes into the project. */
    async fork() {
      const { id } = (await world.as(people.alice).projects.fork({ id: project, namespace: people.alice.username }))
        .body
      await sandbox.idle()
      return verbsOf(known(id))
    },
    /** alice changes it. */
    async change(iid: number, what: Parameters<TestWorld['update']>[1]) {
      await world.as(people.alice).mergeRequests.update({ id: project, merge_request_iid: iid, ...what })
    },
    /** Creates an issue that Bellhop may close and alice may not read; its name. */
    async hiddenIssue() {
      const path = `vault-${next++}`
      const id = known((await world.service.projects.create({ name: path, path, visibility: 'private' })).body.id)
      await world.service.projects.members.add({ id, user_id: people.bellhop.id, access_level: 40 })
      await world.service.issues.create({ id, title: 'Hidden' })
      return `root/${path}#1`
    },
    /** Runs after Bellhop's evaluation, just before its last read of the merge request. Set it while all is idle. */
    beforeLastReading(action: () => Promise<void>) {
      world.before('mergeRequests.get', async () => world.before('mergeRequests.get', action))
    },
    /** The bot's calls of accept for one merge request, by the sandbox's record. */
    accepts: (iid: number) => ofBot(iid, 'mergeRequests.accept'),
    /** How often the bot read the merge request between two of its calls. */
    readingsBetween: (iid: number, earlier: CallEntry | undefined, later: CallEntry | undefined) =>
      ofBot(iid, 'mergeRequests.get').filter(
        // 304: it was asked whether it is the same still, and it is.
        ({ began, status }) =>
          began > (earlier?.ended ?? Number.POSITIVE_INFINITY) &&
          began < (later?.began ?? 0) &&
          (status === 200 || status === 304),
      ).length,
    merges,
    /** Merged once, into master, as this head, whose pipeline was green in that moment. */
    expectMerged(iid: number, sha: string) {
      const [merge, ...others] = merges(iid)
      expect(others).toEqual([])
      expect(merge).toMatchObject({ mergeRequest: { sha, target_branch: 'master' }, pipeline: { status: 'success' } })
      expect(merge?.pipeline?.source_sha ?? merge?.pipeline?.sha).toBe(sha)
    },
    /** Not merged, and still open. */
    async expectOpen(iid: number) {
      expect(merges(iid)).toEqual([])
      expect((await world.mergeRequest(iid)).state).toBe('opened')
    },
    /** Something past the service's doors, under the project's lock. */
    within: <T>(iid: number, task: (inside: Inside, mr: MergeRequest) => Promise<T>) =>
      sandbox.within((inside) =>
        inside.serialise(`project ${project}`, () => {
          const mr = inside.mergeRequests.first('iid', `${project}:${iid}`)
          if (mr === undefined) throw new Error(`no !${iid}`)
          return task(inside, mr)
        }),
      ),
  }
}
