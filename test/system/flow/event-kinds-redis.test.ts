// Every kind of event that `on:` can name: what happens in the sandbox reaches the rule that waits for it, no other.
import { eventKinds, isEventOf } from '../../../src/rules/language/events.ts'
import { movePipeline } from '../../../src/sandbox/pipelines/pipelines.ts'
import { runDetached } from '../../sandbox/pipelines/run-pipeline.ts'
import { onRedis } from '../../servers/on-redis.ts'
import { known, startTestWorld, type TestWorld } from '../world.ts'

const kinds = eventKinds.filter((kind) => !kind.endsWith('.*'))
const ruleOf = (kind: string) =>
  `  - { name: ${kind}, on: ${kind}, then: { ${isEventOf(kind, 'merge_request') ? 'spend: 1m' : 'notify: { to: team, text: Hello }'} } }\n`
const merging = '  - { name: merge, if: { labels: { any: [never] } }, then: { accept: true } }\n'
const rules = `version: 1\nrules:\n${kinds.map(ruleOf).join('')}${merging}`
onRedis((queueUrl) => {
  let world: TestWorld
  beforeAll(async () => {
    world = await startTestWorld({ rules, queueUrl: queueUrl() })
    const { project: id, hookId: hook_id, hookSecret: token, bellhop } = world
    const names = ['push', 'tag_push', 'merge_requests', 'issues', 'note', 'pipeline', 'wiki', 'emoji'] as const
    const newer = ['confidential_note', 'releases', 'deployment', 'milestone', 'resource_access_token']
    const flags = [...names, ...newer].map((name) => [`${name}_events`, true])
    const all = { url: `${bellhop.url}/hooks`, token, ...Object.fromEntries(flags) }
    await world.service.projects.hooks.update({ id, hook_id, ...all })
    await world.settle()
  })
  afterAll(() => world?.end())

  /** The rules that became true meanwhile. */
  const matchedBy = async (what: () => Promise<unknown>) => {
    const before = world.log.length
    await what()
    await world.settle()
    const lines = world.log.slice(before).filter(({ event }) => event === 'rule_matched')
    return [...new Set(lines.map(({ rule }) => String(rule)))].sort()
  }
  const alice = () => world.as(world.people.alice)
  const pushTo = (branch: string) =>
    world.clone.push({ as: world.people.alice, branch, files: { 'more.md': branch }, message: 'More' })
  const id = () => world.project
  /** `beside`: the other kinds that the same act causes. */
  type Step = [kind: string, what: () => Promise<unknown>, beside?: string[]]
  const caused = new Set<string>()
  const expectEach = async (steps: Step[]) => {
    for (const [kind, what, beside = []] of steps) {
      expect([kind, await matchedBy(what)]).toEqual([kind, [kind, ...beside].sort()])
      caused.add(kind)
    }
  }

  test('a merge request', async () => {
    const { mergeRequests } = alice()
    let mr = world.ref(0)
    let branch = ''
    let [note_id, award_id] = [0, 0]
    const open = async () => {
      const made = await world.openMergeRequest({ branch: 'work' })
      branch = made.branch
      mr = world.ref(made.iid)
    }
    const award = async () => {
      award_id = known((await mergeRequests.awardEmoji.create({ ...mr, name: 'tada' })).body.id)
    }
    const say = async () => {
      const { body } = await mergeRequests.notes.create({ ...mr, body: 'Hm.' })
      note_id = 'id' in body ? known(body.id) : 0
    }
    await expectEach([
      ['merge_request.open', open],
      ['merge_request.update', () => mergeRequests.update({ ...mr, title: 'Changed' })],
      ['merge_request.close', () => mergeRequests.update({ ...mr, state_event: 'close' })],
      ['merge_request.reopen', () => mergeRequests.update({ ...mr, state_event: 'reopen' })],
      ['emoji.award', award],
      ['emoji.revoke', () => mergeRequests.awardEmoji.delete({ ...mr, award_id })],
      ['note.create', say],
      ['note.create', () => mergeRequests.notes.create({ ...mr, body: 'Between us.', internal: true })],
      ['note.update', () => mergeRequests.notes.update({ ...mr, note_id, body: 'Ah.' })],
      ['push', () => pushTo(branch), ['merge_request.update']],
      ['merge_request.merge', () => world.service.mergeRequests.accept(mr), ['merge_request.merged_past_rules']],
    ])
    caused.add('merge_request.merged_past_rules')
  })

  test('approvals', async () => {
    const { iid, branch } = await world.open('Work to approve')
    const mr = world.ref(iid)
    const [renovate, root] = [world.as(world.people.renovate).mergeRequests, world.service.mergeRequests]
    await world.service.projects.approvalSettings.update({
      id: id(),
      approvals_before_merge: 2,
      reset_approvals_on_push: true,
    })
    await expectEach([
      ['merge_request.approval', () => renovate.approve(mr)],
      ['merge_request.approved', () => root.approve(mr)],
      ['merge_request.unapproved', () => root.unapprove(mr)],
      ['merge_request.unapproval', () => renovate.unapprove(mr)],
    ])
    await renovate.approve(mr)
    await world.settle()
    const beside = ['push', 'merge_request.update']
    await expectEach([['merge_request.approvals_reset', () => pushTo(branch), beside]])
  })

  test('a pipeline', async () => {
    const { iid, sha, branch } = await world.open('Work with a pipeline')
    await expectEach([['pipeline.pending', () => world.pipeline(sha, branch, 'pending')]])
    // One with jobs: only they have all statuses.
    const { id: pipeline } = await world.sandbox.within((inside) => {
      const mr = known(inside.mergeRequests.where('project', id()).find((each) => each.iid === iid))
      return inside.serialise(`project ${id()}`, () => runDetached(inside, mr, 'pending'))
    })
    await world.settle()
    const move = (status: string) => () =>
      world.sandbox.within((inside) =>
        inside.serialise(`project ${id()}`, () => movePipeline(inside, pipeline, status)),
      )
    const states = kinds.filter((kind) => kind.startsWith('pipeline.') && kind !== 'pipeline.pending')
    await expectEach(states.map((kind) => [kind, move(kind.slice('pipeline.'.length))]))
  })

  test('the project', async () => {
    const { repository, releases, deployments, milestones, issues, wikis } = alice()
    const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString().slice(0, 10)
    const expiring = { id: id(), name: 'ci', scopes: ['api'], expires_at: tomorrow }
    const release = { id: 0, tag_name: 'v1' }
    const deployed = { environment: 'staging', sha: 'master', ref: 'master', tag: false }
    const moved = ['running', 'success', 'failed', 'canceled', 'skipped', 'blocked'] as const
    let [deployment_id, milestone_id] = [0, 0]
    const deploy = async () => {
      deployment_id = known((await deployments.create({ id: id(), ...deployed, status: 'created' })).body.id)
    }
    const plan = async () => {
      milestone_id = known((await milestones.create({ id: id(), title: 'One' })).body.id)
    }
    await expectEach([
      ['tag_push', () => repository.tags.create({ id: id(), tag_name: 'v1', ref: 'master' })],
      ['release.create', () => releases.create({ ...release, id: id() })],
      ['release.update', () => releases.update({ ...release, id: id(), name: 'One' })],
      ['release.delete', () => releases.delete({ ...release, id: id() })],
      ['deployment.created', deploy],
      ...moved.map(
        (status): Step => [`deployment.${status}`, () => deployments.update({ id: id(), deployment_id, status })],
      ),
      ['milestone.create', plan],
      ['milestone.close', () => milestones.update({ id: id(), milestone_id, state_event: 'close' })],
      ['milestone.reopen', () => milestones.update({ id: id(), milestone_id, state_event: 'activate' })],
      ['milestone.delete', () => milestones.delete({ id: id(), milestone_id })],
      // A task is a work item.
      ['issue.open', () => issues.create({ id: id(), title: 'Do it', issue_type: 'task' })],
      ['issue.update', () => issues.update({ id: id(), issue_iid: 1, title: 'Do it well' })],
      ['issue.close', () => issues.update({ id: id(), issue_iid: 1, state_event: 'close' })],
      ['issue.reopen', () => issues.update({ id: id(), issue_iid: 1, state_event: 'reopen' })],
      ['wiki_page.create', () => wikis.create({ id: id(), title: 'home', content: 'Hello' })],
      ['wiki_page.update', () => wikis.update({ id: id(), slug: 'home', content: 'Hello again' })],
      ['wiki_page.delete', () => wikis.delete({ id: id(), slug: 'home' })],
      ['access_token.expiring', () => world.service.projects.accessTokens.create(expiring)],
    ])
    const decided = (await world.decisions(0)).flatMap(({ rules }) => rules)
    const opened = decided.filter(({ name, event }) => name === 'issue.open' && event?.event.kind === 'issue.open')
    expect(opened).toMatchObject([{ verdict: 'true', actions: [{ action: 'notify' }] }])
  })

  test('no kind is left out', () => {
    expect([...caused].sort()).toEqual([...kinds].sort())
  })
})
