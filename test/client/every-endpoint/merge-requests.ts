// Merge requests, by our client.
import { expect } from 'vitest'
import { scriptPipelines } from '../../../src/sandbox/pipelines/scripted-ci.ts'
import { refused, type Story, type StoryWorld } from './story.ts'

const drive = (...names: string[]) => names.map((name) => `mergeRequests.${name}`)

/** Project `root/app` with a branch of one new file, and a merge request of it. */
async function openMergeRequest({ client }: StoryWorld, more: { description?: string } = {}) {
  const { body: project } = await client.projects.create({ name: 'app' })
  const id = Number(project.id)
  const write = async (branch: string, file_path: string, start_branch?: string) => {
    const commit = {
      id,
      branch,
      commit_message: `Write ${file_path}`,
      actions: [{ action: 'create' as const, file_path, content: 'x\n' }],
    }
    return String(
      (await client.repository.commits.create(start_branch === undefined ? commit : { ...commit, start_branch })).body
        .id,
    )
  }
  const { mergeRequests } = client
  await write('master', 'a.txt')
  const sha = await write('feature', 'b.txt', 'master')
  const { body } = await mergeRequests.create({
    id,
    source_branch: 'feature',
    target_branch: 'master',
    title: 'Add b',
    ...more,
  })
  return {
    id,
    sha,
    write,
    one: { id, merge_request_iid: Number(body.iid) },
    byPath: { id: 'root/app', merge_request_iid: Number(body.iid) },
  }
}

