// The cookbook's recipes in the real flow, on both tiers: their effects at the service. On Redis, the quicker backend.
import { scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { eventually } from '../../eventually.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known } from '../world.ts'
import { type RecipeProject, type RecipeWorld, startRecipeWorld } from './recipe-world.ts'

interface Scenario {
  does: string
  recipe: string
  /** The files of the default branch. */
  files?: Record<string, string>
  run(project: RecipeProject, world: RecipeWorld): Promise<void>
}

const reviewers = async (project: RecipeProject, iid: number) => project.names((await project.get(iid)).reviewers)
const update = async ({ as, people, ref, settle }: RecipeProject, iid: number, change: object, by = people.alice) => {
  await as(by).mergeRequests.update({ ...ref(iid), ...change })
  await settle()
}
const approve = async ({ as, people, ref, settle }: RecipeProject, iid: number, by: 'bob' | 'carol') => {
  await as(people[by]).mergeRequests.approve(ref(iid))
  await settle()
}
const into = async ({ service, id }: RecipeProject, target_branch: string) =>
  (await service.mergeRequests.list({ id, target_branch, state: 'all', scope: 'all' })).body
const merge = async ({ service, ref, settle }: RecipeProject, iid: number) => {
  await service.mergeRequests.accept(ref(iid))
  await settle()
}

const scenarios: Scenario[] = [
  {
    does: 'two of the team review, on Free one, and never the author; nobody more is asked later',
    recipe: 'pick-reviewers',
    async run(project) {
      const { iid } = await project.open()
      const picked = await reviewers(project, iid)
      expect(picked).toHaveLength(project.tier === 'free' ? 1 : 2)
      // root made the groups, so is a member of each.
      expect(['bob', 'carol', 'root']).toEqual(expect.arrayContaining(picked))
      await update(project, iid, { title: 'Another title' })
      expect(await reviewers(project, iid)).toEqual(picked)
    },
  },
  {
    does: 'the owner of the changed file reviews',
    recipe: 'review-by-code-owners',
    files: { CODEOWNERS: '* @bob\n*.css @carol\n' },
    async run(project) {
      expect(await reviewers(project, (await project.open({ file: 'page.css' })).iid)).toEqual(['carol'])
    },
  },
  {
    does: 'a sensitive change is merged once a member of the group approved it, and nobody else',
    recipe: 'approved-by-group',
    async run(project) {
      const { iid } = await project.open({ labels: 'ready to merge', file: 'src/login/door.ts' })
      await approve(project, iid, 'bob')
      expect(await project.get(iid)).toMatchObject({ state: 'opened', labels: ['needs security', 'ready to merge'] })
      await approve(project, iid, 'carol')
      expect(await project.get(iid)).toMatchObject({ state: 'merged' })
    },
  },
  {
    does: 'a branch is rebased when its target moved',
    recipe: 'keep-up-to-date',
    async run(project) {
      const { iid, sha } = await project.open({ labels: 'ready' })
      const tip = await project.write('main', { 'other.txt': 'other\n' })
      await project.settle()
      const after = await project.get(iid)
      expect(after.sha).not.toBe(sha)
      expect(after.diff_refs?.base_sha).toBe(tip)
    },
  },
  {
    does: 'what waits for a merge request of another project is merged after it',
    recipe: 'merge-in-order',
    async run(project, world) {
      const other = await world.project()
      const base = await other.open()
      const { iid } = await project.open({ labels: 'ready', description: `Depends on ${other.path}!${base.iid}` })
      await approve(project, iid, 'bob')
      expect(await project.get(iid)).toMatchObject({ state: 'opened', labels: ['ready', 'waits for others'] })
      await merge(other, base.iid)
      expect(await project.get(iid)).toMatchObject({ state: 'merged' })
    },
  },
  {
    does: 'the status of the head is pending until somebody approved',
    recipe: 'require-policy',
    async run(project) {
      const { iid, sha } = await project.open()
      const statuses = async () => {
        const { body } = await project.service.repository.statuses.list({ id: project.id, sha })
        return body.filter(({ name }) => name === 'bellhop/policy').map(({ status }) => status)
      }
      expect(await statuses()).toEqual(['pending'])
      await approve(project, iid, 'bob')
      expect(await statuses()).toContain('success')
    },
  },
  {
    does: 'what is merged with a label gets a merge request into the stable branch, by its author',
    recipe: 'backport-by-label',
    async run(project) {
      await project.service.repository.branches.create({ id: project.id, branch: 'stable-1.2', ref: 'main' })
      const { iid } = await project.open({ labels: 'backport::1.2' })
      await merge(project, iid)
      const made = { title: 'Backport to stable-1.2: Add topic', labels: ['backport'], assignee: { username: 'alice' } }
      expect(await into(project, 'stable-1.2')).toMatchObject([made])
    },
  },
  {
    does: 'a label names the stable branch if a member of the group set it',
    recipe: 'backport-by-release-team',
    async run(project) {
      await project.service.repository.branches.create({ id: project.id, branch: 'stable-1.2', ref: 'main' })
      const { iid } = await project.open({ labels: 'backport::1.2' })
      await merge(project, iid)
      expect(await into(project, 'stable-1.2')).toEqual([])
      await update(project, iid, { labels: '' })
      await update(project, iid, { labels: 'backport::1.2' }, project.people.bob)
      expect(await into(project, 'stable-1.2')).toMatchObject([{ source_branch: `backport/${iid}-to-stable-1.2` }])
    },
  },
  {
    does: 'a maintainer’s comment runs the failed jobs again, and a developer’s does not',
    recipe: 'retry-pipeline',
    async run({ service, world, id, ref, as, people, open, settle }) {
      await world.sandbox.within(async (inside) =>
        scriptPipelines(inside, id, [{ branches: '**', kind: 'merge_request', takes: 0, ends: ['failed', 'success'] }]),
      )
      await service.projects.members.update({ id, user_id: people.carol.id, access_level: 40 })
      const { iid } = await open({ isGreen: false })
      const state = async () => (await service.mergeRequests.pipelines(ref(iid))).body.map(({ status }) => status)
      await expect.poll(state).toEqual(['failed'])
      for (const [by, expected] of [
        [people.bob, 'failed'],
        [people.carol, 'success'],
      ] as const) {
        await as(by).mergeRequests.notes.create({ ...ref(iid), body: '@bellhop retry' })
        await settle()
        await expect.poll(state).toEqual([expected])
      }
    },
  },
  {
    does: 'the chat hears once what waits for a review, and what was merged',
    recipe: 'tell-a-chat',
    async run(project) {
      const { iid } = await project.open({ labels: 'needs review' })
      await update(project, iid, { title: 'A window' })
      await merge(project, iid)
      const expected = ['Add topic by alice waits for a review.', 'A window by alice was merged.']
      await eventually(() => expect(project.posts()).toEqual(expected))
    },
  },
  {
    does: 'the chat hears of a release, and of a red pipeline of the main branch',
    recipe: 'tell-about-the-project',
    async run(project) {
      const { id, as, people, service, path } = project
      await as(people.alice).releases.create({ id, tag_name: 'v1', ref: 'main' })
      const { body } = await service.repository.commits.get({ id, sha: 'main' })
      const sha = known(body.id)
      for (const state of ['running', 'failed'] as const)
        await service.repository.statuses.create({ id, sha, ref: 'main', state, name: 'ci' })
      await eventually(() =>
        expect(project.posts()).toEqual([`${path} v1 was released.`, `The pipeline of main failed in ${path}.`]),
      )
    },
  },
  {
    does: 'a new issue is marked until somebody sorts it, and a developer closes it by a comment',
    recipe: 'triage-issues',
    async run(project) {
      const { service, id, as, people, settle } = project
      await service.milestones.create({ id, title: '17.0' })
      const opened = await as(people.alice).issues.create({ id, title: 'The door is shut' })
      const issue = { id, issue_iid: known(opened.body.iid) }
      const shown = async () => (await service.issues.get(issue)).body
      await settle()
      expect(await shown()).toMatchObject({ labels: ['needs triage'], milestone: null })
      const notes = (await service.issues.notes.list(issue)).body.map(({ body }) => body)
      expect(notes).toEqual([expect.stringMatching(/^Thank you, alice\./)])
      await as(people.bob).issues.update({ ...issue, add_labels: 'type::bug' })
      await settle()
      expect(await shown()).toMatchObject({
        labels: ['type::bug'],
        milestone: { title: '17.0' },
        time_stats: { time_estimate: 7200 },
      })
      await as(people.bob).issues.notes.create({ ...issue, body: '@bellhop close' })
      await settle()
      expect(await shown()).toMatchObject({ state: 'closed' })
    },
  },
  {
    does: 'an incident gets somebody at once, and its texts are told to nobody where it is confidential',
    recipe: 'triage-issues',
    async run({ service, id, as, people, settle, names }) {
      const incident = { id, title: 'A s3cret outage', issue_type: 'incident' as const, confidential: true }
      const opened = await as(people.alice).issues.create(incident)
      const issue = { id, issue_iid: known(opened.body.iid) }
      await settle()
      const { labels, assignees } = (await service.issues.get(issue)).body
      expect([labels, names(assignees)]).toEqual([['incident'], ['carol']])
      expect((await service.issues.notes.list(issue)).body).toEqual([])
    },
  },
]

onRedis((queueUrl) => {
  describe.each(['free', 'premium'] as const)('on %s', (tier) => {
    let world: RecipeWorld
    beforeAll(async () => {
      world = await startRecipeWorld(tier, queueUrl())
    })
    afterAll(() => world?.close())

    test.sequential.each(scenarios)('$recipe: $does', async ({ recipe, files, run }) => {
      await run(await world.project(recipe, files), world)
    })
  })
})
