// Issues, by our client: what a bot may do to them, as to a merge request.
import { expect } from 'vitest'
import { idOf, type Story, type StoryWorld } from './story.ts'

const drive = (...names: string[]) => names.map((name) => `issues.${name}`)

async function openIssue({ client }: StoryWorld) {
  const id = await idOf(client.projects.create({ name: 'app' }))
  await client.issues.create({ id, title: 'It breaks', description: 'Often', labels: 'bug' })
  return { id, issue_iid: 1 }
}

export const issueStories: Story[] = [
  {
    name: 'issues are listed, changed, followed and timed',
    drives: drive(
      ...['list', 'get', 'create', 'update', 'participants', 'labelEvents.list'],
      ...['subscribe', 'unsubscribe', 'todo'],
      ...['timeEstimate', 'resetTimeEstimate', 'addSpentTime', 'resetSpentTime', 'timeStats'],
    ),
    async tell(story) {
      const { issues } = story.client
      const path = await openIssue(story)
      const changed = await issues.update({ ...path, add_labels: 'next', remove_labels: 'bug', due_date: '2099-12-31' })
      expect(changed.body).toMatchObject({ labels: ['next'], due_date: '2099-12-31', subscribed: true })
      const { subscribed: _, ...listed } = (await issues.get(path)).body
      expect((await issues.list({ id: path.id, iids: [1] })).body).toEqual([listed])
      expect((await issues.participants(path)).body).toMatchObject([{ username: 'root' }])
      expect((await issues.labelEvents.list(path)).body.map(({ action, label }) => [action, label?.name])).toEqual([
        ['add', 'bug'],
        ['add', 'next'],
        ['remove', 'bug'],
      ])
      expect((await issues.unsubscribe(path)).body?.subscribed).toBe(false)
      expect((await issues.unsubscribe(path)).status).toBe(304)
      expect((await issues.subscribe(path)).body?.subscribed).toBe(true)
      expect((await issues.todo(path)).body).toMatchObject({ target_type: 'Issue', target: { iid: 1 } })
      expect((await issues.todo(path)).status).toBe(304)
      expect((await issues.timeEstimate({ ...path, duration: '3h30m' })).body.human_time_estimate).toBe('3h 30m')
      expect((await issues.addSpentTime({ ...path, duration: '1h' })).body.total_time_spent).toBe(3600)
      expect((await issues.timeStats(path)).body).toEqual((await issues.get(path)).body.time_stats)
      await issues.resetTimeEstimate(path)
      expect((await issues.resetSpentTime(path)).body).toMatchObject({ time_estimate: 0, total_time_spent: 0 })
    },
  },
  {
    name: 'issues are discussed and reacted to, and know their merge requests',
    drives: drive(
      ...['create', 'list', 'get', 'update', 'delete'].map((name) => `notes.${name}`),
      ...['create', 'list', 'get', 'resolve'].map((name) => `discussions.${name}`),
      ...['create', 'list', 'delete'].map((name) => `awardEmoji.${name}`),
      'relatedMergeRequests',
    ),
    async tell(story) {
      const { issues, repository, mergeRequests } = story.client
      const path = await openIssue(story)
      const { body: note } = await issues.notes.create({ ...path, body: 'Me too' })
      const note_id = 'id' in note ? Number(note.id) : 0
      await issues.notes.update({ ...path, note_id, body: 'Not me' })
      expect((await issues.notes.list(path)).body).toEqual([(await issues.notes.get({ ...path, note_id })).body])
      await issues.notes.delete({ ...path, note_id })
      const { body: thread } = await issues.discussions.create({ ...path, body: 'Why?' })
      const discussion_id = 'id' in thread ? String(thread.id) : ''
      expect((await issues.discussions.resolve({ ...path, discussion_id, resolved: true })).body).toMatchObject({
        notes: [{ resolved: true, noteable_type: 'Issue' }],
      })
      expect((await issues.discussions.list(path)).body).toEqual([
        (await issues.discussions.get({ ...path, discussion_id })).body,
      ])
      const award_id = await idOf(issues.awardEmoji.create({ ...path, name: 'thumbsup' }))
      expect((await issues.awardEmoji.list(path)).body).toMatchObject([{ id: award_id, awardable_type: 'Issue' }])
      await issues.awardEmoji.delete({ ...path, award_id })
      const { id } = path
      const write = (branch: string, file_path: string, start_branch?: string) =>
        repository.commits.create({
          ...{ id, branch, commit_message: 'Write', ...(start_branch !== undefined && { start_branch }) },
          actions: [{ action: 'create', file_path, content: 'x' }],
        })
      await write('master', 'a')
      await write('fix', 'b', 'master')
      await mergeRequests.create({
        id,
        source_branch: 'fix',
        target_branch: 'master',
        title: 'Fix',
        description: 'Closes #1',
      })
      expect((await issues.relatedMergeRequests(path)).body).toMatchObject([{ iid: 1, title: 'Fix' }])
    },
  },
]