export const mergeRequestStories: Story[] = [
  {
    name: 'a merge request is read from all sides, updated and accepted',
    drives: drive(
      ...['create', 'listAll', 'list', 'get', 'participants', 'commits', 'changes', 'diffs'],
      ...['versions.list', 'versions.get', 'update', 'reviewers', 'accept', 'closesIssues', 'delete'],
    ),
    async tell(story) {
      const { client, person } = story
      const { mergeRequests } = client
      const { id, sha, one, byPath } = await openMergeRequest(story, { description: 'Closes #1' })
      const ada = await person('ada')
      await client.projects.members.add({ id, user_id: ada.id, access_level: 30 })
      await client.issues.create({ id, title: 'b is missing' })
      expect((await mergeRequests.commits(one)).body).toMatchObject([{ id: sha }])
      expect((await mergeRequests.changes(byPath)).body).toMatchObject({
        changes_count: '1',
        changes: [{ new_path: 'b.txt' }],
      })
      expect((await mergeRequests.diffs({ ...one, per_page: 1 })).body).toMatchObject([{ new_path: 'b.txt' }])
      expect((await mergeRequests.closesIssues(one)).body).toMatchObject([{ iid: 1 }])
      const [version] = (await mergeRequests.versions.list(byPath)).body
      expect((await mergeRequests.versions.get({ ...byPath, version_id: Number(version?.id) })).body.real_size).toBe(
        '1',
      )
      const update = (changes: object) => mergeRequests.update({ ...one, ...changes }).then(({ body }) => body)
      expect(await update({ labels: 'a,b', assignee_id: ada.id })).toMatchObject({
        labels: ['a', 'b'],
        assignee: { username: 'ada' },
      })
      expect(await update({ add_labels: 'c', remove_labels: 'a' })).toMatchObject({ labels: ['b', 'c'] })
      expect(await update({ labels: '', assignee_id: 0, discussion_locked: false })).toMatchObject({
        labels: [],
        assignee: null,
      })
      await mergeRequests.update({ ...one, reviewer_ids: [ada.id] })
      expect((await mergeRequests.reviewers(one)).body).toMatchObject([
        { user: { username: 'ada' }, state: 'unreviewed' },
      ])
      expect((await mergeRequests.participants(one)).body.map(({ username }) => username)).toContain('root')
      expect((await mergeRequests.list({ id, iids: [1, 7], state: 'opened' })).body).toMatchObject([{ iid: 1 }])
      expect((await mergeRequests.list({ id, view: 'simple' })).body.map((each) => Object.keys(each).sort())).toEqual([
        ['description', 'iid', 'state', 'title', 'web_url'],
      ])
      expect((await ada.client.mergeRequests.listAll({})).body).toEqual([])
      expect((await ada.client.mergeRequests.listAll({ scope: 'all' })).body).toHaveLength(1)

      expect(await refused(mergeRequests.accept({ ...one, sha: '0'.repeat(40) }))).toEqual([
        409,
        'SHA does not match HEAD of source branch',
      ])
      expect((await mergeRequests.accept({ ...one, sha, should_remove_source_branch: true })).body.state).toBe('merged')
      expect(await refused(mergeRequests.accept({ ...one, sha }))).toEqual([406, 'Method Not Allowed'])
      expect((await mergeRequests.get(one)).body.merge_commit_sha).toMatch(/^[0-9a-f]{40}$/)
      await mergeRequests.delete(one)
      expect((await refused(mergeRequests.get(one)))[0]).toBe(404)
    },
  },
  {
    name: 'pipelines run by request, are canceled and run again',
    drives: [
      ...drive('createPipeline'),
      ...['create', 'retry', 'cancel', 'jobs'].map((name) => `repository.pipelines.${name}`),
    ],
    async tell(story) {
      const { client, world } = story
      const { id, one } = await openMergeRequest(story)
      const script = { branches: '*', kind: 'merge_request', takes: 60_000, ends: ['success'] } as const
      await world.sandbox.within(async (inside) => scriptPipelines(inside, id, [script]))
      expect((await client.mergeRequests.createPipeline(one)).body.source).toBe('merge_request_event')
      const { body } = await client.repository.pipelines.create({ id, ref: 'feature' })
      expect(body).toMatchObject({ ref: 'feature', status: 'created' })
      const path = { id, pipeline_id: Number(body.id) }
      expect((await client.repository.pipelines.cancel(path)).body.status).toBe('canceled')
      const jobs = async (scope: string[]) => (await client.repository.pipelines.jobs({ ...path, scope })).body
      expect([await jobs(['failed']), await jobs(['failed', 'canceled'])]).toMatchObject([[], [{ status: 'canceled' }]])
      expect((await client.repository.pipelines.retry(path)).body.id).toBe(body.id)
    },
  },
  {
    name: 'a merge request waits for its pipeline, no longer, and once more',
    drives: drive('accept', 'cancelMergeWhenPipelineSucceeds', 'pipelines', 'rebase'),
    async tell(story) {
      const { client, world } = story
      const { mergeRequests } = client
      const { id, sha, one, write } = await openMergeRequest(story)
      const post = (state: 'running' | 'success', commit: string) =>
        client.repository.statuses.create({ id, sha: commit, state, ref: 'feature' })
      await post('running', sha)
      expect((await mergeRequests.pipelines(one)).body).toMatchObject([{ sha, status: 'running' }])
      expect((await refused(mergeRequests.cancelMergeWhenPipelineSucceeds(one)))[0]).toBe(406)
      const wait = { ...one, sha, merge_when_pipeline_succeeds: true }
      expect((await mergeRequests.accept(wait)).body).toMatchObject({
        state: 'opened',
        merge_when_pipeline_succeeds: true,
      })
      expect((await mergeRequests.cancelMergeWhenPipelineSucceeds(one)).body.merge_when_pipeline_succeeds).toBe(false)
      await write('master', 'c.txt')
      expect((await mergeRequests.rebase(one)).body.rebase_in_progress).toBe(true)
      await world.sandbox.idle()
      const moved = String((await mergeRequests.get(one)).body.sha)
      expect(moved).not.toBe(sha)
      await post('running', moved)
      await mergeRequests.accept({ ...one, sha: moved, auto_merge: true })
      await post('success', moved)
      await world.sandbox.idle()
      expect((await mergeRequests.get(one)).body.state).toBe('merged')
      expect(await refused(mergeRequests.cancelMergeWhenPipelineSucceeds(one))).toEqual([405, 'Method Not Allowed'])
    },
  },
  {
    name: 'a merge request is added to a merge train',
    drives: ['get', 'add'].map((name) => `mergeTrains.${name}`),
    async tell(story) {
      const { client, world } = story
      const { id, sha, one } = await openMergeRequest(story)
      const report = (state: 'running' | 'success') =>
        client.repository.statuses.create({ id, sha, state, ref: 'feature' })
      await client.projects.update({
        ...{ id, name: 'app', merge_pipelines_enabled: true, merge_trains_enabled: true },
      })
      await report('running')
      expect((await refused(client.mergeTrains.get(one)))[0]).toBe(404)
      expect((await refused(client.mergeTrains.add({ ...one, sha })))[0]).toBe(400)
      expect((await client.mergeTrains.add({ ...one, sha, auto_merge: true })).status).toBe(202)
      await client.mergeRequests.cancelMergeWhenPipelineSucceeds(one)
      await report('success')
      expect((await client.mergeTrains.add({ ...one, sha })).status).toBe(201)
      await world.sandbox.idle()
      expect((await client.mergeTrains.get(one)).body).toMatchObject({ status: 'merged', target_branch: 'master' })
    },
  },
  {
    name: 'a merge request is approved by the path of its project, followed, and its time is kept',
    drives: drive(
      ...['approvals', 'approve', 'unapprove', 'subscribe', 'unsubscribe', 'todo'],
      ...['timeEstimate', 'resetTimeEstimate', 'addSpentTime', 'resetSpentTime', 'timeStats'],
    ),
    async tell(story) {
      const { client, person } = story
      const { mergeRequests } = client
      const { id, sha, byPath } = await openMergeRequest(story)
      const ada = await person('ada')
      await client.projects.members.add({ id, user_id: ada.id, access_level: 30 })
      expect((await refused(ada.client.mergeRequests.approve({ ...byPath, sha: '0'.repeat(40) })))[0]).toBe(409)
      const { body } = await ada.client.mergeRequests.approve({ ...byPath, sha })

      expect(body).toMatchObject({
        approvals_left: 0,
        approvals_missing: 0,
        approved_by: [{ user: { username: 'ada' } }],
      })
      expect((await mergeRequests.approvals(byPath)).body).toMatchObject({ approved: true, approved_by: [{}] })
      expect((await ada.client.mergeRequests.unapprove(byPath)).status).toBe(201)

      await mergeRequests.unsubscribe(byPath)
      expect(await mergeRequests.unsubscribe(byPath)).toMatchObject({ status: 304, body: null })
      expect((await mergeRequests.subscribe(byPath)).body?.subscribed).toBe(true)
      expect((await mergeRequests.subscribe(byPath)).status).toBe(304)
      expect((await mergeRequests.todo(byPath)).body?.target_type).toBe('MergeRequest')
      expect(await mergeRequests.todo(byPath)).toMatchObject({ status: 304, body: null })

      expect((await mergeRequests.timeEstimate({ ...byPath, duration: '3h30m' })).body).toMatchObject({
        human_time_estimate: '3h 30m',
      })
      expect((await mergeRequests.addSpentTime({ ...byPath, duration: '1h' })).body.total_time_spent).toBe(3600)
      await mergeRequests.resetTimeEstimate(byPath)
      await mergeRequests.resetSpentTime(byPath)
      expect((await mergeRequests.timeStats(byPath)).body).toEqual({
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      })
    },
  },
  {
    name: 'a merge request is discussed and reacted to',
    drives: drive(
      ...['create', 'list', 'get', 'update', 'delete'].map((name) => `notes.${name}`),
      ...['create', 'list', 'delete'].map((name) => `awardEmoji.${name}`),
      'labelEvents.list',
      ...['create', 'list', 'get', 'resolve'].map((name) => `discussions.${name}`),
    ),
    async tell(story) {
      const { mergeRequests } = story.client
      const { id, one } = await openMergeRequest(story)
      const { body: thread } = await mergeRequests.discussions.create({ ...one, body: 'Why?' })
      const discussion_id = 'id' in thread ? String(thread.id) : ''
      expect((await mergeRequests.discussions.list(one)).body).toEqual([thread])
      expect((await mergeRequests.get(one)).body.blocking_discussions_resolved).toBe(false)
      await mergeRequests.discussions.resolve({ ...one, discussion_id, resolved: true })
      expect((await mergeRequests.discussions.get({ ...one, discussion_id })).body.notes?.[0]?.resolved).toBe(true)
      const { body: note } = await mergeRequests.notes.create({ ...one, body: 'Nice' })
      const note_id = 'id' in note ? Number(note.id) : 0
      expect((await mergeRequests.notes.create({ ...one, body: '/wip' })).status).toBeLessThan(300)
      await mergeRequests.notes.update({ ...one, note_id, body: 'Very nice' })
      expect((await mergeRequests.notes.get({ ...one, note_id })).body.body).toBe('Very nice')
      expect((await mergeRequests.notes.list({ ...one, sort: 'asc' })).body.map(({ body }) => body)).toContain(
        'Very nice',
      )
      expect((await mergeRequests.notes.delete({ ...one, note_id })).status).toBe(204)
      const { body: award } = await mergeRequests.awardEmoji.create({ ...one, name: 'tada' })
      expect((await refused(mergeRequests.awardEmoji.create({ ...one, name: 'tada' })))[0]).toBe(404)
      expect((await mergeRequests.awardEmoji.list(one)).body).toHaveLength(1)
      expect((await mergeRequests.list({ id, my_reaction_emoji: 'tada' })).body).toHaveLength(1)
      await mergeRequests.update({ ...one, add_labels: 'seen' })
      expect((await mergeRequests.labelEvents.list(one)).body.map(({ action }) => action)).toEqual(['add'])
      expect((await mergeRequests.awardEmoji.delete({ ...one, award_id: Number(award.id) })).status).toBe(204)
    },
  },
  {
    name: 'a merge request waits for another',
    drives: drive('blocks.list', 'blocks.create'),
    async tell(story) {
      const { mergeRequests } = story.client
      const { id, one, write } = await openMergeRequest(story)
      await write('other', 'c.txt', 'master')
      const other = { id, source_branch: 'other', target_branch: 'master', title: 'Add c' }
      const { body: blocking } = await mergeRequests.create(other)
      const blocks = { ...one, blocking_merge_request_id: Number(blocking.id) }
      const { body: block } = await mergeRequests.blocks.create(blocks)
      expect(await refused(mergeRequests.blocks.create(blocks))).toEqual([409, 'Block already exists'])
      expect((await mergeRequests.blocks.list(one)).body).toEqual([block])
    },
  },
]
