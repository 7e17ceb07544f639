// What a bot may do to issues, by @gitbeaker/rest.
import { refusalOf, type Story } from './story.ts'

export const issues: Story[] = [
  {
    name: 'an issue is followed, noted as a task, timed and reacted to',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const { iid } = await client.Issues.create(id, 'It breaks', { labels: 'bug' })
      expect(await client.Issues.allParticipants(id, iid)).toMatchObject([{ username: 'root' }])
      expect(await client.Issues.unsubscribe(id, iid)).toMatchObject({ subscribed: false })
      expect((await refusalOf(client.Issues.unsubscribe(id, iid)))[0]).toBe(304)
      expect(await client.Issues.subscribe(id, iid)).toMatchObject({ subscribed: true })
      expect(await client.Issues.createTodo(id, iid)).toMatchObject({ target_type: 'Issue', target: { iid } })
      expect(await client.IssueLabelEvents.all(id, iid)).toMatchObject([{ action: 'add', label: { name: 'bug' } }])
      expect(await client.Issues.addTimeEstimate(id, iid, '3h30m')).toMatchObject({ time_estimate: 12_600 })
      expect(await client.Issues.addSpentTime(id, iid, '1h')).toMatchObject({ total_time_spent: 3600 })
      await client.Issues.resetTimeEstimate(id, iid)
      await client.Issues.resetSpentTime(id, iid)
      expect(await client.Issues.showTimeStats(id, iid)).toMatchObject({ time_estimate: 0, total_time_spent: 0 })
      const award = await client.IssueAwardEmojis.award(id, iid, 'thumbsup')
      expect(await client.IssueAwardEmojis.all(id, iid)).toMatchObject([{ id: award.id, name: 'thumbsup' }])
      await client.IssueAwardEmojis.remove(id, iid, award.id)
    },
  },
  {
    name: 'an issue is discussed, and knows its merge requests',
    async tell({ client }) {
      const { id } = await client.Projects.create({ name: 'app' })
      const { iid } = await client.Issues.create(id, 'It breaks')
      const note = await client.IssueNotes.create(id, iid, 'Me too')
      await client.IssueNotes.edit(id, iid, note.id, { body: 'Not me' })
      expect(await client.IssueNotes.show(id, iid, note.id)).toMatchObject({ body: 'Not me' })
      await client.IssueNotes.remove(id, iid, note.id)
      const thread = await client.IssueDiscussions.create(id, iid, 'Why?')
      expect(await client.IssueDiscussions.all(id, iid)).toMatchObject([{ id: thread.id }])
      expect(await client.IssueDiscussions.show(id, iid, thread.id)).toMatchObject({ notes: [{ body: 'Why?' }] })
      const write = (branch: string, filePath: string, startBranch?: string) =>
        client.Commits.create(id, branch, 'Write', [{ action: 'create', filePath, content: 'x' }], {
          ...(startBranch !== undefined && { startBranch }),
        })
      await write('master', 'a')
      await write('fix', 'b', 'master')
      await client.MergeRequests.create(id, 'fix', 'master', 'Fix', { description: `Closes #${iid}` })
      expect(await client.Issues.allRelatedMergeRequests(id, iid)).toMatchObject([{ title: 'Fix' }])
    },
  },
]
