// What happens once for each event of merge requests and of the project, over real HTTP, real git and the real queue.
import { beforeAll, describe, expect, test } from 'vitest'
import type { TestWorld } from '../world.ts'

/** Rules for the world that the suite is given. They post to the chat `team`. */
export const eventRules = `
  - name: merge on request
    command: merge
    then: { accept: true }

  - name: count reviews
    on: note.create
    if: { comment: { matches: "reviewed" } }
    then: { spend: 15m }

  - name: tell of a tag
    on: tag_push
    if: { ref: { glob: "v*" }, ref_change: created }
    then: { notify: { to: team, text: "{{ ref }} by {{ actor }}" } }

  - name: tell of work
    on: [issue.open, wiki_page.create, push]
    if: { actor: alice, project_path: hotel/app }
    then: { notify: { to: team, text: "{{ event }} in {{ project_path }}" } }
`

/** The world must have `eventRules`. */
export function eventSuite(theWorld: () => TestWorld): void {
  let world: TestWorld
  beforeAll(async () => {
    world = theWorld()
    const { project: id, hookId: hook_id, hookSecret: token, bellhop } = world
    const all = { push_events: true, merge_requests_events: true, pipeline_events: true, note_events: true }
    const more = { tag_push_events: true, issues_events: true, wiki_events: true }
    await world.service.projects.hooks.update({ id, hook_id, url: `${bellhop.url}/hooks`, token, ...all, ...more })
  })

  /** What was done for the project meanwhile. */
  const doneBy = async (what: () => Promise<unknown>) => {
    const before = world.projectCalls().length
    await what()
    await world.settle()
    return world.projectCalls().slice(before)
  }
  const issues = { id: 0, title: 'A door sticks' }

  describe('an event of a merge request', () => {
    test('is acted on once, and each of several', async () => {
      const { iid } = await world.open('Reviewed twice')
      await world.say(iid, 'reviewed, and found a thing')
      await world.say(iid, 'reviewed again')
      await world.say(iid, 'unrelated')
      expect((await world.mergeRequest(iid)).time_stats?.total_time_spent).toBe(1800)
    })

    test('that asks to merge stands until the pipeline of that head has succeeded', async () => {
      const { iid, sha, branch } = await world.open('A command')
      await world.pipeline(sha, branch, 'running')
      await world.say(iid, 'Looks good.\n\n@bellhop merge', world.people.renovate)
      expect((await world.mergeRequest(iid)).state).toBe('opened')
      await world.pipeline(sha, branch, 'success')
      await world.settle()
      expect((await world.mergeRequest(iid)).state).toBe('merged')
    })
  })

  describe.sequential('an event without a merge request', () => {
    test('is posted once, and a doubled delivery of it is not', async () => {
      const tag = () => world.service.repository.tags.create({ id: world.project, tag_name: 'v1.0', ref: 'master' })
      expect(await doneBy(tag)).toMatchObject([{ action: 'notify', endpoint: 'chat.post', result: 'done' }])
      expect(await doneBy(() => world.service.repository.tags.delete({ id: world.project, tag_name: 'v1.0' }))).toEqual(
        [],
      )
      const body = {
        object_kind: 'tag_push',
        ref: 'refs/tags/v2',
        before: '0'.repeat(40),
        after: 'a'.repeat(40),
        user_id: 77,
      }
      const twice = JSON.stringify({ ...body, project_id: world.project })
      expect(await doneBy(async () => Promise.all([world.deliver(twice), world.deliver(twice)]))).toHaveLength(1)
    })

    test('of an issue or the wiki asks for facts of the project, and of who did it', async () => {
      const by = (person: TestWorld['people']['alice']) =>
        world.as(person).issues.create({ ...issues, id: world.project })
      expect(await doneBy(() => by(world.people.alice))).toMatchObject([{ action: 'notify' }])
      expect(await doneBy(() => by(world.people.renovate))).toEqual([])
      const page = () =>
        world.as(world.people.alice).wikis.create({ id: world.project, title: 'Doors', content: 'They open.' })
      expect(await doneBy(page)).toMatchObject([{ action: 'notify' }])
    })

    test('by Bellhop itself starts nothing', async () => {
      const { bellhop } = world.people
      expect(
        await doneBy(() =>
          world.as(bellhop).repository.tags.create({ id: world.project, tag_name: 'v9', ref: 'master' }),
        ),
      ).toEqual([])
    })

    test('that no rule is for reads nothing and is of no interest', async () => {
      const reads = world.rawLog.length
      const body = JSON.stringify({
        object_kind: 'wiki_page',
        project: { id: world.project },
        object_attributes: { action: 'delete' },
      })
      expect(await doneBy(() => world.deliver(body))).toEqual([])
      const { items } = await world.bellhop.journal.deliveries.list({ limit: 1 })
      expect(items).toMatchObject([
        { event: { kind: 'wiki_page.delete' }, state: 'no_merge_request', mergeRequests: [] },
      ])
      expect(world.log.slice(reads).filter((line) => line.event === 'decided')).toEqual([])
    })
  })

  test('a push to the branch of several merge requests is posted once', async () => {
    const { branch } = await world.open('One of two')
    await world.service.repository.branches.create({ id: world.project, branch: 'other-target', ref: 'master' })
    await world.as(world.people.alice).mergeRequests.create({
      id: world.project,
      source_branch: branch,
      target_branch: 'other-target',
      title: 'Two of two',
    })
    await world.settle()
    const push = () =>
      world.clone.push({ as: world.people.alice, branch, files: { 'more.md': 'more\n' }, message: 'More' })
    expect(await doneBy(push)).toHaveLength(1)
    expect(world.log.filter((line) => line.action === 'notify' && line.mergeRequest?.includes('!'))).toEqual([])
  })

  test('what was done for the project, and why, is in the journal', async () => {
    await world.as(world.people.alice).issues.create({ ...issues, id: world.project })
    await world.settle()
    const decisions = await world.decisions(0)
    const evaluated = decisions
      .flatMap(({ rules }) => rules)
      .find(({ name, event }) => name === 'tell of work' && event?.event.kind === 'issue.open')
    expect(evaluated).toMatchObject({ verdict: 'true', actions: [{ action: 'notify', result: 'call' }] })
  })
}
