// Merge requests, by @gitbeaker/rest.
import { addFile, refusalOf, type Story, type StoryWorld } from './story.ts'

/** A project with a branch of one new file, and a merge request of it. */
export async function openMergeRequest({ client }: StoryWorld, options: { description?: string } = {}) {
  const { id } = await client.Projects.create({ name: 'app' })
  await addFile(client, id, 'master', 'a.txt')
  await client.Branches.create(id, 'feature', 'master')
  const commit = await addFile(client, id, 'feature', 'b.txt')
  const mr = await client.MergeRequests.create(id, 'feature', 'master', 'Add b', options)
  return { id, iid: mr.iid, sha: commit.id, mr }
}

export const mergeRequests: Story[] = [
  {
    name: 'a merge request is opened, read from all sides and accepted',
    async tell(story) {
      const { client } = story
      const { id, iid, sha, mr } = await openMergeRequest(story, { description: 'Closes #1' })
      await client.Issues.create(id, 'b is missing')
      expect(await client.MergeRequests.showReviewers(id, iid)).toEqual([])
      expect(mr).toMatchObject({ iid: 1, state: 'opened', sha, merge_status: expect.any(String) })
      expect(await client.MergeRequests.allCommits(id, iid)).toMatchObject([{ id: sha, title: 'Add b.txt' }])
      expect(await client.MergeRequests.showChanges(id, iid)).toMatchObject({
        changes_count: '1',
        changes: [{ new_path: 'b.txt', new_file: true }],
      })
      const [version] = await client.MergeRequests.allDiffVersions('root/app', iid)
      expect(version).toMatchObject({ head_commit_sha: sha, real_size: '1' })
      expect(await client.MergeRequests.showDiffVersion(id, iid, Number(version?.id))).toMatchObject({
        commits: [{ id: sha }],
        diffs: [{}],
      })
      expect(await client.MergeRequests.allParticipants(id, iid)).toMatchObject([{ username: 'root' }])
      expect(await client.MergeRequests.allIssuesClosed(id, iid)).toMatchObject([{ iid: 1, title: 'b is missing' }])
      expect(await client.MergeRequests.edit(id, iid, { labels: 'one,two', removeSourceBranch: true })).toMatchObject({
        labels: ['one', 'two'],
      })
      expect(await client.MergeRequests.edit(id, iid, { labels: '' })).toMatchObject({ labels: [] })
      expect(await client.MergeRequests.all({ projectId: id, state: 'opened', iids: [1] })).toMatchObject([{ iid }])
      expect(await client.MergeRequests.all({ scope: 'created_by_me', view: 'simple' })).toMatchObject([
        { iid, title: 'Add b' },
      ])
      expect(await refusalOf(client.MergeRequests.merge(id, iid, { sha: '0'.repeat(40) }))).toEqual([
        409,
        'SHA does not match HEAD of source branch',
      ])
      expect(await client.MergeRequests.merge(id, iid, { sha, shouldRemoveSourceBranch: true })).toMatchObject({
        state: 'merged',
      })
      expect(await client.MergeRequests.show(id, iid)).toMatchObject({
        state: 'merged',
        merge_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      })
      expect(await refusalOf(client.MergeRequests.accept(id, iid))).toEqual([406, 'Method Not Allowed'])
      expect((await refusalOf(client.Branches.show(id, 'feature')))[0]).toBe(404)
      expect(await client.Issues.show(1, { projectId: id })).toMatchObject({ state: 'closed' })
    },
  },
  {
    name: 'a merge request waits for its pipeline, and no longer',
    async tell(story) {
      const { client } = story
      const { id, iid, sha } = await openMergeRequest(story)
      await client.Commits.editStatus(id, sha, 'running', { name: 'build', ref: 'feature' })
      expect(await client.MergeRequests.allPipelines(id, iid)).toMatchObject([{ sha, status: 'running' }])
      expect(await client.MergeRequests.merge(id, iid, { mergeWhenPipelineSucceeds: true, sha })).toMatchObject({
        state: 'opened',
        merge_when_pipeline_succeeds: true,
      })
      await client.MergeRequests.cancelOnPipelineSuccess(id, iid)
      expect(await client.MergeRequests.show(id, iid)).toMatchObject({
        state: 'opened',
        merge_when_pipeline_succeeds: false,
      })
    },
  },
  {
    name: 'a merge request is approved and unapproved',
    async tell(story) {
      const { client, as, world } = story
      const { id, iid, sha } = await openMergeRequest(story)
      const ada = await world.user('ada')
      await client.ProjectMembers.add(id, 40, { userId: ada.id })
      expect(await as(ada.token).MergeRequestApprovals.approve(id, iid, { sha })).toMatchObject({
        approved_by: [{ user: { username: 'ada' } }],
      })
      expect(await client.MergeRequestApprovals.showConfiguration(id, { mergerequestIId: iid })).toMatchObject({
        approved_by: [{}],
      })
      await as(ada.token).MergeRequestApprovals.unapprove(id, iid)
      expect(await client.MergeRequestApprovals.showConfiguration(id, { mergerequestIId: iid })).toMatchObject({
        approved_by: [],
      })
    },
  },
  {
    name: 'a merge request is followed, noted as a task, and its time is kept',
    async tell(story) {
      const { client } = story
      const { id, iid } = await openMergeRequest(story)
      await client.MergeRequests.unsubscribe(id, iid)
      expect((await refusalOf(client.MergeRequests.unsubscribe(id, iid)))[0]).toBe(304)
      expect(await client.MergeRequests.subscribe(id, iid)).toMatchObject({ subscribed: true })
      expect(await client.MergeRequests.createTodo(id, iid)).toMatchObject({
        target_type: 'MergeRequest',
        state: 'pending',
        target: { iid },
      })
      expect((await refusalOf(client.MergeRequests.createTodo(id, iid)))[0]).toBe(304)
      expect(await client.MergeRequests.setTimeEstimate(id, iid, '3h30m')).toMatchObject({
        time_estimate: 12_600,
        human_time_estimate: '3h 30m',
      })
      expect(await client.MergeRequests.addSpentTime(id, iid, '1h')).toMatchObject({ total_time_spent: 3600 })
      expect(await client.MergeRequests.showTimeStats(id, iid)).toMatchObject({
        human_time_estimate: '3h 30m',
        human_total_time_spent: '1h',
      })
      await client.MergeRequests.resetTimeEstimate(id, iid)
      await client.MergeRequests.resetSpentTime(id, iid)
      expect(await client.MergeRequests.showTimeStats(id, iid)).toMatchObject({
        time_estimate: 0,
        human_total_time_spent: null,
      })
    },
  },
  {
    name: 'a merge request is discussed, reacted to, rebased and deleted',
    async tell(story) {
      const { client, world } = story
      const { id, iid, sha } = await openMergeRequest(story)
      const note = await client.MergeRequestNotes.create(id, iid, 'Nice')
      expect(await client.MergeRequestNotes.edit(id, iid, note.id, { body: 'Very nice' })).toMatchObject({
        body: 'Very nice',
      })
      expect(await client.MergeRequestNotes.show(id, iid, note.id)).toMatchObject({ body: 'Very nice', system: false })
      expect((await client.MergeRequestNotes.all(id, iid)).map(({ body }) => body)).toContain('Very nice')
      await client.MergeRequestNotes.remove(id, iid, note.id)
      await client.MergeRequests.edit(id, iid, { addLabels: 'seen' })
      expect(await client.MergeRequestLabelEvents.all(id, iid)).toMatchObject([
        { action: 'add', label: { name: 'seen' } },
      ])
      expect((await refusalOf(client.MergeRequestNotes.show(id, iid, note.id)))[0]).toBe(404)
      const award = await client.MergeRequestAwardEmojis.award(id, iid, 'thumbsup')
      expect(await client.MergeRequestAwardEmojis.all(id, iid)).toMatchObject([{ id: award.id, name: 'thumbsup' }])
      expect(await client.MergeRequests.all({ projectId: id, myReactionEmoji: 'thumbsup' })).toMatchObject([{ iid }])
      await client.MergeRequestAwardEmojis.remove(id, iid, award.id)
      expect(await client.MergeRequestAwardEmojis.all(id, iid)).toEqual([])
      await addFile(client, id, 'master', 'c.txt')
      expect(await client.MergeRequests.rebase(id, iid)).toMatchObject({ rebase_in_progress: true })
      await world.sandbox.idle()
      expect((await client.MergeRequests.show(id, iid)).sha).not.toBe(sha)
      await client.MergeRequests.remove(id, iid)
      expect((await refusalOf(client.MergeRequests.show(id, iid)))[0]).toBe(404)
    },
  },
]
